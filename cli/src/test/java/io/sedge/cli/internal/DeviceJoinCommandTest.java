package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class DeviceJoinCommandTest {
  @TempDir Path directory;
  private DeviceRunner devices;

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  /** A device that is down keeps its address, though its ports look free. */
  @Test
  void aNewcomerTriesTheNextPortsWhereTheSiteHasItsOwnAlready() throws Exception {
    devices = new DeviceRunner(directory);
    devices.startTwo("b");
    join("c");
    String taken = address("c");
    devices.stopLast();
    join("d");
    assertThat(address("d")).isNotEqualTo(taken);
  }

  private void join(String name) throws Exception {
    String[] command = devices.run(0, "device token --data a").out().strip().split(" ", -1);
    Files.writeString(directory.resolve("token"), command[5]);
    devices.start(
        "device join %s --token-file token --data %s --name %s".formatted(command[3], name, name));
  }

  private String address(String name) throws Exception {
    return Files.readAllLines(directory.resolve(name).resolve("device.properties")).stream()
        .filter(line -> line.startsWith("port="))
        .findFirst()
        .orElseThrow();
  }
}
