package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards that nobody lists: a site finds them by what comes when the job is submitted. */
@Timeout(300)
class ShardDiscoveryTest {
  private static final String PASSWORD = "correct horse battery";

  @TempDir Path directory;
  private EmbeddedBroker broker;
  private DeviceRunner devices;
  private volatile boolean feeding = true;
  private Thread feeder = new Thread();

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.builder().login("plant", PASSWORD).start();
    devices = new DeviceRunner(directory);
    devices.start("device start --data a --name a --listen 127.0.0.1");
    DeviceRunner.run(new CommandRunner(directory).input(PASSWORD), 0, "secret set broker --data a");
    Files.writeString(directory.resolve("job.sql"), job("*"));
  }

  @AfterEach
  void stop() throws Exception {
    feeding = false;
    feeder.join();
    devices.stop();
    broker.close();
  }

  private String job(String values) {
    return """
    CREATE TABLE readings (machine STRING, v DOUBLE) WITH (
      'connector' = 'mqtt', 'url' = '%s', 'topic' = 'plant/{machine}', 'format' = 'json',
      'username' = 'plant', 'password' = '${secret:broker}',
      'shard.by' = 'machine', 'shard.values' = '%s');
    CREATE TABLE sums (machine STRING, n BIGINT) WITH ('connector' = 'blackhole');
    INSERT INTO sums SELECT machine, COUNT(*) FROM readings GROUP BY machine;
    """
        .formatted(broker.url(), values);
  }

  /** Machines speak, again and again. */
  private void feed(String... machines) throws Exception {
    feeding = false;
    feeder.join();
    String rows = "('" + String.join("', 1), ('", machines) + "', 1)";
    Files.writeString(
        directory.resolve("feed.sql"),
        """
        CREATE TABLE plant (machine STRING, v DOUBLE) WITH (
          'connector' = 'mqtt', 'url' = '%s', 'topic' = 'plant/{machine}', 'format' = 'json',
          'username' = 'plant', 'password' = '%s');
        INSERT INTO plant VALUES %s;
        """
            .formatted(broker.url(), PASSWORD, rows));
    feeding = true;
    feeder =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (feeding) {
                    new CommandRunner(directory).run("run", "feed.sql");
                  }
                });
  }

  /** Once the device has compiled it. */
  private String explained() throws Exception {
    String text = devices.run(0, "job explain job --data a").out();
    for (int i = 0; i < 100 && text.contains("ask again"); i++) {
      Thread.sleep(100);
      text = devices.run(0, "job explain job --data a").out();
    }
    return text;
  }

  @Test
  void theMachinesThatSpeakAreTheShardsAndThoseThatWereStay() throws Exception {
    assertThat(devices.run(0, "explain job.sql").out())
        .contains("by machine, whose values are looked for when the job is submitted");
    assertThat(devices.run(2, "job submit job.sql --data a").err())
        .contains("table readings: no readings came, so its shards are not known")
        .contains("(USER NOT_NOW)");
    feed("press", "mill");
    assertThat(devices.run(0, "job submit job.sql --data a").err())
        .contains("table readings has 2 shards: mill, press")
        .doesNotContain(PASSWORD);
    assertThat(explained()).contains("task readings/mill ", "task readings/press ");
    feed("saw", "press");
    CommandRunner replaced = devices.run(0, "job submit job.sql --replace --data a");
    assertThat(replaced.err()).contains("table readings has 3 shards: mill, press, saw");
    assertThat(explained())
        .contains("task readings/mill ", "task readings/press ", "task readings/saw ");
    Files.writeString(directory.resolve("long.sql"), job("m".repeat(101)));
    assertThat(devices.run(2, "job submit long.sql --data a").err())
        .contains("a value is a level of a topic", "of at most 100 bytes");
  }
}
