package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression.Place;
import io.sedge.engine.operator.FailedRows.FailedRow;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.task.JobListener;
import io.sedge.task.LeftOut;
import io.sedge.task.internal.MalformedLog.Rejected;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedLogTest {
  private final List<String> reports = new ArrayList<>();
  private final MalformedLog log =
      new MalformedLog((_, message) -> reports.add(message), Map.of("kept", "rejected"));

  private void add(String table, String payload, String reason) {
    log.add(table, "plant/1", payload.getBytes(StandardCharsets.UTF_8), reason);
  }

  /** A sensor that sends nonsense sends other nonsense each time; that is one complaint. */
  @Test
  void reasonsThatDifferInTheirValuesAreOneComplaint() {
    for (int i = 0; i < 1_000; i++) {
      add(
          "pumps",
          "{" + i,
          "column reading: 'x%d' is not a number, at character %d".formatted(i, i));
    }
    add("pumps", "", "the payload is empty");
    log.reportRepeats();
    assertThat(reports)
        .containsExactly(
            "table pumps: malformed payload from plant/1: column reading: 'x0' is not a number, at"
                + " character 0: {0",
            "table pumps: malformed payload from plant/1: the payload is empty: ",
            "table pumps: 999 more payloads malformed, such as: column reading: 'x0' is not a"
                + " number, at character 0");
    assertThat(log.leftOut())
        .containsExactly(
            new LeftOut(
                "pumps",
                LeftOut.What.PAYLOAD,
                "column reading: … is not a number, at character #",
                "column reading: 'x0' is not a number, at character 0",
                "{0",
                1_000),
            new LeftOut(
                "pumps",
                LeftOut.What.PAYLOAD,
                "the payload is empty",
                "the payload is empty",
                "",
                1));
  }

  private static final String SECRET = "hunter2abc";

  private MalformedLog hiding() {
    return new MalformedLog(
        new JobListener() {
          @Override
          public void report(Severity severity, String message) {
            reports.add(message);
          }

          @Override
          public String withoutSecrets(String text) {
            return text.replace(SECRET, "***");
          }
        },
        Map.of());
  }

  /** Without its numbers nobody knows a secret again. */
  @Test
  void aKindIsMadeOfTheReasonWithoutItsSecrets() {
    MalformedLog hiding = hiding();
    hiding.add("pumps", "here", new byte[0], "login 7 with hunter2abc failed");
    hiding.addUnwritten("pumps", "here", new byte[0], "login 7 with hunter2abc failed");
    FailedRow row = failed("press-1", 3);
    hiding.addRow(failedWith(row, "no hunter2abc"));
    hiding.addTimeless(failedWith(row, "no hunter2abc"), () -> "see hunter2abc");
    hiding.addEarly(failed("press hunter2abc", 3));
    assertThat(hiding.leftOut())
        .extracting(LeftOut::kind)
        .containsExactly(
            "login # with *** failed",
            "login # with *** failed",
            "line 3:5no ***",
            "line 3:5no ***",
            "line 3:5 of id 'press ***'");
    assertThat(hiding.leftOut().toString()).doesNotContain("hunter");
    assertThat(reports.toString()).doesNotContain("hunter");
  }

  private static FailedRow failedWith(FailedRow row, String message) {
    EvaluationException failure = new EvaluationException(message).at(row.failure().place());
    return new FailedRow(row.tables(), row.schema(), row.batch(), row.row(), failure);
  }

  /** Nobody knows a secret again by its beginning. */
  @ParameterizedTest
  @ValueSource(ints = {115, 120, 395, 400})
  void secretsAreTakenOutBeforeTextsAreCut(int before) {
    MalformedLog hiding = hiding();
    String text = "x".repeat(before) + SECRET + "y".repeat(500);
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    hiding.add("pumps", "here", payload, text);
    hiding.addUnwritten("pumps", "here", payload, text);
    hiding.addRow(failed(text, 3));
    hiding.addEarly(failed(text, 3));
    assertThat(hiding.leftOut()).hasSize(4);
    assertThat(hiding.leftOut().toString() + reports + hiding.firstExample())
        .doesNotContain(SECRET.substring(0, 2));
    assertThat(hiding.leftOut()).allMatch(out -> out.sample().length() <= 401);
  }

  /** A table that is read anew has what it has now alone. */
  @Test
  void whatIsForgottenIsNeitherCountedNorSaid() {
    add("kept", "{1", "no JSON");
    log.addUnwritten("kept", "row 1", new byte[0], "no symbol");
    log.addRow(failed("a", 3));
    log.addEarly(failed("b", 3));
    log.forget();
    assertThat(log.leftOut()).isEmpty();
    assertThat(log.total()).isZero();
    assertThat(log.failedRows("pumps")).isZero();
    assertThat(log.unwritten("kept")).isZero();
    assertThat(log.example("kept")).isEmpty();
    assertThat(log.take()).as("it waits for its table").isNotNull();
    reports.clear();
    add("kept", "{2", "no JSON");
    assertThat(reports).as("said as what is new").hasSize(1);
    assertThat(log.leftOut())
        .containsExactly(
            new LeftOut("kept", LeftOut.What.PAYLOAD, "no JSON", "no JSON", "{2", log.total()));
  }

  /** A table that kept them might itself be one that cannot be written. */
  @Test
  void rowsThatAreNotWrittenAreCountedAndSaidAndNotKept() {
    for (int row = 1; row <= 3; row++) {
      log.addUnwritten(
          "kept", "row " + row, "state='x'".getBytes(StandardCharsets.UTF_8), "'x' is no symbol");
    }
    log.reportRepeats();
    assertThat(reports)
        .containsExactly(
            "table kept: a row is not written (row 1): 'x' is no symbol: state='x'",
            "table kept: 2 more rows not written, such as: 'x' is no symbol");
    assertThat(log.total()).isEqualTo(3);
    assertThat(log.unwritten("kept")).isEqualTo(3);
    assertThat(log.isEmpty()).isTrue();
  }

  private static FailedRow failed(String text, int line) {
    Schema schema =
        Schema.builder()
            .add("id", Type.STRING)
            .add("day", Type.DATE)
            .add("at", Type.TIME)
            .add("ts", Type.timestamp(3))
            .add("utc", Type.timestampLtz(3))
            .add("v", Type.DOUBLE)
            .build();
    BatchBuilder batch = new BatchBuilder(schema);
    batch.addRow(text, 1, 61_000, 1_500_000L, 1_500_000L, null);
    return new FailedRow(
        List.of("pumps", "kept"),
        schema,
        batch.build(),
        0,
        new EvaluationException("'%s' is no number".formatted(text)).at(new Place(line, 5)));
  }

  @Test
  void failuresOfOneExpressionAreOneComplaintAndThoseOfAnotherAnother() {
    log.addRow(failed("a", 3));
    log.addRow(failed("b", 3));
    log.addRow(failed("c", 4));
    log.reportRepeats();
    assertThat(reports)
        .satisfiesExactly(
            report ->
                assertThat(report)
                    .startsWith(
                        "table pumps, kept: a row is left out: line 3:5: 'a' is no number:"
                            + " id='a',"),
            report ->
                assertThat(report)
                    .startsWith(
                        "table pumps, kept: a row is left out: line 4:5: 'c' is no number:"
                            + " id='c',"),
            report ->
                assertThat(report)
                    .isEqualTo(
                        "table pumps, kept: 1 more rows left out, such as: line 3:5: 'a' is no"
                            + " number"));
    assertThat(log.total()).isEqualTo(3);
    assertThat(log.failedRows("pumps")).isEqualTo(3);
  }

  @Test
  void aRowGoesToTheTableThatOneOfItsSourcesNamesWithItsValues() {
    log.addRow(failed("a", 3));
    assertThat(log.take())
        .isEqualTo(
            new Rejected(
                "rejected",
                "table pumps, kept",
                "id='a', day=1970-01-02, at=00:01:01, ts=1970-01-01T00:00:01.500,"
                    + " utc=1970-01-01T00:00:01.500Z, v=NULL",
                "line 3:5: 'a' is no number"));
    assertThat(log.isEmpty()).isTrue();
  }

  /** It is counted as dropped already. */
  @Test
  void aRowWithoutATimeIsSaidAndKeptAndNotCountedAgain() {
    log.addTimeless(failed("a", 3), () -> "`id` is 'a'");
    assertThat(reports)
        .singleElement()
        .asString()
        .startsWith(
            "table pumps, kept: a row is dropped: line 3:5: 'a' is no number: `id` is 'a': ");
    assertThat(log.take()).isNotNull();
    assertThat(log.total()).isZero();
  }

  /** Each sensor has a clock of its own, so each is named; of a plant full of them some are. */
  @Test
  void sensorsWithWrongClocksAreNamedCountedAndKept() {
    for (int i = 0; i < 2 * MalformedLog.MAX_SENSORS; i++) {
      log.addEarly(failed("press-" + i, 3));
    }
    assertThat(reports)
        .hasSize(MalformedLog.MAX_SENSORS + 1)
        .startsWith(
            "table pumps, kept: a reading is ahead of the clock: line 3:5: 'press-0' is no number;"
                + " put the clock of id 'press-0' right, or allow more with"
                + " 'scan.watermark.max-ahead': id='press-0', day=1970-01-02, at=00:01:01,"
                + " ts=1970-01-01T00:00:01.500, utc=1970-01-01T00:00:01.500Z, v=NULL");
    assertThat(log.total()).isEqualTo(2 * MalformedLog.MAX_SENSORS);
    assertThat(log.failedRows("pumps")).isEqualTo(2 * MalformedLog.MAX_SENSORS);
    assertThat(log.take()).extracting(Rejected::keptIn).isEqualTo("rejected");
    reports.clear();
    log.addEarly(failed("press-1", 3));
    log.reportRepeats();
    assertThat(reports)
        .first()
        .asString()
        .startsWith("table pumps, kept: 1 more readings ahead of the clock, such as: ")
        .contains("id 'press-1'");
  }

  // A sensor with a wrong clock has all its readings refused.
  @Test
  void theTextOfAReadingAheadOfTheClockIsMadeOnlyWhereItIsSaid() {
    AtomicInteger made = new AtomicInteger();
    FailedRow row = failed("press-1", 3);
    EvaluationException failure =
        new EvaluationException(() -> "text " + made.incrementAndGet(), new Place(3, 5));
    FailedRow early =
        new FailedRow(List.of("pumps"), row.schema(), row.batch(), row.row(), failure);
    log.addEarly(early);
    int once = made.get();
    log.addEarly(early);
    log.addEarly(early);
    assertThat(reports).singleElement().asString().contains("line 3:5: text");
    assertThat(made).hasValue(once);
    assertThat(log.total()).isEqualTo(3);
  }

  @Test
  void whatIsKeptOfALongRowIsBounded() {
    log.addRow(failed("a".repeat(100_000), 3));
    Rejected kept = log.take();
    assertThat(kept).isNotNull();
    assertThat(kept.payload()).hasSizeLessThan(2_000).endsWith("…");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          'abc' is not a number          | … is not a number
          at character 123, not 4        | at character #, not #
          "a" and `b 1` are not 'c       | … and … are not 'c
          it's the end                   | it's the end
          """)
  void aKindIsAReasonWithoutItsValues(String reason, String kind) {
    assertThat(MalformedLog.kind(reason)).isEqualTo(kind);
  }

  @Test
  void moreComplaintsThanCanBeToldApartAreCountedTogether() {
    for (int i = 0; i < MalformedLog.MAX_COMPLAINTS + 50; i++) {
      add("pumps", "x", "reason " + "z".repeat(i));
    }
    log.reportRepeats();
    assertThat(reports).hasSize(MalformedLog.MAX_COMPLAINTS + 2);
    assertThat(reports.getLast())
        .isEqualTo("table pumps: 49 more payloads malformed, such as: various other reasons");
  }

  @Test
  void readersAreToldToStopLongBeforeOneIsLost() {
    String payload = "x".repeat(1_000);
    int count = 0;
    while (log.hasRoom()) {
      add("kept", payload, "bad");
      count++;
    }
    assertThat(count).isBetween(500, 1_100);
    for (int i = 0; i < 10 * count; i++) {
      add("kept", payload, "bad");
    }
    int taken = 0;
    while (log.take() != null) {
      taken++;
    }
    assertThat(taken).isEqualTo(11 * count);
    assertThat(log.hasRoom()).isTrue();
    assertThat(log.isEmpty()).isTrue();
  }

  /** A reader that does not stop costs payloads, not the heap; and that is said. */
  @Test
  void whatIsBeyondTheBoundIsCountedAndSaid() {
    String payload = "x".repeat(MalformedLog.MAX_PAYLOAD_BYTES);
    int count = MalformedLog.MAX_WAITING_BYTES / payload.length();
    for (int i = 0; i < count; i++) {
      add("kept", payload, "bad");
    }
    log.reportRepeats();
    assertThat(log.total()).isEqualTo(count);
    assertThat(reports.getLast()).contains("were counted but not kept");
  }
}
