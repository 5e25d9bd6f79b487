package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
}
