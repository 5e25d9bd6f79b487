package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.site.Device;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A device comes back as it was, also to whoever has its page open. */
@Timeout(300)
class DeviceConsoleTest {
  @TempDir private Path directory;
  private DeviceRunner devices;

  @BeforeEach
  void make() {
    devices = new DeviceRunner(directory);
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  @Test
  void aConsoleIsKeptForLaterStartsUntilItIsTurnedOff() throws Exception {
    devices.start("device start --data a --name a --listen 127.0.0.1 --console");
    devices.untilSaid("console at http://127.0.0.1:");
    devices.stopLast();
    devices.start("device start --data a");
    devices.untilSaid("console at http://127.0.0.1:");
    assertThat(devices.run(0, "device console --data a").out()).contains("http://127.0.0.1:");
    devices.stopLast();
    devices.start("device start --data a --console=off");
    devices.run(3, "device console --data a");
    assertThat(Device.in(directory.resolve("a")).orElseThrow().console()).isEmpty();
    devices.stopLast();
    devices.start("device start --data a");
    devices.run(3, "device console --data a");
  }
}
