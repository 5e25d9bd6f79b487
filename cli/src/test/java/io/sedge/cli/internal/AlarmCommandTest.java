package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alarms of a run and of a site of two devices, as people meet them at a shell. */
@Timeout(300)
class AlarmCommandTest {
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100',
        'number-of-rows' = '%1$d', 'fields.n.kind' = 'sequence', 'fields.n.start' = '1',
        'fields.n.end' = '%1$d');
      CREATE TABLE hot (machine STRING, v DOUBLE, PRIMARY KEY (machine) NOT ENFORCED)
        WITH ('connector' = 'alarm', 'priority' = 'critical', 'value-column' = 'v',
              'high-limit' = '80');
      INSERT INTO hot SELECT CONCAT('pump-\u001b[2J', CAST(MOD(n, 2) + 1 AS STRING)), 80.5E0 FROM numbers;
      """;

  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // Of those tests that start devices.
  private DeviceRunner devices;

  private void script(String text) throws IOException {
    Files.writeString(directory.resolve("hot.sql"), text);
    devices = new DeviceRunner(directory);
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private static long deadline() {
    return System.nanoTime() + Duration.ofMinutes(2).toNanos();
  }

  /** What a command says as soon as a text is in it: a device may be a moment behind another. */
  private String until(String command, String text) throws Exception {
    String said = "";
    long deadline = deadline();
    while (!said.contains(text)) {
      assertThat(System.nanoTime()).as("in time: %s", said).isLessThan(deadline);
      said = devices.run(0, command).out();
      LockSupport.parkNanos(50_000_000);
    }
    return said;
  }

  @Test
  void aRunSaysWhatIsRaised() throws Exception {
    script(SCRIPT.formatted(2));
    CommandRunner run = DeviceRunner.run(new CommandRunner(directory), 0, "run hot.sql");
    assertThat(run.err())
        .contains("table hot: alarm 1, critical: pump-", "= 80.5")
        .doesNotContain("\u001b[2J");
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() throws Exception {
    script(SCRIPT.formatted(2).replace("'value-column' = 'v'", "'value-column' = 'machine'"));
    CommandRunner check = DeviceRunner.run(new CommandRunner(directory), 2, "check hot.sql");
    assertThat(check.out() + check.err())
        .contains(
            "'value-column' = 'machine' is no numeric column of the table, which has 'v'",
            "hot.sql:4:14:");
  }

  @Test
  void anAlarmIsSeenAcknowledgedAndShelvedOnAnyDevice() throws Exception {
    script(SCRIPT.formatted(10_000_000));
    devices.startTwo("b");
    devices.run(0, "job submit hot.sql --data a");
    String list = until("alarm list --data b", "pump-·[2J1");
    assertThat(list).contains("critical", "unacknowledged", "hot", "80.5").doesNotContain("\u001b");
    assertThat(list).containsPattern("(?m)^ *1\\.1 ").contains("RAISED (ROW'S TIME)");
    assertThat(devices.run(0, "alarm acknowledge 1.2 --data b").err())
        .contains("0 of 1 alarm is acknowledged");
    assertThat(devices.run(2, "alarm acknowledge 1.x --data b").err())
        .contains(
            "ID=1.x is not the number of an alarm: write it as `sedge alarm list` shows it in"
                + " column ID, 17.2 or 17");
    assertThat(devices.run(0, "alarm acknowledge 1.1 --note seen --data b").err())
        .contains("1 of 1 alarm is acknowledged");
    assertThat(devices.run(0, "alarm acknowledge --all --data a --output json").out())
        .contains("\"alarms\":1");
    assertThat(devices.run(0, "alarm shelve 1 --for 8h --data a").err())
        .contains("1 of 1 alarm is shelved");
    assertThat(until("alarm list --data b", "shelved until ")).contains("acknowledged");
    assertThat(devices.run(0, "alarm unshelve 1 --data b").err()).contains("1 of 1 alarm is ");
    assertThat(until("alarm show 1.1 --data a", "unshelve "))
        .contains("AT (DEVICE'S CLOCK)")
        .containsPattern("acknowledge +acknowledged +\\S+ +\\S+ +seen")
        .containsPattern("shelve +shelved ")
        .containsPattern("unshelve +unacknowledged ");
    assertThat(devices.run(2, "alarm shelve 1 --for 8d --data a").err())
        .contains("alarms are shelved for a time above zero and of 7 days at most");
    assertThat(devices.run(2, "alarm acknowledge 99 --data a").err())
        .contains("there is no alarm 99; `sedge alarm list` shows those that there are");
    assertThat(devices.run(2, "alarm acknowledge --data a").err())
        .contains("name alarms by their numbers, or say --all");
    assertThat(devices.run(2, "alarm show 99 --data a").err()).contains("nothing is known");
    devices.run(0, "job stop hot --data a");
    long removed = deadline();
    while (!devices.run(0, "alarm list --data a").err().contains("the site has no alarms")) {
      assertThat(System.nanoTime()).as("removed in time").isLessThan(removed);
      new CommandRunner(directory).run("job", "remove", "hot", "--data", "a");
      LockSupport.parkNanos(50_000_000);
    }
  }
}
