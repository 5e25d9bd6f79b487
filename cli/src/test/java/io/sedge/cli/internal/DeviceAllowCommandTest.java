package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a script on a site may touch: what the device allows, which the user's own run need not. */
@Timeout(300)
class DeviceAllowCommandTest {
  @TempDir Path root;
  private Path directory;
  private Path outside;
  private DeviceRunner devices;

  @BeforeEach
  void start() throws Exception {
    directory = Files.createDirectories(root.resolve("started"));
    outside = Files.createDirectories(root.resolve("outside")).toRealPath();
    devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a --listen 127.0.0.1");
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private void write(String script, Path input) throws Exception {
    Files.writeString(
        directory.resolve(script),
        """
        CREATE TABLE readings (a INT) WITH (
          'connector' = 'filesystem', 'path' = '%s', 'format' = 'csv',
          'source.monitor-interval' = '1 s');
        CREATE TABLE nowhere (a INT) WITH ('connector' = 'blackhole');
        INSERT INTO nowhere SELECT a FROM readings;
        """
            .formatted(input));
  }

  @Test
  void aScriptThatNamesADirectoryOutsideIsRefusedUntilItIsAllowed() throws Exception {
    write("job.sql", outside);
    assertThat(devices.run(2, "job submit job.sql --data a").err())
        .contains("table readings: 'path': jobs may not read " + outside + " on device a")
        .contains("sedge device allow " + outside + " --read-only")
        .contains("(USER TABLE_NOT_ACCEPTED)");
    assertThat(devices.run(0, "device allow --data a").out())
        .isEqualTo("read, write  " + directory + System.lineSeparator());
    devices.run(0, "device allow ../outside --read-only --data a");
    assertThat(devices.run(0, "device allow --data a --output json").out())
        .contains("{\"directory\":\"" + outside + "\",\"writable\":false}");
    devices.run(0, "job submit job.sql --data a");
    devices.run(0, "device disallow " + outside + " --data a");
    assertThat(devices.run(2, "device disallow " + outside + " --data a").err())
        .contains("device a does not allow " + outside);
  }

  @Test
  void aScriptCannotReadTheKeysOfADevice() throws Exception {
    write("job.sql", directory.resolve("a/authority"));
    assertThat(devices.run(2, "job submit job.sql --data a").err())
        .contains("is in the data directory of a device, which jobs never use");
  }
}
