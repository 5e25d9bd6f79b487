package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One bad value stops no plant: what a user sees of rows that an expression fails for. */
@Timeout(120)
class FailedRowsTest {
  private static final String TABLES =
      """
      CREATE TABLE wrong (origin STRING, payload STRING, reason STRING) WITH (
        'connector' = 'filesystem', 'path' = 'wrong', 'format' = 'json');
      CREATE TABLE m (k STRING, n STRING) WITH (
        'connector' = 'filesystem', 'path' = 'm.csv', 'format' = 'csv', 'malformed.table' = 'wrong');
      """;
  private static final String QUERY = "SELECT k, CAST(n AS BIGINT) AS n FROM m;\n";

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("m.csv"), "a,10\nb,x\nc,30\n");
  }

  private CommandRunner script(String text) throws IOException {
    Files.writeString(directory.resolve("job.sql"), text);
    return new CommandRunner(directory);
  }

  private String wrong() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("wrong"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  @Test
  void aRowIsLeftOutCountedSaidAndKept() throws IOException {
    CommandRunner runner = script(TABLES + QUERY);
    assertThat(runner.run("run", "job.sql", "--output", "json")).as(runner.err()).isZero();
    assertThat(runner.out()).isEqualTo("{\"k\":\"a\",\"n\":10}\n{\"k\":\"c\",\"n\":30}\n");
    assertThat(runner.err())
        .contains("table m: a row is left out: line 5:11: CAST('x' AS BIGINT): ")
        .contains(": k='b', n='x'")
        .containsPattern("malformed +1\\n");
    assertThat(wrong())
        .startsWith(
            "{\"origin\":\"table m\",\"payload\":\"k='b', n='x'\",\"reason\":\"line 5:11: CAST(")
        .endsWith("}\n");
  }

  @Test
  void aJobThatIsToFailAsInFlinkSaysWhereAndOnWhat() throws IOException {
    CommandRunner runner = script(TABLES + "SET 'sedge.on-row-failure' = 'fail';\n" + QUERY);
    assertThat(runner.run("run", "job.sql")).isEqualTo(2);
    assertThat(runner.err())
        .contains("table m: line 6:11: CAST('x' AS BIGINT): ")
        .contains("k='b', n='x'")
        .contains("(USER EVALUATION_FAILED)");
  }

  @Test
  void checkSaysWhereACastMayFailAndAcceptsIt() throws IOException {
    CommandRunner runner = script(TABLES + QUERY);
    assertThat(runner.run("check", "job.sql")).isZero();
    assertThat(runner.err())
        .contains("line 5:11: CAST(… AS BIGINT) fails for a text")
        .contains("TRY_CAST");
  }

  @Test
  void aRowWhoseTimeIsNotUnderstoodIsSaidOnceAndKept() throws IOException {
    Files.writeString(
        directory.resolve("m.csv"), "a,2026-03-01 10:00:03\nb,2026-03-01T10:00:03Z\nc,no time\n");
    String timed =
        TABLES.replace(
            "(k STRING, n STRING)",
            "(k STRING, n STRING, ts AS TO_TIMESTAMP(n),\n"
                + "  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)");
    CommandRunner runner = script(timed + "SELECT k, n, ts FROM m;");
    assertThat(runner.run("run", "job.sql")).as(runner.err()).isZero();
    assertThat(runner.err())
        .containsOnlyOnce("table m: a row is dropped: line 4:23: the event time `ts` is NULL")
        .contains(
            "`n` is '2026-03-01T10:00:03Z'; write TO_TIMESTAMP_LTZ(n,"
                + " 'yyyy-MM-dd''T''HH:mm:ss''Z''')")
        .contains(": k='b', n='2026-03-01T10:00:03Z'\n")
        .contains("table m: 1 more rows dropped")
        .containsPattern("dropped +2\n")
        .containsPattern("malformed +0\n");
    assertThat(wrong().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("event time `ts` is NULL"));
  }

  /** The text of the time is of no use to the query, which counts; it is seen all the same. */
  @Test
  void aTimeThatIsNotUnderstoodIsSaidAsItCame() throws IOException {
    Files.writeString(
        directory.resolve("m.csv"), "a,2026-03-01T10:00:03.5\na,2026-03-01 10:00:03\n");
    CommandRunner runner =
        script(
            TABLES.replace(
                    "(k STRING, n STRING)",
                    "(k STRING, n STRING, ts AS TO_TIMESTAMP(n), WATERMARK FOR ts AS ts)")
                + "SELECT k, COUNT(*) FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(ts), INTERVAL '1'"
                + " SECOND)) GROUP BY k, window_start, window_end;");
    assertThat(runner.run("run", "job.sql")).as(runner.err()).isZero();
    assertThat(runner.err())
        .contains(
            "`n` is '2026-03-01T10:00:03.5'; write TO_TIMESTAMP(n, 'yyyy-MM-dd''T''HH:mm:ss.S'):"
                + " k='a', n='2026-03-01T10:00:03.5'\n");
  }

  /** What is said to be written is written, and gives the time that the device has sent. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2026-03-01T10:00:03        | csv
          2026-03-01T10:00:03Z       | csv
          2026-03-01T10:00:03Z       | json
          2026-03-01T10:00:03.000Z   | csv
          2026-03-01T10:00:03.000000 | json
          """)
  void whatIsSaidToBeWrittenIsUnderstood(String time, String format) throws IOException {
    String row = format.equals("csv") ? "a,%s\n" : "{\"k\":\"a\",\"n\":\"%s\"}\n";
    Files.writeString(directory.resolve("m.csv"), row.formatted(time));
    String script =
        TABLES
                .replace("'m.csv', 'format' = 'csv'", "'m.csv', 'format' = '" + format + "'")
                .replace(
                    "(k STRING, n STRING)",
                    "(k STRING, n STRING, ts AS TO_TIMESTAMP(n), WATERMARK FOR ts AS ts)")
            + "SET 'table.local-time-zone' = 'UTC';\nSELECT ts FROM m;";
    CommandRunner first = script(script);
    first.run("run", "job.sql");
    Matcher hint = Pattern.compile("; write (.*\\)): k=").matcher(first.err());
    assertThat(hint.find()).as(first.err()).isTrue();
    CommandRunner second = script(script.replace("TO_TIMESTAMP(n)", hint.group(1)));
    assertThat(second.run("run", "job.sql", "--output", "json")).as(second.err()).isZero();
    assertThat(second.out()).contains("2026-03-01 10:00:03");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-03-01T11:00:03+01:00",
        "2026-03-01T10:00:03.25Z",
        "2026-03-01T05:00:03.5-05:00"
      })
  void isoTimesWithAZoneAreUnderstoodInJson(String time) throws IOException {
    String row = "{\"k\":\"a\",\"n\":\"%s\"}\n".formatted(time);
    Files.writeString(directory.resolve("m.csv"), row);
    String script =
        TABLES.replace("'m.csv', 'format' = 'csv'", "'m.csv', 'format' = 'json'")
            + "SET 'table.local-time-zone' = 'UTC';\nSELECT %s FROM m;";
    if (!time.endsWith("Z")) {
      CommandRunner first =
          script(
              script
                  .formatted("ts")
                  .replace(
                      "(k STRING, n STRING)",
                      "(k STRING, n STRING, ts AS TO_TIMESTAMP(n), WATERMARK FOR ts AS ts)"));
      first.run("run", "job.sql");
      assertThat(first.err())
          .contains(
              "; declare `n` TIMESTAMP_LTZ(3), with 'json.timestamp-format.standard' = 'ISO-8601'");
    }
    CommandRunner second =
        script(
            script
                .formatted("n")
                .replace(
                    "(k STRING, n STRING)", "(k STRING, n TIMESTAMP_LTZ(3), WATERMARK FOR n AS n)")
                .replace("'json',", "'json', 'json.timestamp-format.standard' = 'ISO-8601',"));
    assertThat(second.run("run", "job.sql", "--output", "json")).as(second.err()).isZero();
    assertThat(second.out()).contains("2026-03-01 10:00:03");
  }

  /** One clock of 2099 must not make all that comes after it late. */
  @Test
  void aReadingOfTheFutureIsMalformedAndMakesNoOtherLate() throws IOException {
    Instant start = Instant.now().minusSeconds(100);
    Files.createDirectory(directory.resolve("in"));
    StringBuilder lines = new StringBuilder("wrong,2099-01-01 00:00:00Z\n");
    for (int i = 0; i < 4; i++) {
      lines.append("right,").append(text(start.plusSeconds(10L * i))).append('\n');
    }
    Files.writeString(directory.resolve("in/m.csv"), lines);
    CommandRunner runner =
        script(
            TABLES
                    .replace("'m.csv'", "'in', 'source.monitor-interval' = '100 ms'")
                    .replace(
                        "(k STRING, n STRING)",
                        "(k STRING, n TIMESTAMP_LTZ(3), WATERMARK FOR n AS n)")
                + "SELECT k, COUNT(*) FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(n), INTERVAL '1'"
                + " SECOND)) GROUP BY k, window_start, window_end LIMIT 3;");
    assertThat(runner.run("run", "job.sql", "--output", "json", "--duration", "30 s"))
        .as(runner.err())
        .isZero();
    assertThat(runner.out().lines().filter("{\"k\":\"right\",\"EXPR$1\":1}"::equals)).hasSize(3);
    assertThat(runner.err())
        .contains("table m: a reading is ahead of the clock: ")
        .contains("the event time `n` is 2099-01-01T00:00:00Z, and now none after ")
        .contains("put the clock of k 'wrong' right")
        .containsPattern("malformed +1\n");
    assertThat(wrong()).contains("k='wrong', n=2099-01-01T00:00:00Z");
  }

  /** Files are as old as they are, or as young. */
  @Test
  void aFileThatEndsMayBeOfTheFuture() throws IOException {
    Files.writeString(directory.resolve("m.csv"), "a,2099-01-01 00:00:00Z\n");
    CommandRunner runner =
        script(
            TABLES.replace(
                    "(k STRING, n STRING)", "(k STRING, n TIMESTAMP_LTZ(3), WATERMARK FOR n AS n)")
                + "SELECT k FROM m;");
    assertThat(runner.run("run", "job.sql", "--output", "json")).as(runner.err()).isZero();
    assertThat(runner.out()).contains("a");
  }

  /** As CSV has it. */
  private static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
  }

  @Test
  void aFileOfWhichNoLineCanBeReadFails() throws IOException {
    Files.writeString(directory.resolve("m.csv"), "a,10,2\n".repeat(40));
    CommandRunner runner = script(TABLES + QUERY);
    assertThat(runner.run("run", "job.sql")).isEqualTo(2);
    assertThat(runner.err())
        .contains("nothing of the input could be read")
        .contains("40 payloads or rows")
        .contains("(USER NOTHING_READ)");
  }
}
