package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the devices of a site have said, asked of one of them. */
@Timeout(300)
class JobLogsCommandTest {
  private static final long DEADLINE_NANOS = Duration.ofMinutes(3).toNanos();

  @TempDir Path directory;
  private DeviceRunner devices = new DeviceRunner(Path.of(""));

  @BeforeEach
  void start() throws Exception {
    devices = new DeviceRunner(directory);
    devices.startTwo("bee");
    until(() -> run(0, "job logs --data a").out().contains("Z bee "));
  }

  private static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (!condition.call()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(20_000_000);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private CommandRunner run(int exitCode, String commandLine) {
    return devices.run(exitCode, commandLine);
  }

  /** On a busy machine a device may take longer than it is waited for. */
  private CommandRunner heard(String commandLine) {
    CommandRunner runner = run(0, commandLine);
    while (!runner.err().isEmpty()) {
      runner = run(0, commandLine);
    }
    return runner;
  }

  private static List<String> devicesOf(CommandRunner shown) {
    return shown.out().lines().map(line -> line.split(" +", 3)[1]).distinct().sorted().toList();
  }

  @Test
  void eachLineHasTheNameOfItsDeviceAndTheyAreInTheOrderOfTime() throws Exception {
    assertThat(devicesOf(heard("job logs --data b"))).containsExactly("a", "bee");
    CommandRunner all = heard("job logs --data a");
    assertThat(devicesOf(all)).containsExactly("a", "bee");
    assertThat(all.out().lines())
        .allMatch(line -> line.matches("[0-9-]+T[0-9:.]+Z (a  |bee) (info   |warning|error  ) .+"))
        .isSorted();
    assertThat(devicesOf(heard("job logs --data a --device bee"))).containsExactly("bee");
    assertThat(devicesOf(heard("job logs --data b --device bee"))).containsExactly("bee");
    assertThat(run(2, "job logs --data a --device x").err())
        .contains("there is no device called x; there are: a, bee (USER UNKNOWN_NAME)");
    assertThat(run(2, "job logs nothing --data a").err()).contains("no job called nothing");

    List<JsonNode> objects = new ArrayList<>();
    for (String line : heard("job logs --data a --output json").out().lines().toList()) {
      objects.add(new ObjectMapper().readTree(line));
    }
    assertThat(objects)
        .anyMatch(object -> object.get("device").asText().equals("a"))
        .anyMatch(object -> object.get("device").asText().equals("bee"))
        .allMatch(
            object ->
                object.get("number").asLong() > 0
                    && object.get("atMillis").asLong() > 0
                    && object.get("severity").isTextual()
                    && object.get("task").asText().isEmpty()
                    && object.get("message").isTextual());
  }

  @Test
  void aDeviceThatIsDownIsNamedOnceAndHeardAgainWhenItIsBack() throws Exception {
    devices.stopLast();
    CommandRunner once = run(0, "job logs --data a");
    assertThat(once.err())
        .startsWith("sedge: device bee cannot be asked: ")
        .endsWith("; its part is missing" + System.lineSeparator())
        .hasLineCount(1);
    assertThat(devicesOf(once)).containsExactly("a");
    assertThat(run(0, "job logs --data a --device bee").out()).isEmpty();
    JsonNode told =
        new ObjectMapper()
            .readTree(run(0, "job logs --data a --device bee --output json").out().strip());
    assertThat(told.get("device").asText()).isEqualTo("bee");
    assertThat(once.err()).contains("bee cannot be asked: " + told.get("unavailable").asText());

    CommandRunner following = new CommandRunner(directory);
    Thread thread =
        Thread.ofPlatform()
            .name("follow")
            .start(() -> following.run("job", "logs", "-f", "--data", "a"));
    until(() -> following.err().contains("device bee cannot be asked"));
    assertThat(following.out()).doesNotContain("Z bee ");
    devices.start("device start --data b");
    until(() -> following.out().contains("Z bee "));
    assertThat(following.err()).hasLineCount(1);
    assertThat(following.out().lines().distinct().count())
        .as("no line is shown twice")
        .isEqualTo(following.out().lines().count());
    following.interrupt();
    thread.join();
  }
}
