package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The last value of each machine, which is what people want first: where it can be written. */
@Timeout(120)
class UpdatingResultsTest {
  private static final String READINGS =
      """
      CREATE TABLE readings (machine STRING, v DOUBLE) WITH (
        'connector' = 'filesystem', 'path' = 'readings.csv', 'format' = 'csv');
      """;
  private static final String LAST =
      "INSERT INTO machines SELECT machine, LAST_VALUE(v) FROM readings GROUP BY machine;\n";
  private static final String CHANGES =
      """
      CREATE TABLE machines (machine STRING, v DOUBLE) WITH (
        'connector' = 'filesystem', 'path' = 'machines', 'format' = 'debezium-json');
      """;

  @TempDir Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("readings.csv"), "a,1\nb,2\na,3\n");
  }

  private CommandRunner script(String text) throws IOException {
    Files.writeString(directory.resolve("job.sql"), text);
    return new CommandRunner(directory);
  }

  private static String state(EmbeddedBroker broker, String key) {
    return """
    CREATE TABLE machines (machine STRING, v DOUBLE%s) WITH (
      'connector' = 'mqtt', 'url' = '%s', 'topic' = 'state/{machine}', 'format' = 'json');
    """
        .formatted(key, broker.url());
  }

  private List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory.resolve("machines"))) {
      for (Path file :
          files.filter(file -> !file.getFileName().toString().startsWith(".")).toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines;
  }

  private static String created(String machine, double v) {
    return "{\"before\":null,\"after\":{\"machine\":\"%s\",\"v\":%s},\"op\":\"c\"}"
        .formatted(machine, v);
  }

  @Test
  void aBrokerKeepsTheLastRowOfEachKeyForWhoeverAsksLater() throws IOException {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      CommandRunner writer =
          script(READINGS + state(broker, ", PRIMARY KEY (machine) NOT ENFORCED") + LAST);
      assertThat(writer.run("run", "job.sql")).as(writer.err()).isZero();
      CommandRunner reader = script(state(broker, "") + "SELECT machine, v FROM machines LIMIT 2;");
      assertThat(reader.run("run", "job.sql", "--output", "json")).as(reader.err()).isZero();
      assertThat(reader.out().lines())
          .containsExactlyInAnyOrder(
              "{\"machine\":\"a\",\"v\":3.0}", "{\"machine\":\"b\",\"v\":2.0}");
    }
  }

  @Test
  void filesHaveEachChange() throws IOException {
    CommandRunner runner = script(READINGS + CHANGES + LAST);
    assertThat(runner.run("run", "job.sql")).as(runner.err()).isZero();
    assertThat(lines()).contains(created("a", 3.0), created("b", 2.0));
  }

  // What kind of change a row is travels through the ledger and the outbox to the sink.
  @Test
  void aSiteWritesThemToo() throws Exception {
    DeviceRunner devices = new DeviceRunner(directory);
    devices.start("device start --data d --name d --listen 127.0.0.1");
    try {
      Files.writeString(directory.resolve("job.sql"), READINGS + CHANGES + LAST);
      devices.run(0, "job submit job.sql --data d --wait");
    } finally {
      devices.stop();
    }
    assertThat(lines()).contains(created("a", 3.0), created("b", 2.0));
  }

  @Test
  void aTableThatTakesNoUpdatesSaysWhatItNeeds() throws IOException {
    CommandRunner files = script(READINGS + CHANGES.replace("debezium-json", "json") + LAST);
    assertThat(files.run("check", "job.sql")).isEqualTo(2);
    assertThat(files.err())
        .contains("for this table 'format' = 'debezium-json', which writes each change as a line");
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      CommandRunner mqtt = script(READINGS + state(broker, "") + LAST);
      assertThat(mqtt.run("check", "job.sql")).isEqualTo(2);
      assertThat(mqtt.err())
          .contains(
              "for this table a PRIMARY KEY of the columns in 'topic', one topic for each key");
    }
  }

  @Test
  void theSameScriptRunAgainSaysThatItsRowsAreThereTwice() throws IOException {
    CommandRunner first = script(READINGS + CHANGES + LAST);
    assertThat(first.run("run", "job.sql")).isZero();
    int rows = lines().size();
    CommandRunner second = new CommandRunner(directory);
    assertThat(second.run("run", "job.sql")).isZero();
    assertThat(second.err())
        .contains("1 file of earlier runs; this run adds to them")
        .contains("'sink.on-existing' = 'fail'");
    assertThat(lines()).hasSize(2 * rows);
    CommandRunner third =
        script(READINGS + CHANGES.replace("'path'", "'sink.on-existing' = 'fail', 'path'") + LAST);
    assertThat(third.run("run", "job.sql")).isNotZero();
    assertThat(third.err()).contains("has 2 files of earlier or running jobs");
    assertThat(lines()).hasSize(2 * rows);
  }
}
