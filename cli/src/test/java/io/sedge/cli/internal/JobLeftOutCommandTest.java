package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a job of a site has left out, asked of each of its devices. */
@Timeout(300)
class JobLeftOutCommandTest {
  private static final String SCRIPT =
      """
      CREATE TABLE readings (a INT) WITH (
        'connector' = 'filesystem', 'path' = 'in', 'format' = 'csv',
        'source.monitor-interval' = '100 ms');
      CREATE TABLE nowhere (a INT) WITH ('connector' = 'blackhole');
      INSERT INTO nowhere SELECT a FROM readings;
      """;

  private static final int FAILING = 70;

  @TempDir Path directory;
  private DeviceRunner devices = new DeviceRunner(Path.of(""));

  /** The job runs on a. */
  @BeforeEach
  void start() throws Exception {
    devices = new DeviceRunner(directory);
    devices.startTwo("bee");
    devices.run(0, "device drain bee --no-wait --data a");
    Files.createDirectory(directory.resolve("in"));
    Files.writeString(directory.resolve("job.sql"), SCRIPT);
    devices.run(0, "job submit job.sql --data a");
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private CommandRunner run(String commandLine) {
    return devices.run(0, commandLine);
  }

  /** On a busy machine a device may take longer than it is waited for. */
  private String heard(String commandLine) {
    CommandRunner runner = run(commandLine);
    while (runner.out().isEmpty() || !runner.err().isEmpty()) {
      LockSupport.parkNanos(20_000_000);
      runner = run(commandLine);
    }
    return runner.out();
  }

  @Test
  void eachReasonIsToldWithTheDevicesAndTheFirstSample() throws Exception {
    while (!run("job left-out job --data a").err().equals("sedge: nothing was left out\n")) {
      LockSupport.parkNanos(20_000_000);
    }
    Files.writeString(directory.resolve("in/1.csv"), "1\n\u001b[31mhot\n2\nwarm\n");
    for (String data : new String[] {"a", "b"}) {
      assertThat(heard("job left-out job --data " + data))
          .startsWith("table readings: payloads malformed: 2, on a\n  reason: ")
          .endsWith("\n  sample: ·[31mhot\n");
    }
    JsonNode object = new ObjectMapper().readTree(heard("job left-out job --data a --output json"));
    assertThat(object.path("table").asText()).isEqualTo("readings");
    assertThat(object.path("what").asText()).isEqualTo("PAYLOAD");
    assertThat(object.path("count").asLong()).isEqualTo(2);
    assertThat(object.path("devices").toString()).isEqualTo("[\"a\"]");
    assertThat(object.has("kind")).as("it is not for people").isFalse();
    assertThat(devices.run(2, "job left-out nothing --data a").err())
        .contains("no job called nothing");
  }

  /** Each INSERT fails at a place of its own, with a long sample. */
  @Test
  void whatHasNoRoomIsCountedForPeopleAndForPrograms() throws Exception {
    StringBuilder script =
        new StringBuilder(
            SCRIPT
                .substring(0, SCRIPT.indexOf("INSERT"))
                .replace("(a INT)", "(a INT, note STRING)"));
    for (int i = 1; i <= FAILING; i++) {
      script.append("INSERT INTO nowhere SELECT %d / a, note FROM readings;\n".formatted(i));
    }
    Files.writeString(directory.resolve("many.sql"), script);
    devices.run(0, "job submit many.sql --data a");
    Files.writeString(directory.resolve("in/1.csv"), "0," + "x".repeat(500) + "\n");
    CommandRunner runner = run("job left-out many --data a --output json");
    while (reasons(runner) + others(runner) < FAILING) {
      LockSupport.parkNanos(20_000_000);
      runner = run("job left-out many --data a --output json");
    }
    assertThat(others(runner)).isPositive();
    assertThat(runner.err())
        .contains("sedge: %d more were left out, for further reasons".formatted(others(runner)));
  }

  private static long reasons(CommandRunner runner) {
    return runner.out().lines().filter(line -> line.contains("\"reason\"")).count();
  }

  private static int others(CommandRunner runner) throws Exception {
    String last = runner.out().lines().reduce("", (_, line) -> line);
    return last.startsWith("{\"others\"")
        ? new ObjectMapper().readTree(last).path("others").asInt()
        : 0;
  }

  @Test
  void aDeviceThatIsDownIsNamedAndTheOthersAreHeard() throws Exception {
    Files.writeString(directory.resolve("in/1.csv"), "hot\n");
    heard("job left-out job --data a");
    devices.stopLast();
    CommandRunner runner = run("job left-out job --data a");
    assertThat(runner.err())
        .startsWith("sedge: device bee cannot be asked: ")
        .endsWith("; its part is missing" + System.lineSeparator())
        .hasLineCount(1);
    assertThat(runner.out()).startsWith("table readings: payloads malformed: 1, on a\n");
  }
}
