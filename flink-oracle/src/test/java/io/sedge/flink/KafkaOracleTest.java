package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flink's own connectors {@code kafka} and {@code upsert-kafka} are the oracle: the same scripts
 * over the topics of a real broker read the same rows and write the same records.
 */
final class KafkaOracleTest {
  private static final long BEGIN = 1_767_225_600_000L; // 2026-01-01T00:00:00Z
  private static final int READINGS = 300;
  private static final String[] MACHINES = {"press-1", "press-2", "pump-7", "valve-3"};

  private static final String TABLES =
      """
      SET 'table.local-time-zone' = 'UTC';
      CREATE TABLE readings (
        machine STRING, v DOUBLE, n BIGINT,
        ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp',
        p INT METADATA FROM 'partition' VIRTUAL, o BIGINT METADATA FROM 'offset' VIRTUAL,
        WATERMARK FOR ts AS ts - INTERVAL '10' SECOND
      ) WITH (
        'connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = '${servers}',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset',
        'key.format' = 'raw', 'key.fields' = 'machine',
        'value.format' = 'json', 'value.fields-include' = 'EXCEPT_KEY');
      CREATE TABLE later (n BIGINT) WITH (
        'connector' = 'kafka', 'topic' = 'readings', 'properties.bootstrap.servers' = '${servers}',
        'scan.startup.mode' = 'timestamp', 'scan.startup.timestamp-millis' = '1767225700000',
        'scan.bounded.mode' = 'specific-offsets',
        'scan.bounded.specific-offsets' = 'partition:0,offset:90;partition:1,offset:95',
        'format' = 'json');
      """;

  private static final List<String> QUERIES =
      List.of(
          "SELECT machine, v, n, ts, p, o FROM readings",
          "SELECT n FROM later",
          """
          SELECT machine, window_start, COUNT(*) AS c, SUM(v) AS s, MAX(n) AS m
          FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
          GROUP BY machine, window_start, window_end
          """);

  @TempDir private static Path directory;
  private static KafkaProcess broker;
  private static Records records;
  private static Flink flink;
  private static int topics;

  @BeforeAll
  static void start() throws IOException {
    broker = new KafkaProcess(directory.resolve("kafka"));
    records = new Records(Map.of("bootstrap.servers", broker.bootstrap()));
    broker.create("readings", 2, Map.of());
    List<Text> readings = new ArrayList<>();
    for (int i = 0; i < READINGS; i++) {
      String value = i % 13 == 5 ? "null" : String.valueOf(i / 8.0);
      readings.add(
          new Text(
              i % MACHINES.length % 2,
              BEGIN + 1_000L * i,
              MACHINES[i % MACHINES.length],
              "{\"v\":%s,\"n\":%d}".formatted(value, i)));
    }
    records.write("readings", readings);
    flink = new Flink();
  }

  @AfterAll
  static void stop() throws IOException {
    try (KafkaProcess _ = broker) {
      flink.close();
    }
  }

  private static String located(String script) {
    return script.replace("${servers}", broker.bootstrap());
  }

  @Test
  void bothReadTheSameRows() throws Exception {
    List<Answer> theirs = flink.run(located(TABLES), QUERIES);
    for (int i = 0; i < QUERIES.size(); i++) {
      String query = QUERIES.get(i);
      assertThat(theirs.get(i)).as(query).isInstanceOf(Answer.Rows.class);
      assertThat(((Answer.Rows) theirs.get(i)).changes()).as(query).isNotEmpty();
      Answer ours = new Answer.Rows(new Sedge(directory).run(located(TABLES) + query + ";\n"));
      assertThat(Answer.differences(theirs.get(i), ours, false, -1)).as(query).isEmpty();
    }
  }

  /** What a record is, the offset excepted, which transactions take some of. */
  private static List<Object> content(ConsumerRecord<String, String> read) {
    return List.of(
        read.partition(),
        read.timestamp(),
        String.valueOf(read.key()),
        String.valueOf(read.value()));
  }

  /** Runs a script that writes to a topic, on one engine each. */
  private static Map<String, List<ConsumerRecord<String, String>>> written(
      String script, Map<String, String> settings) throws Exception {
    Map<String, List<ConsumerRecord<String, String>>> written = new HashMap<>();
    for (String engine : List.of("flink", "sedge")) {
      String topic = engine + "-" + ++topics;
      broker.create(topic, 3, settings);
      String whole = located(TABLES + script).replace("${topic}", topic);
      if (engine.equals("flink")) {
        assertThat(flink.run(whole, List.of("SELECT 1")))
            .as("Flink's answer")
            .singleElement()
            .isInstanceOf(Answer.Rows.class);
      } else {
        new Sedge(directory).run(whole);
      }
      written.put(engine, records.read(topic));
    }
    return written;
  }

  private static final String SINK =
      """
      CREATE TABLE results (machine STRING, n BIGINT, v DOUBLE, ts TIMESTAMP_LTZ(3) METADATA FROM 'timestamp')
      WITH ('connector' = 'kafka', 'topic' = '${topic}',
        'properties.bootstrap.servers' = '${servers}', ${options});
      INSERT INTO results SELECT machine, n, v, ts FROM readings WHERE n < 100;
      """;

  /** Not within transactions: Flink's sink needs an older client of Kafka for these than ours. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'key.format' = 'raw', 'key.fields' = 'machine', 'value.format' = 'json',"
            + " 'value.fields-include' = 'EXCEPT_KEY'",
        "'key.format' = 'json', 'key.fields' = 'machine;n', 'value.format' = 'csv'",
        "'key.format' = 'csv', 'key.fields' = 'n', 'key.fields-prefix' = '',"
            + " 'value.format' = 'json', 'value.json.encode.ignore-null-fields' = 'true'",
      })
  void bothWriteTheSameRecords(String options) throws Exception {
    Map<String, List<ConsumerRecord<String, String>>> written =
        written(SINK.replace("${options}", options), Map.of());
    assertThat(written.get("flink")).hasSize(100);
    assertThat(written.get("sedge").stream().map(KafkaOracleTest::content))
        .containsExactlyInAnyOrderElementsOf(
            written.get("flink").stream().map(KafkaOracleTest::content).toList());
  }

  /** How many records there are on the way is each engine's own; the last of each key counts. */
  @Test
  void bothLeaveTheSameInATopicOfUpdates() throws Exception {
    Map<String, List<ConsumerRecord<String, String>>> written =
        written(
            """
            CREATE TABLE counts (machine STRING, c BIGINT, s DOUBLE, PRIMARY KEY (machine) NOT ENFORCED)
            WITH ('connector' = 'upsert-kafka', 'topic' = '${topic}',
              'properties.bootstrap.servers' = '${servers}',
              'key.format' = 'json', 'value.format' = 'json');
            INSERT INTO counts
            SELECT machine, COUNT(*), SUM(v) FROM readings GROUP BY machine
            HAVING COUNT(*) < 60 OR machine LIKE 'p%';
            """,
            Map.of("cleanup.policy", "compact"));
    assertThat(last(written.get("flink"))).hasSize(MACHINES.length - 1);
    assertThat(last(written.get("sedge"))).isEqualTo(last(written.get("flink")));
  }

  /** The partition and the value of the last record of each key; a key that is gone has none. */
  private static Map<String, List<Object>> last(List<ConsumerRecord<String, String>> written) {
    Map<String, List<Object>> last = new TreeMap<>();
    for (ConsumerRecord<String, String> one : written) {
      if (one.value() == null) {
        last.remove(one.key());
      } else {
        last.put(one.key(), List.of(one.partition(), one.value()));
      }
    }
    return last;
  }
}
