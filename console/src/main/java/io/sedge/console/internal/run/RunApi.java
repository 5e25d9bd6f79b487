package io.sedge.console.internal.run;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.sedge.console.internal.http.ApiRoutes.Route;
import io.sedge.console.internal.http.Call;
import io.sedge.console.internal.http.CheckRoute;
import io.sedge.console.internal.http.EventStream;
import io.sedge.console.internal.http.Graph;
import io.sedge.console.internal.http.Line;
import io.sedge.console.internal.http.Refusal;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.console.internal.live.Event;
import io.sedge.sql.PlanGraph;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a page may ask of a run: all of it is read. Any thread. */
public final class RunApi {
  static final String ROWS = "rows";

  private static final int USUAL_ROWS = 1_000;

  private final RunState state;
  private final CheckRoute check;
  private final EventStream events;

  private record Console(String kind, String title, String version, String login, Caller caller) {}

  private record Caller(String name, String role) {}

  private record JobAnswer(
      String name, String script, long startedMillis, Graph graph, List<TableInfo> tables) {}

  private record RowsAnswer(
      List<TableInfo.ColumnInfo> columns,
      @JsonRawValue String rows,
      List<Long> atMillis,
      long total) {}

  private record LogsAnswer(List<Line> lines) {}

  public RunApi(RunState state, CheckRoute check, EventStream events) {
    this.state = state;
    this.check = check;
    this.events = events;
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/console", this::console),
        Route.get("/job", this::job),
        Route.get("/tables/{name}/rows", this::rows),
        Route.get("/logs", this::logs),
        Route.get("/events", this::events),
        Route.post("/check", check::answer));
  }

  private void console(Call call) {
    call.answer(
        new Console(
            "run", state.title(), state.version(), "none", new Caller("local", "viewer")));
  }

  private void job(Call call) {
    call.answer(
        new JobAnswer(
            state.job().name(),
            state.script(),
            state.startedMillis(),
            Graph.of(PlanGraph.of(state.job())),
            state.taps().values().stream().map(Tap::table).toList()));
  }

  private void rows(Call call) throws Refusal {
    Tap tap = tap(call.path("name"));
    int limit = (int) call.number("limit", USUAL_ROWS, 1, Tap.MOST_ROWS);
    Tap.Kept kept = tap.kept(limit);
    if (call.header("Accept").filter(accept -> accept.contains("text/csv")).isPresent()) {
      call.answer("text/csv; charset=utf-8", CsvRows.text(tap.table(), kept.rows()));
    } else {
      call.answer(
          new RowsAnswer(
              tap.table().columns(),
              kept.rows().stream().map(Tap.Row::json).collect(Collectors.joining(",", "[", "]")),
              kept.rows().stream().map(Tap.Row::atMillis).toList(),
              kept.total()));
    }
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

  private void logs(Call call) throws Refusal {
    call.answer(new LogsAnswer(state.log().after(call.number("after", 0, 0, Long.MAX_VALUE))));
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
