package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Await;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Records.Text;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where reading begins and ends, and what happens to topics and brokers meanwhile. */
final class KafkaSourceTest {
  private static final Schema SCHEMA = Schema.builder().add("number", Type.INT).build();
  private static final long BEGIN = 1_767_225_600_000L;
  private static final String TOPIC = "readings";

  @TempDir static Path directory;

  private static Broker broker;
  private static Records records;
  private static int topics;

  private final TestContext context = TestContext.live(directory);
  private String topic = TOPIC;

  @BeforeAll
  static void start() {
    broker = Broker.start(directory);
    records = new Records(Map.of("bootstrap.servers", broker.bootstrap()));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void create() {
    topic = TOPIC + ++topics;
    broker.create(topic, 2, Map.of());
  }

  /** Numbers, one a second, all in one partition. */
  private static List<Text> numbers(int partition, int from, int to) {
    List<Text> texts = new ArrayList<>();
    for (int i = from; i < to; i++) {
      texts.add(new Text(partition, BEGIN + 1_000L * i, null, "{\"number\":%d}".formatted(i)));
    }
    return texts;
  }

  private TableDescriptor table(Map<String, String> options) {
    return Topics.table(SCHEMA, Map.of(), List.of(), Topics.options(broker, topic, options));
  }

  private SourceReader open(Map<String, String> options) {
    return Topics.open(new KafkaConnector(), table(options), context);
  }

  private static List<Object> firsts(List<? extends List<?>> rows) {
    List<Object> firsts = new ArrayList<>();
    rows.forEach(row -> firsts.add(row.getFirst()));
    return firsts;
  }

  private List<Object> readToTheEnd(Map<String, String> options) {
    try (SourceReader reader = open(options)) {
      return firsts(Topics.read(reader, Integer.MAX_VALUE));
    }
  }

  private void admin(AdminWork work) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      work.run(admin);
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @FunctionalInterface
  private interface AdminWork {
    void run(Admin admin) throws InterruptedException, ExecutionException;
  }

  @Test
  void readingBeginsAndEndsWhereTheTableSays() {
    records.write(topic, numbers(0, 0, 10));
    assertThat(
            readToTheEnd(
                Map.of(
                    "scan.startup.mode",
                    "timestamp",
                    "scan.startup.timestamp-millis",
                    Long.toString(BEGIN + 2_500),
                    "scan.bounded.mode",
                    "timestamp",
                    "scan.bounded.timestamp-millis",
                    Long.toString(BEGIN + 6_000))))
        .containsExactly(3, 4, 5);
    assertThat(
            readToTheEnd(
                Map.of(
                    "scan.startup.mode", "specific-offsets",
                    "scan.startup.specific-offsets", "partition:0,offset:8",
                    "scan.bounded.mode", "specific-offsets",
                    "scan.bounded.specific-offsets", "partition:0,offset:9;partition:1,offset:0")))
        .containsExactly(8);
    assertThat(
            readToTheEnd(
                Map.of("scan.startup.mode", "latest-offset", "scan.bounded.mode", "latest-offset")))
        .isEmpty();
  }

  @Test
  void aGroupIsToldHowFarTheJobIsAndAnotherTableBeginsThere() {
    records.write(topic, numbers(0, 0, 10));
    Map<String, String> ofTheGroup = Map.of("properties.group.id", "watchers-" + topic);
    assertThatThrownBy(() -> readToTheEnd(ofTheGroup))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("has committed no offsets of " + topic)
        .hasMessageContaining("'properties.auto.offset.reset' = 'earliest'");
    try (SourceReader reader =
        open(
            Map.of(
                "properties.group.id", "watchers-" + topic,
                "properties.auto.offset.reset", "earliest",
                "properties.max.poll.records", "4"))) {
      assertThat(Topics.read(reader, 1)).hasSizeBetween(1, 10);
      reader.acknowledge(reader.position());
    }
    try (SourceReader reader = open(ofTheGroup)) {
      records.write(topic, numbers(0, 10, 11));
      List<Object> rest = firsts(Topics.read(reader, 1));
      assertThat(rest).isNotEmpty().doesNotContain(0);
    }
  }

  /** A device dies before the first record: what comes until the next one reads is not skipped. */
  @Test
  void whereReadingBeginsIsCommittedBeforeTheFirstRecord() {
    Map<String, String> latest = Map.of("scan.startup.mode", "latest-offset");
    records.write(topic, numbers(0, 0, 3));
    byte[] position;
    try (SourceReader reader = open(latest)) {
      assertThat(reader.hasNewPosition()).isFalse();
      Await.until(
          "the offsets are found",
          () -> {
            assertThat(reader.poll(System.nanoTime())).isNull();
            return reader.hasNewPosition();
          });
      position = reader.position();
      assertThat(reader.hasNewPosition()).as("it is in a commit").isFalse();
    }
    records.write(topic, numbers(0, 3, 6));
    try (SourceReader reader = open(latest)) {
      reader.seek(position);
      assertThat(firsts(Topics.read(reader, 3))).containsExactly(3, 4, 5);
    }
  }

  /** A partition that nobody writes to must not hold back the other. */
  @Test
  void rowsComeWhileAPartitionIsIdle() {
    records.write(topic, numbers(0, 0, 3));
    try (SourceReader reader = open(Map.of("scan.startup.mode", "earliest-offset"))) {
      assertThat(firsts(Topics.read(reader, 3))).containsExactly(0, 1, 2);
      records.write(topic, numbers(0, 3, 4));
      assertThat(firsts(Topics.read(reader, 1))).containsExactly(3);
    }
  }

  @Test
  void anOutageOfTheBrokerIsSaidAndReadingGoesOn() {
    records.write(topic, numbers(0, 0, 3));
    try (SourceReader reader =
        open(
            Map.of(
                "scan.startup.mode",
                "earliest-offset",
                "properties.default.api.timeout.ms",
                "1500",
                "properties.request.timeout.ms",
                "1000"))) {
      assertThat(firsts(Topics.read(reader, 3))).containsExactly(0, 1, 2);
      broker.stop();
      Await.until(
          "the outage is said",
          () -> {
            assertThat(reader.poll(System.nanoTime())).isNull();
            return context.reports().stream().anyMatch(said -> said.contains("no broker answers"));
          });
      broker.start();
      records.write(topic, numbers(0, 3, 6));
      assertThat(firsts(Topics.read(reader, 3))).containsExactly(3, 4, 5);
      assertThat(context.reports()).hasSize(2).last().asString().contains("it works again");
    }
  }

  @Test
  void recordsThatWereDeletedBeforeTheyWereReadAreCountedAndSaid() {
    records.write(topic, numbers(0, 0, 10));
    byte[] position;
    try (SourceReader reader =
        open(
            Map.of(
                "scan.startup.mode", "specific-offsets",
                "scan.startup.specific-offsets", "partition:0,offset:2;partition:1,offset:0"))) {
      Topics.read(reader, 1);
      position = reader.position();
    }
    admin(
        admin ->
            admin
                .deleteRecords(
                    Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(10)))
                .all()
                .get());
    records.write(topic, numbers(0, 10, 14));
    admin(
        admin ->
            admin
                .deleteRecords(
                    Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(12)))
                .all()
                .get());
    try (SourceReader reader = open(Map.of("scan.startup.mode", "latest-offset"))) {
      reader.seek(position);
      assertThat(firsts(Topics.read(reader, 2))).containsExactly(12, 13);
    }
    assertThat(context.reports())
        .singleElement()
        .asString()
        .contains("2 records of " + topic + "-0 are lost")
        .contains("offsets 10 to 11");
  }

  @Test
  void newPartitionsAreReadFromTheirStart() {
    records.write(topic, numbers(0, 0, 2));
    try (SourceReader reader =
        open(
            Map.of(
                "scan.startup.mode", "latest-offset",
                "scan.topic-partition-discovery.interval", "100 ms"))) {
      Await.until(
          "it has begun",
          () -> {
            assertThat(reader.poll(System.nanoTime())).isNull();
            return reader.position().length > 0;
          });
      admin(
          admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get());
      records.write(topic, numbers(2, 7, 9));
      assertThat(firsts(Topics.read(reader, 2))).containsExactly(7, 8);
    }
  }

  @Test
  void aTopicThatIsMadeAnewIsReadFromItsStart() {
    records.write(topic, numbers(0, 0, 5));
    byte[] position;
    try (SourceReader reader = open(Map.of("scan.startup.mode", "earliest-offset"))) {
      Topics.read(reader, 5);
      position = reader.position();
    }
    admin(admin -> admin.deleteTopics(List.of(topic)).all().get());
    Await.until("the topic is gone", () -> !exists(topic));
    broker.create(topic, 1, Map.of());
    records.write(topic, numbers(0, 20, 23));
    try (SourceReader reader = open(Map.of("scan.startup.mode", "latest-offset"))) {
      reader.seek(position);
      assertThat(firsts(Topics.read(reader, 3))).containsExactly(20, 21, 22);
    }
    assertThat(context.reports()).singleElement().asString().contains("made anew");
  }

  /** Whoever watches a topic that is made anew with other partitions reads each record once. */
  @Test
  void aTopicThatIsMadeAnewWithOtherPartitionsWhileItIsReadIsReadOnce() {
    for (int partitions : List.of(3, 1)) {
      remake(partitions == 3 ? 1 : 3);
      records.write(topic, numbers(0, 0, 5));
      int told = context.reports().size();
      try (SourceReader reader =
          open(
              Map.of(
                  "scan.startup.mode", "earliest-offset",
                  "scan.topic-partition-discovery.interval", "100 ms"))) {
        Topics.read(reader, 5);
        remake(partitions);
        records.write(topic, numbers(partitions - 1, 20, 23));
        assertThat(firsts(Topics.read(reader, 3))).containsExactly(20, 21, 22);
        records.write(topic, numbers(0, 30, 33));
        assertThat(firsts(Topics.read(reader, 3))).containsExactly(30, 31, 32);
      }
      assertThat(context.reports().stream().skip(told).filter(said -> said.contains("made anew")))
          .hasSize(1);
    }
  }

  @Test
  void aTableThatEndsDoesNotGoOnInATopicThatIsMadeAnew() {
    records.write(topic, numbers(0, 0, 5));
    Map<String, String> ends =
        Map.of("scan.startup.mode", "earliest-offset", "scan.bounded.mode", "latest-offset");
    byte[] position;
    try (SourceReader reader = open(ends)) {
      Topics.read(reader, 1);
      position = reader.position();
    }
    remake(2);
    try (SourceReader reader = open(ends)) {
      reader.seek(position);
      assertThatThrownBy(() -> Topics.read(reader, 1))
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("topic '" + topic + "' was deleted and made anew");
    }
  }

  private void remake(int partitions) {
    admin(admin -> admin.deleteTopics(List.of(topic)).all().get());
    Await.until("the topic is gone", () -> !exists(topic));
    broker.create(topic, partitions, Map.of());
  }

  private boolean exists(String name) {
    boolean[] found = new boolean[1];
    admin(admin -> found[0] = admin.listTopics().names().get().contains(name));
    return found[0];
  }

  @Test
  void aTopicThatIsNotThereIsWaitedForOrIfTheTableEndsRefused() {
    topic = "none-yet";
    assertThatThrownBy(
            () ->
                readToTheEnd(
                    Map.of(
                        "scan.startup.mode", "earliest-offset",
                        "scan.bounded.mode", "latest-offset")))
        .hasMessageContaining("table readings: topic 'none-yet' does not exist at");
    try (SourceReader reader = open(Map.of("scan.startup.mode", "latest-offset"))) {
      Await.until(
          "the missing topic is said",
          () -> {
            assertThat(reader.poll(System.nanoTime())).isNull();
            return !context.reports().isEmpty();
          });
      assertThat(context.reports()).singleElement().asString().contains("it is waited for");
      broker.create(topic, 1, Map.of());
      records.write(topic, numbers(0, 0, 2));
      assertThat(firsts(Topics.read(reader, 2))).containsExactly(0, 1);
    }
  }

  @Test
  void aKeyFillsItsColumnsAndRecordsWithoutAKeyAreMalformedWhereItMustHaveOne() {
    records.write(
        topic,
        List.of(
            new Text(0, BEGIN, "{\"id\":1}", "{\"id\":\"a\"}"),
            new Text(0, BEGIN, null, "{\"id\":\"b\"}"),
            new Text(0, BEGIN, "{\"id\":3}", null)));
    Schema schema =
        Schema.builder()
            .add("key_id", Type.INT.notNull())
            .add("id", Type.STRING)
            .add("place", Type.STRING)
            .add("at", Type.BIGINT)
            .build();
    TableDescriptor table =
        Topics.table(
            schema,
            Map.of(2, "topic", 3, "offset"),
            List.of(),
            Topics.options(
                broker,
                topic,
                Map.of(
                    "scan.startup.mode", "earliest-offset",
                    "scan.bounded.mode", "latest-offset",
                    "format", "",
                    "key.format", "json",
                    "key.json.fail-on-missing-field", "true",
                    "value.format", "json",
                    "key.fields", "key_id",
                    "key.fields-prefix", "key_",
                    "value.fields-include", "EXCEPT_KEY")));
    try (SourceReader reader = Topics.open(new KafkaConnector(), table, context)) {
      assertThat(Topics.read(reader, 3)).containsExactly(List.of(1, "a", topic, 0L));
    }
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::origin)
        .containsExactly(topic + "-0@1", topic + "-0@2");
  }

  @Test
  void theShardsAreFoundAndAPartitionThatIsInNoneIsSaid() throws InterruptedException {
    records.write(topic, numbers(0, 0, 2));
    records.write(topic, numbers(1, 5, 7));
    Schema schema = Schema.builder().add("number", Type.INT).add("part", Type.STRING).build();
    Source undiscovered = divided(schema, "*");
    assertThat(undiscovered.division()).isEqualTo(new Division.Undiscovered(1, "shard.values"));
    assertThat(undiscovered.values()).containsExactly("0", "1");
    try (SourceReader reader = divided(schema, "1").shard("1").open()) {
      assertThat(firsts(Topics.read(reader, 2))).containsExactly(5, 6);
    }
    assertThat(context.reports())
        .singleElement()
        .asString()
        .contains("partitions 0 of topic '%s' are not in 'shard.values'".formatted(topic));
  }

  private Source divided(Schema schema, String values) {
    TableDescriptor table =
        Topics.table(
            schema,
            Map.of(1, "partition"),
            List.of(),
            Topics.options(
                broker,
                topic,
                Map.of(
                    "scan.startup.mode", "earliest-offset",
                    "shard.by", "part",
                    "shard.values", values)));
    return new KafkaConnector().source(table, context).orElseThrow();
  }
}
