package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.system.testkit.FlinkProcesses;
import io.sedge.system.testkit.KafkaProcess;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sites report to topics of Kafka instead of a center: the promises of docs/flink.md. Broker,
 * devices and Flink are processes.
 */
@Timeout(900)
final class TopicReportTest {
  private static final int COUNT = 6_000;
  private static final Pattern NUMBER = Pattern.compile("\"_seq\":(\\d+),\"n\":(\\d+)}");
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT)
        WITH ('connector' = 'datagen', 'rows-per-second' = '100',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '%d');
      CREATE TABLE stored (n BIGINT)
        WITH ('connector' = 'center', 'credential' = '${secret:center}');
      INSERT INTO stored SELECT n FROM numbers;
      """
          .formatted(COUNT);

  private static final long BEGIN = 1_767_225_600_000L; // 2026-01-01T00:00:00Z
  private static final int READINGS = 600;
  private static final String[] MACHINES = {"press-1", "press-2", "pump-7", "valve-3"};
  private static final int ROWS = 10 * MACHINES.length;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private static Path directory;
  private static KafkaProcess kafka;
  private static Records records;
  private static Sedge sedge;
  private static SiteProcesses site;

  @BeforeAll
  static void start() {
    sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge, SiteNetwork.loopback());
    kafka = KafkaProcess.start(directory.resolve("kafka"));
    records = new Records(Map.of("bootstrap.servers", kafka.bootstrap()));
  }

  @AfterAll
  static void stop() {
    if (kafka != null) {
      kafka.close();
    }
  }

  private static void report(String device, String name) {
    site.answer(
        "site", "report", "--to", "kafka://" + kafka.bootstrap(), "--as", name, "--data", device);
  }

  /** Each device is killed once while rows come; who delivered them is among these. */
  @Test
  void eachRowIsInTheTopicOnceWhoeverIsKilled() {
    kafka.create("sedge.stored", 3);
    sedge.script("numbers.sql", SCRIPT);
    List<String> names = List.of("a", "b", "c");
    List<SedgeProcess> devices = new ArrayList<>();
    try {
      devices.add(site.device("a", SiteProcesses.freePorts(), "start"));
      SiteProcesses.awaitUp(devices.getFirst());
      for (String name : names.subList(1, names.size())) {
        devices.add(site.device(name, SiteProcesses.freePorts(), site.joining("a")));
        SiteProcesses.awaitUp(devices.getLast());
      }
      report("a", "north");
      site.answer("job", "submit", "numbers.sql", "--data", "a");
      for (int i = 0; i < names.size(); i++) {
        awaitRows(devices.get(i), "sedge.stored", (i + 1) * COUNT / 6);
        devices.get(i).kill();
        devices.set(i, site.again(names.get(i)));
        SiteProcesses.awaitUp(devices.get(i));
      }
      awaitRows(devices.getFirst(), "sedge.stored", COUNT);
    } finally {
      devices.forEach(SedgeProcess::close);
    }
    List<String> values = records.values("sedge.stored");
    assertThat(values)
        .allMatch(
            row ->
                row.startsWith(
                    "{\"_site\":\"north\",\"_job\":\"numbers\",\"_stream\":\"delivery/stored\","));
    List<Matcher> found = values.stream().map(NUMBER::matcher).filter(Matcher::find).toList();
    assertThat(found)
        .extracting(match -> Long.valueOf(match.group(2)))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, COUNT).boxed().toList());
    assertThat(found).extracting(match -> Long.valueOf(match.group(1))).isSorted();
  }

  private static void awaitRows(SedgeProcess device, String topic, int least) {
    device.until(
        () -> records.values(topic).size() >= least,
        () -> "%d rows, and there are %d".formatted(least, records.values(topic).size()));
  }

  /** The examples of docs/flink.md. */
  @Test
  void flinkMakesOfTheTopicsOfTwoSitesWhatOneMachineMakesOfAllReadings() {
    List.of("readings", "readings-north", "readings-south", "of-run", "of-sites")
        .forEach(topic -> kafka.create(topic, 1));
    kafka.create("sedge.parts", 3);
    writeReadings();
    try (SedgeProcess run = sedge.start(script("flink.sql", List.of("run"), "MEANS=of-run"))) {
      assertThat(run.exitCode()).as(run::toString).isZero();
    }
    int parts = 0;
    for (String name : List.of("north", "south")) {
      try (SedgeProcess device = site.device(name, SiteProcesses.freePorts(), "start")) {
        SiteProcesses.awaitUp(device);
        report(name, name);
        site.answer(
            script(
                "topics-site.sql",
                List.of("job", "submit", "--data", name),
                "READINGS=readings-" + name));
        parts += ROWS;
        awaitRows(device, "sedge.parts", parts);
      }
    }
    try (FlinkProcesses flink = FlinkProcesses.start(directory.resolve("flink"), Map.of())) {
      List<String> words =
          new ArrayList<>(
              List.of(
                  "flink",
                  "submit",
                  "--to",
                  flink.address(),
                  "--ca",
                  flink.certificate().toString()));
      flink.kafkaJars().forEach(jar -> words.addAll(List.of("--jar", jar.toString())));
      try (SedgeProcess submit = sedge.start(script("topics-flink.sql", words, "MEANS=of-sites"))) {
        assertThat(submit.exitCode()).as(() -> submit + flink.said()).isZero();
      }
      Await.until(
          PATIENCE, () -> rows("of-sites").size() >= ROWS, () -> "rows: " + rows("of-sites"));
    }
    assertThat(rows("of-run")).hasSize(ROWS).doesNotHaveDuplicates();
    assertThat(rows("of-sites")).isEqualTo(rows("of-run"));
  }

  /** Both sites have readings of each machine and minute. */
  private static void writeReadings() {
    Map<String, List<Text>> readings = new HashMap<>();
    for (int i = 0; i < READINGS; i++) {
      Text text =
          new Text(
              0,
              BEGIN + i * 1_000L,
              null,
              "{\"machine\":\"%s\",\"v\":%s}".formatted(MACHINES[i % MACHINES.length], i / 8.0));
      String name = i / MACHINES.length % 2 == 0 ? "readings-north" : "readings-south";
      readings.computeIfAbsent(name, _ -> new ArrayList<>()).add(text);
      readings.computeIfAbsent("readings", _ -> new ArrayList<>()).add(text);
    }
    readings.forEach(records::write);
  }

  private static String[] script(String example, List<String> command, String variable) {
    List<String> words = new ArrayList<>(command);
    words.add(Sedge.project().resolve("examples").resolve(example).toString());
    for (String each : List.of("KAFKA=" + kafka.bootstrap(), "UNTIL=latest-offset", variable)) {
      words.addAll(List.of("--var", each));
    }
    return words.toArray(String[]::new);
  }

  private static List<String> rows(String topic) {
    return records.values(topic).stream().sorted().toList();
  }
}
