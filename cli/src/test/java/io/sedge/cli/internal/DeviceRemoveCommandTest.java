package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Removing a device whose task has no other place, since it reads that device itself. */
@Timeout(120)
class DeviceRemoveCommandTest {
  private static final String SCRIPT =
      """
      CREATE TABLE sensors (quantity STRING, reading DOUBLE)
        WITH ('connector' = 'host', 'sampling.rate' = '1 Hz');
      CREATE TABLE nowhere (quantity STRING, reading DOUBLE) WITH ('connector' = 'blackhole');
      INSERT INTO nowhere SELECT quantity, reading FROM sensors;
      """;

  @TempDir Path directory;
  private DeviceRunner devices = new DeviceRunner(Path.of(""));

  @BeforeEach
  void start() throws IOException {
    devices = new DeviceRunner(directory);
    devices.startTwo("b");
    Files.writeString(directory.resolve("job.sql"), SCRIPT);
    devices.run(0, "job submit job.sql --name job --data a");
    while (!devices
        .run(0, "site status --data a --output json")
        .out()
        .contains("\"device\":\"b\",\"epoch\"")) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  /** A script that waits for what never comes is worse than one that fails. */
  @Test
  void whereNobodyWatchesItIsDrainedAndNotWaitedFor() {
    assertThat(devices.run(2, "device remove b --data a").err())
        .contains("device b is being drained, and has ", ": remove it when it has none");
    assertThat(
            DeviceRunner.run(
                    new CommandRunner(directory).inTerminal(),
                    2,
                    "device remove b --no-wait --data a")
                .err())
        .contains("device b is being drained, and has ", ": remove it when it has none");
    assertThat(devices.run(0, "site status --data a").out()).contains("draining");
  }
}
