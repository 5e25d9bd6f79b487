package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
        .contains("k='b', n='2026-03-01T10:00:03Z', ts=NULL")
        .contains("table m: 1 more rows dropped")
        .containsPattern("dropped +2\n")
        .containsPattern("malformed +0\n");
    assertThat(wrong().lines())
        .hasSize(2)
        .allMatch(line -> line.contains("event time `ts` is NULL"));
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
