package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one script keeps another reads, through all that lies between a script and the disk. */
@Timeout(120)
class HistoryTest {
  private static final String KEEP =
      """
      CREATE TABLE numbers (n BIGINT, ts TIMESTAMP(3), doubled AS n * 2) WITH (
        'connector' = 'datagen', 'number-of-rows' = '20000',
        'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '20000',
        'keep' = '7 d', 'keep.bytes' = '1 mb', 'keep.reserve' = '0 b'%s);
      CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'blackhole');
      INSERT INTO nowhere SELECT n FROM numbers WHERE n < 0;
      """;
  private static final String ASK =
      """
      CREATE TABLE past (n BIGINT) WITH ('connector' = 'history', 'table' = 'numbers'%s);
      SELECT COUNT(*) AS c, MIN(n) AS lo, MAX(n) AS hi, SUM(n) AS total FROM past;
      """;

  @TempDir private Path directory;

  private CommandRunner run(String script, String... more) throws IOException {
    Files.writeString(directory.resolve("plant.sql"), script);
    CommandRunner runner = new CommandRunner(directory);
    String[] arguments = new String[more.length + 4];
    System.arraycopy(new String[] {"run", "plant.sql", "--data", "d"}, 0, arguments, 0, 4);
    System.arraycopy(more, 0, arguments, 4, more.length);
    int code = runner.run(arguments);
    assertThat(code).as(runner.err()).isZero();
    return runner;
  }

  @Test
  void whatOneScriptHasKeptAnotherReads() throws IOException {
    run(KEEP.formatted(""));
    assertThat(directory.resolve("d/history/plant/numbers/all")).isDirectory();
    assertThat(run(ASK.formatted(""), "--output", "json").out().lines())
        .last()
        .asString()
        .contains("\"c\":20000,\"lo\":1,\"hi\":20000,\"total\":200010000");
  }

  /** Nothing of it is there for who does not ask for it. */
  @Test
  void withoutKeepNothingIsWritten() throws IOException {
    run(KEEP.formatted("").replaceAll("'keep.*\\)", "'rows-per-second' = '1000000')"));
    assertThat(directory.resolve("d")).doesNotExist();
  }

  @Test
  void anIntervalMayBeAskedFor() throws IOException {
    run(KEEP.formatted(""));
    String future = ", 'scan.from' = '2999-01-01'";
    assertThat(run(ASK.formatted(future), "--output", "json").out()).doesNotContain("\"c\":20000");
    assertThat(run(ASK.formatted(", 'scan.last' = '1 h'"), "--output", "json").out())
        .contains("\"c\":20000");
  }

  /** The same condition, once as one that bounds what is read and once as one that does not. */
  @Test
  void aFilterSavesReadingAndChangesNoResult() throws IOException {
    LocalDateTime begin = LocalDateTime.of(2026, 1, 1, 0, 0);
    String numbers =
        IntStream.range(0, 20_000)
            .mapToObj(n -> "%d,%tF %<tT".formatted(n, begin.plusSeconds(n)))
            .collect(Collectors.joining("\n"));
    Files.writeString(directory.resolve("numbers.csv"), numbers);
    run(
        """
        CREATE TABLE numbers (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
          'connector' = 'filesystem', 'path' = 'numbers.csv', 'format' = 'csv',
          'keep' = '7 d', 'keep.bytes' = '1 mb', 'keep.reserve' = '0 b');
        CREATE TABLE nowhere (n BIGINT) WITH ('connector' = 'blackhole');
        INSERT INTO nowhere SELECT n FROM numbers WHERE n < 0;
        """);
    String windows =
        """
        CREATE TABLE past (n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
        WITH ('connector' = 'history', 'table' = 'numbers');
        SELECT window_end, COUNT(*), SUM(n)
        FROM TABLE(TUMBLE(TABLE past, DESCRIPTOR(ts), INTERVAL '10' MINUTE))
        WHERE %s BETWEEN TIMESTAMP '2026-01-01 02:03:04' AND TIMESTAMP '2026-01-01 02:44:44'
        GROUP BY window_start, window_end;
        """;
    CommandRunner bounded = run(windows.formatted("ts"), "--output", "json");
    CommandRunner whole = run(windows.formatted("ts + INTERVAL '0' SECOND"), "--output", "json");
    assertThat(bounded.out()).isEqualTo(whole.out()).hasLineCount(5);
    assertThat(bounded.err()).contains("readings in    2,501 ");
    assertThat(whole.err()).contains("readings in    20,000 ");
  }

  @Test
  void explainSaysWhatIsKept() throws IOException {
    Files.writeString(directory.resolve("plant.sql"), KEEP.formatted(", 'keep.time' = 'ts'"));
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("explain", "plant.sql")).as(runner.err()).isZero();
    assertThat(runner.out())
        .contains("is kept on the device that reads it for 7 d, in up to 1 MB, by `ts`");
  }

  private String check(String script) throws IOException {
    Files.writeString(directory.resolve("plant.sql"), script);
    CommandRunner runner = new CommandRunner(directory);
    assertThat(runner.run("check", "plant.sql")).isEqualTo(2);
    return runner.err() + runner.out();
  }

  @Test
  void whatIsWrongIsRefusedWhereItStandsWithWhatToWrite() throws IOException {
    assertThat(check(KEEP.formatted(", 'keep.time' = 'n'")))
        .contains("plant.sql:1:14")
        .contains(
            "table numbers: 'keep.time' = 'n' is no TIMESTAMP or TIMESTAMP_LTZ column of the"
                + " connector, which has `ts`");
    assertThat(check(KEEP.formatted("").replace("'keep' = '7 d', ", "")))
        .contains("table numbers: what is kept needs 'keep' = '7 d' or another duration");
    assertThat(check(KEEP.formatted("").replace("7 d", "a week")))
        .contains(
            "table numbers: 'keep' = 'a week' is not a duration; write it as 500 ms, 5 s, 1 min, 2"
                + " h or 7 d");
    assertThat(check(KEEP.formatted("").replace("1 mb", "10 kb")))
        .contains("table numbers: 'keep.bytes' = '10 kb' is less than 1 mb");
    assertThat(check(ASK.formatted(", 'scan.from' = 'yesterday'")))
        .contains("'scan.from' = 'yesterday' is no instant; write it as 2026-11-21 08:00:00");
    assertThat(check(ASK.formatted(", 'scan.from' = '2026-01-02', 'scan.to' = '2026-01-01'")))
        .contains("'scan.to' = '2026-01-01' is not after where reading begins");
  }
}
