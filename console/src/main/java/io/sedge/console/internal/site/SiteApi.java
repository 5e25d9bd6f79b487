package io.sedge.console.internal.site;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmEvent;
import io.sedge.console.ScriptCheck;
import io.sedge.console.internal.http.AlarmJson;
import io.sedge.console.internal.http.ApiRoutes.Action;
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
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.JobExplanation;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.api.SiteStatus;
import io.sedge.sql.PlanGraph;
import io.sedge.sql.SqlException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * What a page may ask of a site. Whoever reaches this machine's loopback may look, at all but
 * scripts, which may have passwords in them; what is changed needs a session. Any thread.
 */
public final class SiteApi {
  /** How many ask the site at once: some questions wait for other devices. */
  private static final int MOST_AT_ONCE = 16;

  private final SiteControl control;
  private final String device;
  private final String version;
  private final ScriptCheck check;
  private final Login login;
  private final EventStream events;
  private final InstantSource clock;
  private final Semaphore turns = new Semaphore(MOST_AT_ONCE);

  private record Text(String text) {}

  private record Submitted(boolean forgotten) {}

  /** A script; to replace another one with it, what {@code replacement} has said before. */
  private record Replacing(@Nullable String script, @Nullable JobReplacement shown) {}

  /** What is done to alarms; for how long they are shelved. */
  private record Acting(
      @Nullable List<AlarmAction.Target> targets, long seconds, @Nullable String note) {}

  private record Acted(int alarms) {}

  /** Something that is asked of the site. */
  @FunctionalInterface
  private interface Asking<T> {
    T ask() throws SiteException;
  }

  /** Something that is changed. */
  @FunctionalInterface
  private interface Change {
    void of(String name) throws SiteException;
  }

  SiteApi(
      SiteControl control,
      String device,
      String version,
      ScriptCheck check,
      Login login,
      EventStream events,
      InstantSource clock) {
    this.control = control;
    this.device = device;
    this.version = version;
    this.check = check;
    this.login = login;
    this.events = events;
    this.clock = clock;
  }

  List<Route> routes() {
    CheckRoute checkRoute = new CheckRoute(check);
    return List.of(
        Route.get("/console", this::console),
        Route.post("/session", login::begin),
        new Route(Method.DELETE, "/session", login::end),
        Route.get("/site", this::site),
        Route.get("/events", call -> events.answer(call, _ -> true)),
        Route.get("/logs", this::logs),
        Route.get("/why", this::why),
        Route.get("/what-if", this::whatIf),
        Route.post("/check", checkRoute::answer),
        Route.post("/jobs", changing(this::submit)),
        Route.get("/jobs/{name}", this::job),
        Route.get("/jobs/{name}/left-out", this::leftOut),
        new Route(Method.PUT, "/jobs/{name}", changing(this::replace)),
        Route.post("/jobs/{name}/replacement", changing(this::replacement)),
        Route.get("/alarms", this::alarms),
        Route.get("/alarms/{id}", this::alarm),
        Route.post(
            "/alarms/acknowledge", changing(actOnAlarms(AlarmEvent.ACKNOWLEDGE, "acknowledged"))),
        Route.post("/alarms/shelve", changing(actOnAlarms(AlarmEvent.SHELVE, "shelved"))),
        Route.post("/alarms/unshelve", changing(actOnAlarms(AlarmEvent.UNSHELVE, "unshelved"))),
        action("/jobs/{name}/pause", control::pause, "paused the job"),
        action("/jobs/{name}/resume", control::resume, "resumed the job"),
        action("/jobs/{name}/stop", control::stop, "stopped the job"),
        action("/devices/{name}/drain", control::drain, "drained the device"),
        action("/devices/{name}/undrain", control::undrain, "undrained the device"));
  }

  private Action changing(Action action) {
    return call -> {
      login.demand(call);
      action.answer(call);
    };
  }

  private Route action(String path, Change change, String done) {
    return Route.post(
        path,
        changing(
            call -> {
              String name = call.path("name");
              asked(
                  () -> {
                    change.of(name);
                    return name;
                  });
              login.tell("%s %s".formatted(done, name));
              call.done();
            }));
  }

  private <T> T asked(Asking<T> asking) throws Refusal {
    if (!turns.tryAcquire()) {
      throw new Refusal(Reason.BUSY, "the site is asked as much as may be at once: come again");
    }
    try {
      return asking.ask();
    } catch (SiteException e) {
      throw refusal(e);
    } finally {
      turns.release();
    }
  }

  private static Refusal refusal(SiteException e) {
    int status =
        switch (e.code()) {
          case UNKNOWN_NAME -> 404;
          case NAME_TAKEN, NOT_NOW -> 409;
          case USAGE -> 400;
          default ->
              switch (e.code().failureClass()) {
                case USER, RESOURCES -> 422;
                case EXTERNAL -> 503;
                case INTERNAL -> 500;
              };
        };
    return new Refusal(status, e.code().name(), String.valueOf(e.getMessage()), e.problems());
  }

  private void console(Call call) throws Refusal {
    SiteStatus status = asked(control::status);
    call.answer(SiteJson.of(Login.Console.of(status.site(), device, version, login.session(call))));
  }

  private void site(Call call) throws Refusal {
    call.answer(SiteJson.of(status(asked(control::status), clock.millis())));
  }

  static ObjectNode status(SiteStatus status, long atMillis) {
    ObjectNode object = SiteJson.MAPPER.createObjectNode().put("atMillis", atMillis);
    object.setAll((ObjectNode) SiteJson.MAPPER.valueToTree(status));
    return object;
  }

  private void job(Call call) throws Refusal {
    String name = call.path("name");
    JobExplanation explanation = asked(() -> control.explain(name));
    Optional<String> script = Optional.ofNullable(asked(control::diagnose).scripts().get(name));
    boolean mayRead = login.session(call).isPresent();
    Optional<Graph> graph = script.flatMap(this::graph);
    call.answer(
        json -> {
          json.writeStartObject();
          json.writeStringField("name", name);
          if (mayRead && script.isPresent()) {
            json.writeStringField("script", script.get());
          }
          if (graph.isPresent()) {
            json.writeFieldName("graph");
            graph.get().write(json);
          }
          json.writeStringField("text", explanation.text());
          json.writeFieldName("parts");
          SiteJson.of(explanation.parts()).write(json);
          json.writeEndObject();
        });
  }

  /** Empty if the script has what this device cannot compile now. */
  private Optional<Graph> graph(String script) {
    try {
      return Optional.of(new Graph(PlanGraph.of(check.compile(script))));
    } catch (SqlException e) {
      return Optional.empty();
    }
  }

  private void logs(Call call) throws Refusal {
    Map<String, String> marks = marks(call.parameter("marks").orElse("{}"));
    String job = call.parameter("job").orElse("");
    List<DeviceLogs> all = asked(() -> control.siteLogs(job, Set.of(), marks));
    call.answer(
        json -> {
          json.writeStartObject();
          Json.values(json, "devices", all.stream().map(SiteApi::lines).toList());
          json.writeEndObject();
        });
  }

  private static Map<String, String> marks(String json) throws Refusal {
    try {
      return SiteJson.MAPPER.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new Refusal(
          Reason.MALFORMED,
          "marks is not an object of the marks that were given before, by device");
    }
  }

  private static Json.Value lines(DeviceLogs logs) {
    return json -> {
      json.writeStartObject();
      json.writeStringField("name", logs.device());
      if (logs.failure().isEmpty()) {
        json.writeStringField("mark", logs.page().mark());
      } else {
        json.writeStringField("unavailable", logs.failure());
      }
      Json.values(
          json,
          "lines",
          logs.page().lines().stream().map(line -> line(logs.device(), line)).toList());
      json.writeEndObject();
    };
  }

  private static Line line(String device, LogLine line) {
    return new Line(
        line.number(),
        line.atMillis(),
        line.severity().name().toLowerCase(Locale.ROOT),
        line.task().isEmpty() ? null : line.task(),
        device,
        line.text());
  }

  private void leftOut(Call call) throws Refusal {
    String name = call.path("name");
    SiteLeftOut answer = asked(() -> control.leftOut(name));
    call.answer(
        json -> {
          json.writeStartObject();
          Json.values(json, "leftOut", answer.reasons().stream().map(SiteApi::value).toList());
          json.writeNumberField("others", answer.others());
          Json.values(
              json,
              "missing",
              answer.missing().entrySet().stream()
                  .map(missing -> unavailable(missing.getKey(), missing.getValue()))
                  .toList());
          json.writeEndObject();
        });
  }

  private static Json.Value value(SiteLeftOut.Reason reason) {
    return json -> {
      json.writeStartObject();
      LeftOutJson.fields(json, reason.leftOut());
      Json.texts(json, "devices", reason.devices());
      json.writeEndObject();
    };
  }

  private static Json.Value unavailable(String device, String why) {
    return json -> {
      json.writeStartObject();
      json.writeStringField("name", device);
      json.writeStringField("unavailable", why);
      json.writeEndObject();
    };
  }

  private void why(Call call) throws Refusal {
    String job = Call.required("job", call.parameter("job").orElse(null));
    String shard = Call.required("shard", call.parameter("shard").orElse(null));
    call.answer(SiteJson.of(new Text(asked(() -> control.why(job, shard)))));
  }

  private void whatIf(Call call) throws Refusal {
    String lost = Call.required("lost", call.parameter("lost").orElse(null));
    Set<String> devices = Set.copyOf(List.of(lost.split(",", -1)));
    call.answer(SiteJson.of(new Text(asked(() -> control.whatIf(devices)))));
  }

  private void alarms(Call call) throws Refusal {
    call.answer(AlarmJson.list(asked(control::alarms)));
  }

  private void alarm(Call call) throws Refusal {
    long id = AlarmJson.id(call);
    call.answer(AlarmJson.history(asked(() -> control.alarmHistory(id))));
  }

  private Action actOnAlarms(AlarmEvent event, String done) {
    return call -> {
      Acting given = SiteJson.read(call.body(), Acting.class);
      List<AlarmAction.Target> named = given.targets();
      List<AlarmAction.Target> targets = named == null ? List.of() : named;
      if (targets.isEmpty()) {
        throw new Refusal(Reason.MALFORMED, "targets is missing: [{\"id\": 17, \"raised\": 1}]");
      }
      int count =
          asked(
              () ->
                  control.actOnAlarms(
                      event,
                      targets,
                      "console on " + device,
                      Duration.ofSeconds(given.seconds()),
                      given.note() == null ? "" : given.note()));
      login.tell("%s %d alarms".formatted(done, count));
      call.answer(SiteJson.of(new Acted(count)));
    };
  }

  private void submit(Call call) throws Refusal {
    Map<String, String> given = call.texts();
    String name = Call.required("name", given.get("name"));
    String script = Call.required("script", given.get("script"));
    boolean forgotten = asked(() -> control.submit(name, control.discover(name, script).script()));
    login.tell("submitted the job " + name);
    call.answer(SiteJson.of(new Submitted(forgotten)));
  }

  private void replacement(Call call) throws Refusal {
    String name = call.path("name");
    String script = Call.required("script", call.texts().get("script"));
    call.answer(
        SiteJson.of(
            asked(() -> control.replacement(name, control.discover(name, script).script()))));
  }

  private void replace(Call call) throws Refusal {
    String name = call.path("name");
    Replacing given = SiteJson.read(call.body(), Replacing.class);
    String script = Call.required("script", given.script());
    asked(
        () -> {
          String whole = control.discover(name, script).script();
          JobReplacement shown =
              given.shown() == null ? control.replacement(name, whole) : given.shown();
          control.replace(name, whole, shown);
          return name;
        });
    login.tell("replaced the script of the job " + name);
    call.done();
  }
}
