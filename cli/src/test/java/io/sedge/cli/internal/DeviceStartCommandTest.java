package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.Device;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class DeviceStartCommandTest {
  @TempDir Path directory;
  private DeviceRunner devices;

  @BeforeEach
  void begin() {
    devices = new DeviceRunner(directory);
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private int port(String data) throws Exception {
    return Device.in(directory.resolve(data)).orElseThrow().port();
  }

  /** Each of them finds the same ports free. */
  @Test
  void devicesThatAreStartedAtOnceTakePortsOfTheirOwn() throws Exception {
    List<String> names = List.of("a", "b", "c");
    devices.startAtOnce(
        names.stream()
            .map("device start --data %1$s --name %1$s"::formatted)
            .toArray(String[]::new));
    assertThat(Stream.of(port("a"), port("b"), port("c"))).doesNotHaveDuplicates();
  }

  @Test
  void aPortThatSomebodyHasNamedIsTheOnlyOneThatIsTried() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CommandRunner device = new CommandRunner(directory);
      int exitCode =
          device.run("device", "start", "--data=a", "--listen=127.0.0.1:" + other.getLocalPort());
      assertThat(exitCode).isNotZero();
      assertThat(device.err())
          .contains("cannot listen at 127.0.0.1:" + other.getLocalPort())
          .doesNotContain("trying");
    }
  }

  /** Nobody knows of it yet. */
  @Test
  void aDeviceThatCouldNotListenAtItsFirstStartFindsOtherPortsAtTheNext() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int taken = other.getLocalPort();
      assertThat(
              new CommandRunner(directory)
                  .run("device", "start", "--data=a", "--listen=127.0.0.1:" + taken))
          .isNotZero();
      devices.start("device start --data a");
      assertThat(port("a")).isNotEqualTo(taken);
    }
  }

  /** What is no terminal may be a log. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFirstTokenIsShownInATerminalAlone(boolean terminal) throws Exception {
    CommandRunner device = new CommandRunner(directory);
    if (terminal) {
      device.inTerminal();
    }
    Thread running = Thread.ofPlatform().start(() -> device.run("device", "start", "--data", "a"));
    await(device, running, "it runs until Ctrl-C");
    assertThat(device.err().contains(" --token sedge-")).isEqualTo(terminal);
    assertThat(device.err().contains("to add a device: sedge device token --data "))
        .isNotEqualTo(terminal);
    device.interrupt();
    running.join();
  }

  /** It comes back with the command that it names, which has none. */
  @Test
  void labelsAreKeptUntilAStartNamesOthers() throws Exception {
    String start = "device start --data a --name a --listen 127.0.0.1:" + freePorts();
    Map<String, String> both = Map.of("zone", "north", "line", "3");
    assertThat(labelsAfter(start + " --label zone=north --label line=3")).isEqualTo(both);
    assertThat(labelsAfter(start)).isEqualTo(both);
    assertThat(labelsAfter(start + " --label zone=south")).isEqualTo(Map.of("zone", "south"));
    assertThat(labelsAfter(start + " --label=off")).isEmpty();
    assertThat(labelsAfter(start)).isEmpty();
  }

  private Map<String, String> labelsAfter(String start) throws Exception {
    devices.start(start);
    Map<String, String> kept = Device.in(directory.resolve("a")).orElseThrow().labels();
    String status = devices.run(0, "site status --data a").out();
    assertThat(status.contains("zone=")).isEqualTo(kept.containsKey("zone"));
    kept.forEach((label, value) -> assertThat(status).contains(label + "=" + value));
    devices.stop();
    return kept;
  }

  @Test
  void aJobThatNoDeviceHasTheLabelsForSaysSo() throws Exception {
    Files.writeString(
        directory.resolve("lab.sql"),
        """
        SET 'sedge.labels' = 'zone=nort';
        CREATE TABLE numbers (n INT) WITH ('connector' = 'datagen');
        CREATE TABLE nothing (n INT) WITH ('connector' = 'blackhole');
        INSERT INTO nothing SELECT n FROM numbers;
        """);
    devices.start("device start --data a --name a --label zone=north");
    assertThat(devices.run(0, "job submit --data a lab.sql").err()).doesNotContain("error");
    String why = "runs nowhere: a lacks zone=nort (it has zone=north)";
    while (!devices.run(0, "job list --data a").out().contains(why)) {
      LockSupport.parkNanos(20_000_000);
    }
    assertThat(devices.run(0, "site status --data a --output json").out()).contains(why);
    assertThat(devices.run(0, "site why lab/all --data a").out())
        .contains("lab/all runs nowhere; nothing is measured of it yet");
  }

  /** As Kubernetes does: one command for all, tokens in a file that comes later. */
  @Test
  void devicesOfOneCommandBeginASiteAndJoinIt() throws Exception {
    int first = freePorts();
    int second = freePorts();
    String join =
        " --join 127.0.0.1:%d,127.0.0.1:%d --token-file tokens".formatted(first + 1, second + 1);
    String startA = "device start --data a --name a --listen 127.0.0.1:" + first + join;
    String startB = "device start --data b --name b --listen 127.0.0.1:" + second + join;
    CommandRunner b = new CommandRunner(directory);
    Thread waiting = Thread.ofPlatform().start(() -> b.run(startB.split(" ")));
    devices.start(startA);
    await(b, waiting, "waiting for a token in tokens");
    Files.writeString(
        directory.resolve("tokens"), devices.run(0, "device token --data a --count 2").out());
    assertThat(devices.run(0, "device token --data a --count 2 --output json").out().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("{\"text\":\""));
    await(b, waiting, "it runs until Ctrl-C");
    assertThat(b.err()).doesNotContain("--token sedge-");
    assertThat(devices.run(0, "site status --data a").out()).contains("a", "b");
    b.interrupt();
    waiting.join();
    devices.start(startB); // It has a site now.
  }

  /** Two, of those that systems give to nobody who connects. */
  private static int freePorts() throws IOException {
    while (true) {
      int port = 20_000 + 2 * ThreadLocalRandom.current().nextInt(6_000);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
          ServerSocket _ = new ServerSocket(port + 1, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException _) {
        // Somebody has one of them.
      }
    }
  }

  private static void await(CommandRunner device, Thread thread, String text) {
    while (!device.err().contains(text)) {
      assertThat(thread.isAlive()).as(device.err()).isTrue();
      LockSupport.parkNanos(20_000_000);
    }
  }
}
