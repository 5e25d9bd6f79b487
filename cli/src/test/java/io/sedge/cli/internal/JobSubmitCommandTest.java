package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class JobSubmitCommandTest {
  @TempDir Path directory;
  private DeviceRunner devices;

  @BeforeEach
  void start() {
    devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a --listen 127.0.0.1");
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  /** Who mends a script that failed, or runs it once a day, need not invent names. */
  @Test
  void aJobThatHasEndedGivesItsNameToTheNextOne() throws Exception {
    String script =
        """
        CREATE TABLE readings (a INT) WITH (
          'connector' = 'filesystem', 'path' = 'in', 'format' = 'csv',
          'source.monitor-interval' = '1 s');
        CREATE TABLE nowhere (a INT) WITH ('connector' = 'blackhole');
        INSERT INTO nowhere SELECT a FROM readings WHERE a > %d;
        """;
    Files.createDirectory(directory.resolve("in"));
    Files.writeString(directory.resolve("job.sql"), script.formatted(1));
    assertThat(devices.run(0, "job submit job.sql --data a").err()).doesNotContain("had ended");
    assertThat(devices.run(2, "job submit job.sql --data a").err())
        .contains("there is a job called job already, which is RUNNING")
        .contains("sedge job stop job")
        .contains("(USER NAME_TAKEN)");
    devices.run(0, "job stop job --data a");
    Files.writeString(directory.resolve("job.sql"), "SELECT nothing;");
    devices.run(2, "job submit job.sql --data a");
    assertThat(devices.run(0, "job list --data a").out())
        .as("a script that is not accepted takes nothing away")
        .contains("stopped");
    Files.writeString(directory.resolve("job.sql"), script.formatted(2));
    assertThat(devices.run(0, "job submit job.sql --data a").err())
        .contains("job job had ended; it and its state are gone");
    assertThat(devices.run(0, "job list --data a --output json").out())
        .contains("\"state\":\"RUNNING\"");
  }

  private static final String SUMS =
      """
      CREATE TABLE readings (k STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
        'connector' = 'filesystem', 'path' = 'in', 'format' = 'csv',
        'source.monitor-interval' = '100 ms');
      CREATE TABLE sums (b TIMESTAMP(3), s INT) WITH (
        'connector' = 'filesystem', 'path' = 'out', 'format' = 'csv');
      SET 'sedge.commit-interval' = '10 ms';
      """;

  private static final String QUERY =
      """
      INSERT INTO sums SELECT window_start, SUM(n)
        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY window_start, window_end;
      """;

  private void await(String commandLine, String pattern) {
    while (!devices.run(0, commandLine).out().matches("(?s).*(" + pattern + ").*")) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private String rows() throws IOException {
    StringBuilder rows = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("out"))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (!file.getFileName().toString().startsWith(".")) {
          rows.append(Files.readString(file));
        }
      }
    }
    return rows.toString();
  }

  /** The window that is open has what the first script has read, and what the second one reads. */
  @Test
  void aJobThatIsReplacedGoesOnWithItsOpenWindow() throws Exception {
    Files.createDirectory(directory.resolve("in"));
    Files.createDirectory(directory.resolve("out"));
    Files.writeString(
        directory.resolve("in/1.csv"), "a,1,1970-01-01 00:00:01\na,2,1970-01-01 00:00:02\n");
    Files.writeString(directory.resolve("job.sql"), SUMS + QUERY);
    devices.run(0, "job submit job.sql --data a");
    await("site status --data a --output json", "\"shard\":\"all\"[^}]*\"commits\":[1-9]");
    String next =
        SUMS
            + """
            CREATE TABLE nowhere (k STRING, c BIGINT) WITH ('connector' = 'blackhole');
            INSERT INTO nowhere SELECT k, COUNT(*) FROM readings GROUP BY k;
            """
            + QUERY;
    Files.writeString(directory.resolve("job.sql"), next);
    CommandRunner dry = devices.run(0, "job submit job.sql --replace --dry-run --data a");
    assertThat(dry.err()).contains("nothing was changed");
    assertThat(dry.out())
        .isEqualTo(
            """
            replacing job job (version 1)
              kept
                all: table readings
                  is read on from the last commit
                all: WindowAggregate TUMBLE(10 s) over ts: SUM(n)
                  goes on with what it has
                delivery: sink sums
                  is written on; the numbers of its rows go on
              begins anew
                all: GroupAggregate by k: COUNT(*)
                  it is new, or it or what feeds it was changed: it begins empty, with what is read from now on
                delivery: sink nowhere
                  is new
              dropped: nothing
            """);
    assertThat(devices.run(0, "job list --data a --output json").out()).contains("\"version\":1");
    CommandRunner done = devices.run(0, "job submit job.sql --replace --data a");
    assertThat(done.out()).isEqualTo(dry.out());
    assertThat(done.err()).contains("job job is replaced");
    assertThat(devices.run(0, "job list --data a --output json").out()).contains("\"version\":2");
    Files.writeString(
        directory.resolve("in/2.csv"), "a,4,1970-01-01 00:00:03\na,9,1970-01-01 00:00:20\n");
    await("job list --data a --output json", "\"rows\":[1-9]\\d*,\"waitingRows\":0");
    devices.run(0, "job stop job --data a");
    await(
        "site status --data a --output json",
        "\"tasks\":\\[\\]|\"shard\":\"delivery\",\"device\":\"\"");
    assertThat(rows().lines()).singleElement().asString().endsWith(",7");
  }

  @Test
  void whatCannotBeReplacedIsSaidAndChangesNothing() throws Exception {
    Files.createDirectory(directory.resolve("in"));
    Files.writeString(directory.resolve("job.sql"), SUMS + QUERY);
    assertThat(devices.run(2, "job submit job.sql --dry-run --data a").err())
        .contains("so it needs --replace")
        .contains("(USER USAGE)");
    assertThat(devices.run(2, "job submit job.sql --replace --wait --data a").err())
        .contains("--wait and --replace do not go together");
    assertThat(devices.run(2, "job submit job.sql --replace --data a").err())
        .contains("there is no job called job; there are: none")
        .contains("(USER UNKNOWN_NAME)");
    devices.run(0, "job submit job.sql --data a");
    await("site status --data a --output json", "\"shard\":\"delivery\"");
    assertThat(devices.run(0, "job submit job.sql --replace --data a").out())
        .isEqualTo("job job has this script already: nothing is replaced\n");
    Files.writeString(directory.resolve("job.sql"), "SELECT nothing;");
    assertThat(devices.run(2, "job submit job.sql --replace --data a").err())
        .contains("there is no column `nothing`");
    Files.writeString(
        directory.resolve("job.sql"),
        "SET 'execution.runtime-mode' = 'batch';\n"
            + (SUMS + QUERY)
                .replace(
                    "'source.monitor-interval' = '100 ms'", "'csv.ignore-parse-errors' = 'true'"));
    assertThat(devices.run(2, "job submit job.sql --replace --data a").err())
        .contains("in batch mode the input is cut into parts once");
    devices.run(0, "job stop job --data a");
    Files.writeString(directory.resolve("job.sql"), SUMS + QUERY + "-- changed");
    assertThat(devices.run(2, "job submit job.sql --replace --data a").err())
        .contains("job job has ended (STOPPED)")
        .contains("(USER NOT_NOW)");
    assertThat(devices.run(0, "job list --data a --output json").out()).contains("\"version\":1");
  }
}
