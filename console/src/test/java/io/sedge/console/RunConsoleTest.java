package io.sedge.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.engine.column.ChangeKind;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RunConsoleTest {
  private static final long MICROS = 1_790_000_000_123_000L;

  private TestRun run;
  private TestBrowser browser;

  @BeforeEach
  void open() throws Exception {
    run = new TestRun();
    browser = new TestBrowser(run.console.address());
  }

  @AfterEach
  void close() {
    browser.close();
    run.close();
  }

  private static List<Object> reading(String quantity, Object value) {
    return List.of(MICROS, quantity, value);
  }

  @Test
  void theConsoleSaysWhatItIsOf() throws Exception {
    assertThat(browser.json("/console").toString())
        .isEqualTo(
            "{\"kind\":\"run\",\"title\":\"plant.sql\",\"version\":\"1.0\",\"login\":\"none\",\"caller\":{\"name\":\"local\",\"role\":\"viewer\"}}");
  }

  @Test
  void theJobHasItsTablesAndItsPlanInTheWordsOfExplain() throws Exception {
    JsonNode job = browser.json("/job");

    assertThat(job.path("script").asText()).isEqualTo(TestRun.SCRIPT);
    assertThat(job.path("startedMillis").asLong()).isPositive();
    JsonNode growing = job.path("tables").path(0);
    assertThat(growing.path("name").asText()).isEqualTo(TestRun.GROWING);
    assertThat(growing.path("query").asBoolean()).isTrue();
    assertThat(growing.path("updating").asBoolean()).isFalse();
    assertThat(growing.path("keys").toString()).isEqualTo("[\"quantity\"]");
    assertThat(growing.path("time").asText()).isEqualTo("ts");
    assertThat(growing.path("columns").toString())
        .isEqualTo(
            "[{\"name\":\"ts\",\"type\":\"TIMESTAMP(3)\",\"kind\":\"time\"},{\"name\":\"quantity\",\"type\":\"STRING\",\"kind\":\"text\"},{\"name\":\"v\",\"type\":\"DOUBLE\",\"kind\":\"number\"}]");
    assertThat(job.path("tables").path(1).path("updating").asBoolean()).isTrue();
    assertThat(job.path("tables").path(1).has("time")).isFalse();
    assertThat(job.path("graph").path("nodes").findValuesAsText("title"))
        .contains("readings", "Watermark", "GroupAggregate", TestRun.GROWING, TestRun.UPDATING);
    assertThat(job.path("graph").path("edges").toString())
        .contains("[\"source:readings\",\"step:")
        .contains(",\"sink:query-1\"]");
  }

  @Test
  void rowsAreThereAsJsonAndAsCsv() throws Exception {
    run.give(TestRun.GROWING, List.of(reading("=cmd|a", 1.5), reading("a,\"b\"", Double.NaN)));

    JsonNode rows = browser.json("/tables/query-1/rows");
    assertThat(rows.path("rows").toString())
        .isEqualTo("[[1790000000123,\"=cmd|a\",1.5],[1790000000123,\"a,\\\"b\\\"\",\"NaN\"]]");
    assertThat(rows.path("total").asLong()).isEqualTo(2);
    assertThat(browser.json("/tables/query-1/rows?limit=1").path("rows")).hasSize(1);
    HttpResponse<String> csv = browser.get("api/v1/tables/query-1/rows", "Accept", "text/csv");
    assertThat(csv.body())
        .isEqualTo(
            "ts,quantity,v\r\n"
                + "2026-09-21T14:13:20.123,'=cmd|a,1.5\r\n"
                + "2026-09-21T14:13:20.123,\"a,\"\"b\"\"\",NaN\r\n");
  }

  @Test
  void alarmsOfARunAreSeenAndHeardOf() throws Exception {
    try (TestBrowser.Events events = browser.events("")) {
      run.alarms
          .of("plant")
          .commit(
              new AlarmBatch(
                  "hot",
                  AlarmPriority.HIGH,
                  1,
                  1,
                  1,
                  List.of(new AlarmReport(AlarmEvent.RAISE, "<b>pump", 1, 0, 81.5, "")),
                  Map.of()))
          .join();
      assertThat(events.next("alarms").data().path("attention").asInt()).isEqualTo(1);
    }
    JsonNode alarm = browser.json("/alarms").path("alarms").path(0);
    assertThat(alarm.path("key").asText()).isEqualTo("<b>pump");
    assertThat(browser.json("/alarms/1").path("changes").path(0).path("event").asText())
        .isEqualTo("raise");
    assertThat(browser.send("POST", "api/v1/alarms/acknowledge", "{}").statusCode())
        .isGreaterThanOrEqualTo(400);
  }

  /** As SQL has it: -U takes a row of these values away, whichever of equal ones. */
  @Test
  void anUpdatingResultIsShownAsItStands() throws Exception {
    List<List<Object>> rows =
        List.of(
            List.of("a", 1L),
            List.of("b", 1L),
            List.of("a", 1L),
            List.of("a", 2L),
            List.of("b", 1L));
    List<ChangeKind> changes =
        List.of(
            ChangeKind.INSERT,
            ChangeKind.INSERT,
            ChangeKind.UPDATE_BEFORE,
            ChangeKind.UPDATE_AFTER,
            ChangeKind.DELETE);
    run.give(TestRun.UPDATING, rows.size(), rows::get, changes::get);

    JsonNode answer = browser.json("/tables/query-2/rows");
    assertThat(answer.path("rows").toString()).isEqualTo("[[\"a\",2]]");
    assertThat(answer.path("total").asLong()).isEqualTo(5);
  }

  @Test
  void whoListensHearsOfRowsCountersMessagesAndTheEnd() throws Exception {
    run.console.started(() -> JobCounters.NONE, List::of);
    try (TestBrowser.Events events = browser.events("?tables=query-1")) {
      run.give(TestRun.UPDATING, List.of(List.of("not wanted", 1L)));
      run.give(TestRun.GROWING, List.of(reading("a", 1.0)));
      JsonNode rows = events.next("rows").data();
      assertThat(rows.toString())
          .startsWith(
              "{\"table\":\"query-1\",\"total\":1,\"rows\":[[1790000000123,\"a\",1.0]],\"atMillis\":[");
      run.console.report(Severity.WARNING, "a broker has gone");
      assertThat(events.next("log").data().path("message").asText()).isEqualTo("a broker has gone");
      assertThat(events.next("counters").data().path("residentBytes").asLong()).isPositive();
      run.give(TestRun.GROWING, List.of(reading("last", 2.0)));
      Thread ending = Thread.ofVirtual().start(() -> end("the disk is full"));
      assertThat(events.next("rows").data().toString()).contains("\"last\"");
      assertThat(events.next("ended").data().path("failure").asText())
          .isEqualTo("the disk is full");
      ending.join();
    }
    JsonNode line = browser.json("/logs").path("lines").path(0);
    assertThat(line.path("severity").asText()).isEqualTo("warning");
    assertThat(browser.json("/logs?after=" + line.path("number").asLong()).path("lines")).isEmpty();
  }

  private void end(String failure) {
    try {
      run.console.end(failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aScriptIsCheckedAndNothingElseHappens() throws Exception {
    JsonNode accepted =
        TestBrowser.MAPPER.readTree(
            browser
                .check(
                    TestBrowser.MAPPER.writeValueAsString(
                        java.util.Map.of("script", TestRun.SCRIPT)))
                .body());
    assertThat(accepted.path("problems")).isEmpty();
    assertThat(accepted.path("graph").path("nodes")).isNotEmpty();
    JsonNode refused =
        TestBrowser.MAPPER.readTree(browser.check("{\"script\":\"\\n  SELEC 1\"}").body());
    assertThat(refused.path("problems").path(0).path("line").asInt()).isEqualTo(2);
    assertThat(refused.path("problems").path(0).path("column").asInt()).isEqualTo(3);
    assertThat(refused.has("graph")).isFalse();
  }

  /** A server that does not read all of it resets the connection, at times before it is heard. */
  private int statusOfTooMuch() throws Exception {
    String tooMuch = "{\"script\":\"" + "x".repeat(1 << 20) + "\"}";
    for (int attempt = 1; ; attempt++) {
      try {
        return browser.check(tooMuch).statusCode();
      } catch (IOException e) {
        assertThat(attempt).as("%s", e).isLessThan(10);
      }
    }
  }

  @Test
  void whatIsAskedWronglyIsRefusedWithACode() throws Exception {
    assertThat(statusOfTooMuch()).isEqualTo(413);
    assertThat(browser.check("{\"script\":").body()).contains("MALFORMED");
    assertThat(browser.check("{}").body()).contains("script is missing");
    assertThat(
            browser.send("POST", "api/v1/check", "{}", "Content-Type", "text/plain").statusCode())
        .isEqualTo(415);
    assertThat(browser.get("api/v1/tables/nowhere/rows").body())
        .isEqualTo(
            "{\"code\":\"UNKNOWN_NAME\",\"message\":\"the job writes no table 'nowhere', but"
                + " query-1, query-2\"}");
    assertThat(browser.get("api/v1/events?tables=nowhere").statusCode()).isEqualTo(404);
    assertThat(browser.get("api/v1/tables/query-1/rows?limit=0").body()).contains("limit=0");
    assertThat(browser.get("api/v1/nothing").body()).contains("UNKNOWN_PATH");
    HttpResponse<String> method = browser.send("PUT", "api/v1/job", "{}");
    assertThat(method.statusCode()).isEqualTo(405);
    assertThat(method.headers().firstValue("Allow")).hasValue("GET");
  }

  /** DNS rebinding, and requests that other pages make the browser send. */
  @Test
  void pagesOfOtherSitesAskInVain() throws Exception {
    String port = run.console.address().replaceAll("\\D+$", "").replaceAll(".*:", "");
    String get = "GET /api/v1/job HTTP/1.1\r\nConnection: close\r\nHost: ";
    for (String host : List.of("evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "")) {
      assertThat(browser.raw(get + host + "\r\n\r\n")).doesNotContain("200");
    }
    assertThat(browser.raw(get + "LOCALHOST:" + port + "\r\n\r\n")).contains("200");
    assertThat(browser.raw(get + "[::1]:" + port + "\r\n\r\n")).contains("200");
    assertThat(browser.get("api/v1/job", "Origin", "https://evil.example").statusCode())
        .isEqualTo(403);
    assertThat(browser.get("api/v1/job", "Origin", "null").statusCode()).isEqualTo(403);
    assertThat(browser.get("api/v1/job", "Sec-Fetch-Site", "cross-site").statusCode())
        .isEqualTo(403);
    assertThat(browser.get("", "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(200);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    int port = Integer.parseInt(run.console.address().replaceAll(".*:(\\d+)/", "$1"));
    RunConsole.Options options =
        new RunConsole.Options(
            run.job, "x.sql", "", "1.0", TestRun::compile, new MemoryAlarms(), port, true);

    assertThatThrownBy(() -> RunConsole.start(options, InstantSource.system(), System::nanoTime))
        .isInstanceOf(JobException.class)
        .hasMessageContaining("127.0.0.1, port " + port)
        .hasMessageContaining("--console");
  }

  @Test
  void theNextPortIsTakenIfNoneWasNamed() throws Exception {
    int port = Integer.parseInt(run.console.address().replaceAll(".*:(\\d+)/", "$1"));
    RunConsole.Options options =
        new RunConsole.Options(
            run.job, "x.sql", "", "1.0", TestRun::compile, new MemoryAlarms(), port, false);

    try (RunConsole other = RunConsole.start(options, InstantSource.system(), System::nanoTime)) {
      assertThat(other.address()).isNotEqualTo(run.console.address());
    }
  }

  /** What is kept and what waits is bounded, and the job goes on however slow browsers are. */
  @Test
  void aFloodIsHeldInBoundsAndASlowBrowserIsToldWhatItMissed() throws Exception {
    String text = "x".repeat(100);
    try (TestBrowser.Events slow = browser.events("")) {
      for (int batch = 0; batch < 500; batch++) {
        int number = batch;
        run.give(
            TestRun.GROWING,
            1_000,
            row -> reading(text, number * 1e3 + row),
            _ -> ChangeKind.INSERT);
      }
      run.give(TestRun.GROWING, List.of(reading("end", 1.0)));
      long shown = 0;
      long skipped = 0;
      while (shown + skipped < 500_001) {
        JsonNode rows = slow.next("rows").data();
        shown += rows.path("rows").size();
        skipped += rows.path("skipped").asLong();
      }
      assertThat(shown + skipped).isEqualTo(500_001);
      assertThat(skipped).isPositive();
    }
    JsonNode kept = browser.json("/tables/query-1/rows?limit=2000");
    assertThat(kept.path("total").asLong()).isEqualTo(500_001);
    assertThat(kept.path("rows")).hasSizeLessThanOrEqualTo(2_000);
    assertThat(kept.path("rows").toString()).endsWith("\"end\",1.0]]");
  }

  @Test
  void anUpdatingResultStaysTrueInAFlood() throws Exception {
    for (long round = 0; round < 200; round++) {
      long before = round;
      run.give(
          TestRun.UPDATING,
          2_000,
          row -> List.of("k" + row / 2, before + row % 2),
          row -> row % 2 == 1 ? ChangeKind.UPDATE_AFTER : ChangeKind.UPDATE_BEFORE);
    }

    JsonNode rows = browser.json("/tables/query-2/rows?limit=2000").path("rows");
    assertThat(rows).hasSize(1_000);
    for (JsonNode row : rows) {
      assertThat(row.path(1).asLong()).isEqualTo(200);
    }
  }

  @Test
  void moreThanAHundredBrowsersAreRefused() throws Exception {
    List<TestBrowser.Events> open = new ArrayList<>();
    try {
      for (int i = 0; i < 100; i++) {
        open.add(browser.events(""));
      }
      assertThat(open).allMatch(events -> events.status() == 200);
      assertThat(browser.get("api/v1/events").statusCode()).isEqualTo(429);
      run.give(TestRun.GROWING, List.of(reading("a", 1.0)));
      for (TestBrowser.Events events : open) {
        assertThat(events.next("rows").data().path("total").asLong()).isEqualTo(1);
      }
    } finally {
      for (TestBrowser.Events events : open) {
        events.close();
      }
    }
  }
}
