package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.Device;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
}
