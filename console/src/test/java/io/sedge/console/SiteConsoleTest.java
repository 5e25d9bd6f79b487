package io.sedge.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmList;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmState;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.JobState;
import io.sedge.ledger.ProcessUse;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.DiscoveredShards;
import io.sedge.site.api.InputProgress;
import io.sedge.site.api.JobExplanation;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.LedgerStatus;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.api.SiteStatus;
import io.sedge.sql.Problem;
import io.sedge.task.FailureCode;
import io.sedge.task.LeftOut;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SiteConsoleTest {
  private static final String JSON = "application/json";
  private static final JobReplacement REPLACEMENT =
      new JobReplacement(
          "plant",
          1,
          true,
          List.of(new JobReplacement.Part(JobReplacement.Fate.BEGINS_ANEW, "all", "x", "y")));

  /** Names come from the field, and may be anything. */
  private static final Alarm HOSTILE =
      new Alarm(
          17,
          "plant",
          "hot",
          AlarmPriority.HIGH,
          "<script>",
          AlarmState.UNACKNOWLEDGED,
          2,
          3,
          4,
          Double.NaN,
          "",
          0,
          0,
          0,
          "",
          "");

  private static final AlarmChange RAISED =
      new AlarmChange(
          1, 17, "<script>", 4, AlarmEvent.RAISE, AlarmState.UNACKNOWLEDGED, 81.5, "m", "", "");

  @TempDir private Path data;

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<String> told = Collections.synchronizedList(new ArrayList<>());
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private volatile double makespan = 0.5;
  private SiteConsole console;
  private TestBrowser browser;

  @BeforeEach
  void open() throws Exception {
    SiteControl control =
        (SiteControl)
            Proxy.newProxyInstance(
                SiteControl.class.getClassLoader(),
                new Class<?>[] {SiteControl.class},
                (_, method, arguments) ->
                    answer(method.getName(), arguments == null ? new Object[0] : arguments));
    console =
        SiteConsole.start(
            new SiteConsole.Options(
                control, data, "a", "1.0", TestRun::compile, "127.0.0.1", 0, true, told::add),
            () -> now,
            System::nanoTime);
    browser = new TestBrowser(console.address());
  }

  @AfterEach
  void close() {
    browser.close();
    console.close();
  }

  private Object answer(String method, Object[] arguments) throws SiteException {
    asked.add(method + Arrays.toString(arguments));
    return switch (method) {
      case "status" -> status();
      case "explain" ->
          new JobExplanation(
              "plant", "the whole", List.of(new JobExplanation.Part("all", "a", "why", "plan")));
      case "diagnose" -> new Diagnosis(Map.of(), Map.of("plant", TestRun.SCRIPT));
      case "why", "whatIf" -> "some lines";
      case "discover" -> new DiscoveredShards((String) arguments[1] + " -- found", Map.of());
      case "replacement" -> REPLACEMENT;
      case "leftOut" ->
          new SiteLeftOut(
              List.of(
                  new SiteLeftOut.Reason(
                      new LeftOut(
                          "readings", LeftOut.What.PAYLOAD, "empty", "empty", "<script>", 12),
                      List.of("a", "c"))),
              3,
              new TreeMap<>(Map.of("b", "it is down")));
      case "siteLogs" ->
          List.of(
              new DeviceLogs(
                  "a",
                  new LogPage(
                      List.of(new LogLine(7, 5, Severity.WARNING, "plant/all", "hot", 2, 0)),
                      "m1",
                      false),
                  ""),
              new DeviceLogs("b", new LogPage(List.of(), "", false), "it is down"));
      case "submit" -> {
        if (arguments[1].toString().startsWith("wrong")) {
          throw new SiteException(
              "not accepted", List.of(new Problem(3, 4, "no", Optional.empty())));
        }
        yield false;
      }
      case "alarms" -> new AlarmList(5, AlarmCounts.NONE, List.of(HOSTILE));
      case "alarmHistory" -> List.of(RAISED);
      case "actOnAlarms" -> 1;
      case "stop" -> throw new SiteException(FailureCode.NOT_NOW, "it has ended");
      case "pause", "resume", "drain", "undrain", "replace" -> null;
      default -> throw new AssertionError(method);
    };
  }

  private SiteStatus status() {
    return new SiteStatus(
        "north",
        "a",
        "a",
        makespan,
        List.of(
            new DeviceStatus(
                "a",
                "127.0.0.1:7410",
                DeviceState.ACTIVE,
                true,
                false,
                0,
                true,
                true,
                true,
                0,
                0,
                0,
                1,
                Map.of("zone", "north"),
                ProcessUse.UNKNOWN,
                "1")),
        List.of(
            new JobStatus(
                "plant", JobState.RUNNING, "", 1, 0, 1, 1, 2.5, -1, 3, 0, InputProgress.NONE)),
        List.of(),
        new LedgerStatus(1, 1, 1, 0, 0, 0, 0, 0),
        AlarmCounts.NONE);
  }

  private String code() throws Exception {
    String link = ConsoleLink.of(data, () -> now).orElseThrow();
    assertThat(link).startsWith(console.address() + "#/login?code=");
    return link.substring(link.indexOf('=') + 1);
  }

  private HttpResponse<String> login(String code) throws Exception {
    return browser.send(
        "POST", "api/v1/session", "{\"code\":\"%s\"}".formatted(code), "Content-Type", JSON);
  }

  /** What a page of a session sends. */
  private String[] session() throws Exception {
    HttpResponse<String> answer = login(code());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("; Path=/; ").contains("HttpOnly").contains("SameSite=Strict");
    return new String[] {
      "Cookie",
      cookie.replaceAll(";.*", ""),
      "X-Sedge-Csrf",
      TestBrowser.MAPPER.readTree(answer.body()).path("csrf").asText(),
      "Content-Type",
      JSON
    };
  }

  @Test
  void whoIsOnTheMachineMayLookWithoutScripts() throws Exception {
    JsonNode self = browser.json("/console");
    assertThat(self.path("kind").asText()).isEqualTo("site");
    assertThat(self.path("login").asText()).isEqualTo("link");
    assertThat(self.path("caller").path("role").asText()).isEqualTo("viewer");
    assertThat(self.has("csrf")).isFalse();
    JsonNode site = browser.json("/site");
    assertThat(site.path("atMillis").asLong()).isEqualTo(now.toEpochMilli());
    assertThat(site.path("devices").path(0).path("state").asText()).isEqualTo("active");
    assertThat(site.path("jobs").path(0).path("state").asText()).isEqualTo("running");
    JsonNode job = browser.json("/jobs/plant");
    assertThat(job.has("script")).isFalse();
    assertThat(job.path("text").asText()).isEqualTo("the whole");
    assertThat(job.path("graph").path("nodes")).isNotEmpty();
    assertThat(browser.json("/why?job=plant&shard=all").path("text").asText())
        .isEqualTo("some lines");
    assertThat(browser.json("/what-if?lost=a,b").path("text").asText()).isEqualTo("some lines");
    JsonNode logs = browser.json("/logs?job=plant&marks=%7B%22a%22:%22m0%22%7D").path("devices");
    assertThat(asked).contains("siteLogs[plant, [], {a=m0}]");
    assertThat(logs.path(0).path("mark").asText()).isEqualTo("m1");
    assertThat(logs.path(0).path("lines").path(0).path("message").asText())
        .isEqualTo("hot (… 2 more like this)");
    assertThat(logs.path(1).path("unavailable").asText()).isEqualTo("it is down");
    assertThat(browser.json("/jobs/plant/left-out").toString())
        .isEqualTo(
            "{\"leftOut\":[{\"table\":\"readings\",\"what\":\"payload\",\"reason\":\"empty\",\"sample\":\"<script>\",\"count\":12,\"devices\":[\"a\",\"c\"]}],\"others\":3,\"missing\":[{\"name\":\"b\",\"unavailable\":\"it"
                + " is down\"}]}");
    assertThat(asked).contains("leftOut[plant]");
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsChangedNeedsASessionAndIsToldInTheLog() throws Exception {
    String pause = "api/v1/jobs/plant/pause";
    assertThat(browser.send("POST", pause, "").statusCode()).isEqualTo(401);
    String[] session = session();
    String[] withoutPage = Arrays.copyOf(session, 2);
    assertThat(browser.send("POST", pause, "", withoutPage).statusCode()).isEqualTo(403);
    assertThat(asked).noneMatch(call -> call.startsWith("pause"));
    assertThat(browser.send("POST", pause, "", session).statusCode()).isEqualTo(204);
    assertThat(browser.send("POST", "api/v1/devices/a/drain", "", session).statusCode())
        .isEqualTo(204);
    HttpResponse<String> submitted =
        browser.send("POST", "api/v1/jobs", "{\"name\":\"plant\",\"script\":\"right\"}", session);
    assertThat(submitted.body()).isEqualTo("{\"forgotten\":false}");
    assertThat(asked).contains("pause[plant]", "drain[a]", "submit[plant, right -- found]");
    assertThat(told)
        .containsExactly(
            "console: local has logged in",
            "console: local has paused the job plant",
            "console: local has drained the device a",
            "console: local has submitted the job plant");
    assertThat(
            TestBrowser.MAPPER
                .readTree(browser.get("api/v1/jobs/plant", session).body())
                .path("script")
                .asText())
        .isEqualTo(TestRun.SCRIPT);
  }

  @Test
  void whoIsOnTheMachineSeesAlarmsAndWhoHasLoggedInActsOnThem() throws Exception {
    assertThat(browser.json("/alarms").toString())
        .startsWith("{\"atMillis\":5,\"counts\":{\"changes\":0,\"attention\":0,")
        .endsWith(
            "\"alarms\":[{\"id\":17,\"job\":\"plant\",\"table\":\"hot\",\"priority\":\"high\",\"key\":\"<script>\",\"state\":\"unacknowledged\",\"raised\":2,\"raisedAtMillis\":3,\"changedAtMillis\":4}]}");
    assertThat(browser.json("/alarms/17").toString())
        .isEqualTo(
            "{\"changes\":[{\"number\":1,\"atMillis\":4,\"event\":\"raise\",\"state\":\"unacknowledged\",\"value\":81.5,\"message\":\"m\"}]}");
    assertThat(browser.get("api/v1/alarms/x").statusCode()).isEqualTo(400);
    String acknowledge = "api/v1/alarms/acknowledge";
    String body = "{\"targets\":[{\"id\":17,\"raised\":2}],\"note\":\"seen\"}";
    assertThat(browser.send("POST", acknowledge, body, "Content-Type", JSON).statusCode())
        .isEqualTo(401);
    String[] session = session();
    assertThat(browser.send("POST", acknowledge, body, session).body()).isEqualTo("{\"alarms\":1}");
    assertThat(
            browser
                .send(
                    "POST",
                    "api/v1/alarms/shelve",
                    "{\"targets\":[{\"id\":17,\"raised\":2}],\"seconds\":60}",
                    session)
                .statusCode())
        .isEqualTo(200);
    assertThat(asked)
        .contains(
            "actOnAlarms[ACKNOWLEDGE, [Target[id=17, raised=2]], console on a, PT0S, seen]",
            "actOnAlarms[SHELVE, [Target[id=17, raised=2]], console on a, PT1M, ]");
    assertThat(told).contains("console: local has acknowledged 1 alarms");
    assertThat(browser.send("POST", acknowledge, "{}", session).body())
        .contains("targets is missing");
  }

  @Test
  void aJobIsReplacedByWhatWasShown() throws Exception {
    String[] session = session();
    String shown =
        browser.send("POST", "api/v1/jobs/plant/replacement", "{\"script\":\"s\"}", session).body();
    assertThat(shown).contains("\"fate\":\"begins_anew\"");
    int status =
        browser
            .send(
                "PUT",
                "api/v1/jobs/plant",
                "{\"script\":\"s\",\"shown\":%s}".formatted(shown),
                session)
            .statusCode();
    assertThat(status).isEqualTo(204);
    assertThat(asked).contains("replace[plant, s -- found, %s]".formatted(REPLACEMENT));
  }

  @Test
  void whatTheSiteRefusesIsSaidWithItsCode() throws Exception {
    String[] session = session();
    HttpResponse<String> late = browser.send("POST", "api/v1/jobs/plant/stop", "", session);
    assertThat(late.statusCode()).isEqualTo(409);
    assertThat(late.body()).isEqualTo("{\"code\":\"NOT_NOW\",\"message\":\"it has ended\"}");
    HttpResponse<String> wrong =
        browser.send("POST", "api/v1/jobs", "{\"name\":\"plant\",\"script\":\"wrong\"}", session);
    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(wrong.body()).contains("\"problems\":[{\"line\":3,\"column\":4,\"message\":\"no\"");
    assertThat(browser.send("POST", "api/v1/jobs", "{\"name\":\"x\"}", session).body())
        .contains("script is missing");
  }

  @Test
  void aSessionEndsWithTheLogout() throws Exception {
    String[] session = session();
    HttpResponse<String> out = browser.send("DELETE", "api/v1/session", "", session);
    assertThat(out.statusCode()).isEqualTo(204);
    assertThat(out.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
    assertThat(browser.send("POST", "api/v1/jobs/plant/pause", "", session).statusCode())
        .isEqualTo(401);
  }

  @Test
  void aCodeIsGoodOnceAndForTenMinutes() throws Exception {
    String used = code();
    assertThat(login(used).statusCode()).isEqualTo(200);
    assertThat(login(used).body()).contains("TOKEN_REFUSED").contains("sedge device console");
    String old = code();
    now = now.plus(Duration.ofMinutes(11));
    assertThat(login(old).statusCode()).isEqualTo(401);
    String changed = code();
    assertThat(login((changed.startsWith("A") ? "B" : "A") + changed.substring(1)).statusCode())
        .isEqualTo(401);
  }

  /** Who guesses has to wait; who has a code does not, though both come from this machine. */
  @Test
  void wrongCodesMakeWaitAndShutNobodyOut() throws Exception {
    List<Integer> answers = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      answers.add(login("guess" + i).statusCode());
    }
    assertThat(answers.subList(0, 20)).containsOnly(401);
    assertThat(answers).contains(429);
    assertThat(login(code()).statusCode()).isEqualTo(200);
  }

  @Test
  void onlyTheOwnerOfTheDirectoryMakesCodesAndOnlyWhileTheConsoleIsOpen() throws Exception {
    Path file = data.resolve("console/login");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    console.close();
    assertThat(ConsoleLink.of(data, () -> now)).isEmpty();
  }

  @Test
  void whoListensHearsOfTheSiteWhileItChanges() throws Exception {
    try (TestBrowser.Events events = browser.events("")) {
      assertThat(events.next("site").data().path("makespan").asDouble()).isEqualTo(0.5);
      makespan = 0.7;
      assertThat(events.next("site").data().path("makespan").asDouble()).isEqualTo(0.7);
      console.close();
      assertThat(events.next(_ -> true).name()).isEqualTo("ended");
    }
  }
}
