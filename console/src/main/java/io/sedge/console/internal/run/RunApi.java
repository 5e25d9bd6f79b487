package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.console.internal.http.AlarmJson;
import io.sedge.console.internal.http.ApiRoutes.Route;
import io.sedge.console.internal.http.Call;
import io.sedge.console.internal.http.CheckRoute;
import io.sedge.console.internal.http.EventStream;
import io.sedge.console.internal.http.Graph;
import io.sedge.console.internal.http.Json;
import io.sedge.console.internal.http.LeftOutJson;
import io.sedge.console.internal.http.Line;
import io.sedge.console.internal.http.Refusal;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.console.internal.live.Event;
import io.sedge.sql.PlanGraph;
import io.sedge.task.LeftOut;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What a page may ask of a run: all of it is read. Any thread. */
public final class RunApi {
  static final String ROWS = "rows";

  private static final int USUAL_ROWS = 1_000;

  private final RunState state;
  private final Supplier<List<LeftOut>> leftOut;
  private final CheckRoute check;
  private final EventStream events;
  private final InstantSource clock;

  /**
   * @param leftOut what the job has left out so far
   */
  public RunApi(
      RunState state,
      Supplier<List<LeftOut>> leftOut,
      CheckRoute check,
      EventStream events,
      InstantSource clock) {
    this.state = state;
    this.leftOut = leftOut;
    this.check = check;
    this.events = events;
    this.clock = clock;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/console", this::console),
        Route.get("/job", this::job),
        Route.get("/tables/{name}/rows", this::rows),
        Route.get("/alarms", this::alarms),
        Route.get("/alarms/{id}", this::alarm),
        Route.get("/left-out", this::leftOut),
        Route.get("/logs", this::logs),
        Route.get("/events", this::events),
        Route.post("/check", check::answer));
  }

  private void console(Call call) {
    call.answer(
        json -> {
          json.writeStartObject();
          json.writeStringField("kind", "run");
          json.writeStringField("title", state.title());
          json.writeStringField("version", state.version());
          json.writeStringField("login", "none");
          json.writeObjectFieldStart("caller");
          json.writeStringField("name", "local");
          json.writeStringField("role", "viewer");
          json.writeEndObject();
          json.writeEndObject();
        });
  }

  private void job(Call call) {
    Graph graph = new Graph(PlanGraph.of(state.job()));
    call.answer(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", state.job().name());
          json.writeStringField("script", state.script());
          json.writeNumberField("startedMillis", state.startedMillis());
          json.writeFieldName("graph");
          graph.write(json);
          Json.values(json, "tables", state.taps().values().stream().map(Tap::table).toList());
          json.writeEndObject();
        });
  }

  private void rows(Call call) throws Refusal {
    Tap tap = tap(call.path("name"));
    int limit = (int) call.number("limit", USUAL_ROWS, 1, Tap.MOST_ROWS);
    Tap.Kept kept = tap.kept(limit);
    if (call.header("Accept").filter(accept -> accept.contains("text/csv")).isPresent()) {
      call.answer("text/csv; charset=utf-8", CsvRows.text(tap.table(), kept.rows()));
    } else {
      call.answer(json -> write(json, tap.table(), kept));
    }
  }

  private static void write(JsonGenerator json, TableInfo table, Tap.Kept kept) throws IOException {
    json.writeStartObject();
    Json.values(json, "columns", table.columns());
    json.writeFieldName("rows");
    json.writeStartArray();
    for (Tap.Row row : kept.rows()) {
      json.writeRawValue(row.json());
    }
    json.writeEndArray();
    json.writeArrayFieldStart("atMillis");
    for (Tap.Row row : kept.rows()) {
      json.writeNumber(row.atMillis());
    }
    json.writeEndArray();
    json.writeNumberField("total", kept.total());
    json.writeEndObject();
  }

  private Tap tap(String name) throws Refusal {
    Tap tap = state.taps().get(name);
    if (tap == null) {
      throw new Refusal(
          Reason.UNKNOWN_NAME,
          "the job writes no table '%s', but %s"
              .formatted(name, String.join(", ", state.taps().keySet())));
    }
    return tap;
  }

  private void alarms(Call call) {
    call.answer(AlarmJson.list(state.alarms().read(alarms -> alarms.list(clock.millis()))));
  }

  private void alarm(Call call) throws Refusal {
    long id = AlarmJson.id(call);
    call.answer(AlarmJson.history(state.alarms().read(alarms -> alarms.history(id))));
  }

  private void leftOut(Call call) {
    call.answer(
        json -> {
          json.writeStartObject();
          Json.values(json, "leftOut", leftOut.get().stream().map(RunApi::value).toList());
          json.writeEndObject();
        });
  }

  private static Json.Value value(LeftOut out) {
    return json -> {
      json.writeStartObject();
      LeftOutJson.fields(json, out);
      json.writeEndObject();
    };
  }

  private void logs(Call call) throws Refusal {
    List<Line> lines = state.log().after(call.number("after", 0, 0, Long.MAX_VALUE));
    call.answer(
        json -> {
          json.writeStartObject();
          Json.values(json, "lines", lines);
          json.writeEndObject();
        });
  }

  private void events(Call call) throws Refusal {
    Optional<String> tables = call.parameter("tables");
    Predicate<Event> wanted = _ -> true;
    if (tables.isPresent()) {
      Set<String> names = Set.copyOf(List.of(tables.get().split(",", -1)));
      for (String name : names) {
        var _ = tap(name);
      }
      wanted = event -> event.table().isEmpty() || names.contains(event.table());
    }
    events.answer(call, wanted);
  }
}
