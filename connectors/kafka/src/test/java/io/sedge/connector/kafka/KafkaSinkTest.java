package io.sedge.connector.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.testkit.Await;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.kafka.testkit.Topics;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader of committed records finds, whatever happens to sinks and brokers. */
final class KafkaSinkTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("number", Type.INT)
          .add("text", Type.STRING)
          .add("ts", Type.timestampLtz(3))
          .build();

  private static final Map<String, String> EXACTLY_ONCE =
      Map.of("sink.delivery-guarantee", "exactly-once");
  private static final long BEGIN = 1_767_225_600_000L;

  @TempDir static Path directory;

  private static Broker broker;
  private static Records records;
  private static int topics;

  private final TestContext context = TestContext.live(directory);
  private String topic = "";

  @BeforeAll
  static void start() {
    broker =
        Broker.start(
            directory,
            "PLAINTEXT",
            Map.of("transaction.abort.timed.out.transaction.cleanup.interval.ms", "100"),
            List.of());
    records = new Records(Map.of("bootstrap.servers", broker.bootstrap()));
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void create() {
    topic = "rows-" + ++topics;
    broker.create(topic, 3, Map.of("max.message.bytes", "20000"));
  }

  private TableDescriptor table(Map<String, String> options) {
    return Topics.table(
        SCHEMA, Map.of(2, "timestamp"), List.of(), Topics.options(broker, topic, options));
  }

  private SinkFactory sink(Map<String, String> options) {
    return new KafkaConnector().sink(table(options), context).orElseThrow();
  }

  private static Batch batch(int from, int to) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int i = from; i < to; i++) {
      builder.addRow(i, "row", (BEGIN + i) * 1_000);
    }
    return builder.build();
  }

  private static String row(int number) {
    return "{\"number\":%d,\"text\":\"row\"}".formatted(number);
  }

  private static List<String> rows(int to) {
    return IntStream.range(0, to).mapToObj(KafkaSinkTest::row).toList();
  }

  private Delivery delivery(long recoveryPoint) {
    return Delivery.of(new Delivery.Writer("plant", "job", "delivery", topic), 1, recoveryPoint);
  }

  /** It is killed after the commit at Kafka, before the ledger has heard of it. */
  @Test
  void whatWasCommittedAndNeverAcknowledgedIsNotAskedForAgain() {
    SinkFactory factory = sink(EXACTLY_ONCE);
    Feed killed = Feed.open(factory, delivery(0));
    killed.give(batch(0, 5));
    killed.flushAll();
    killed.give(batch(5, 9)); // Under way, and lost with it.
    try (Feed next = Feed.open(factory, delivery(0))) {
      assertThat(next.taken()).isEqualTo(5);
      assertThat(context.reports())
          .containsExactly(
              "INFO table readings: Kafka has rows up to 5, the ledger knows of 0; rows up to 5 are"
                  + " not written again");
      next.give(batch(5, 9));
      next.flushAll();
      assertThatThrownBy(killed::flushAll)
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("table readings: taken over by another")
          .hasMessageContaining("plant/job/delivery/" + topic);
    }
    killed.close();
    assertThat(records.values(topic)).containsExactlyInAnyOrderElementsOf(rows(9));
  }

  /** Sinks that are left at any moment, some while they commit, some alive for long after. */
  @Test
  void eachRowIsThereOnceWhereverSinksAreKilled() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    SinkFactory factory = sink(EXACTLY_ONCE);
    List<Sink> killed = new ArrayList<>();
    int rows = 0;
    long acknowledged = 0;
    List<NumberedBatch> outbox = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      int size = 1 + random.nextInt(40);
      outbox.add(new NumberedBatch(rows + 1, batch(rows, rows + size)));
      rows += size;
    }
    for (int kills = 0; kills < 12; kills++) {
      Sink sink = factory.open(delivery(acknowledged));
      killed.add(sink);
      long taken = sink.flush();
      assertThat(taken).as("seed %d", seed).isGreaterThanOrEqualTo(acknowledged);
      for (int step = random.nextInt(40); step > 0; step--) {
        long from = taken;
        NumberedBatch next =
            outbox.stream().filter(batch -> batch.first() == from + 1).findFirst().orElse(null);
        if (next != null && random.nextInt(3) > 0) {
          taken = sink.offer(next) ? next.last() : taken;
        } else if (random.nextBoolean()) {
          long durable = sink.flush();
          acknowledged = random.nextBoolean() ? durable : acknowledged;
        }
      }
    }
    try (Feed last = Feed.open(factory, delivery(acknowledged))) {
      outbox.stream().filter(batch -> batch.first() > last.taken()).toList().forEach(last::give);
      last.flushAll();
    }
    for (Sink sink : killed) {
      sink.close();
    }
    assertThat(records.values(topic))
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(rows(rows));
  }

  @Test
  void rowsAreThereOnceAfterAnOutageOfTheBroker() {
    try (Feed sink = Feed.open(sink(EXACTLY_ONCE), delivery(0))) {
      sink.give(batch(0, 100));
      sink.flushAll();
      sink.give(batch(100, 200));
      broker.stop();
      sink.give(batch(200, 300));
      sink.flush();
      broker.start();
      sink.flushAll();
    }
    assertThat(records.values(topic)).containsExactlyInAnyOrderElementsOf(rows(300));
  }

  /** A broker ends the transaction of a writer that is silent for long, and his epoch with it. */
  @Test
  void aTransactionThatTookTooLongIsWrittenAgain() {
    Map<String, String> options =
        Map.of(
            "sink.delivery-guarantee", "exactly-once",
            "properties.transaction.timeout.ms", "500");
    try (Feed sink = Feed.open(sink(options), delivery(0))) {
      sink.give(batch(0, 10));
      Await.until("the transaction is open", () -> state() == TransactionState.ONGOING);
      Await.until("the broker has ended it", () -> state() != TransactionState.ONGOING);
      sink.give(batch(10, 20));
      sink.flushAll();
    }
    assertThat(records.values(topic)).containsExactlyInAnyOrderElementsOf(rows(20));
  }

  private TransactionState state() {
    String id = "sedge/plant/job/delivery/" + topic;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      return admin.describeTransactions(List.of(id)).description(id).get().state();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aRecordThatIsTooLargeIsRefusedAndTheOthersAreWritten() {
    for (String guarantee : List.of("exactly-once", "at-least-once")) {
      try (Feed sink = Feed.open(sink(Map.of("sink.delivery-guarantee", guarantee)))) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        builder.addRow(0, "row", BEGIN * 1_000);
        builder.addRow(1, "x".repeat(30_000), BEGIN * 1_000);
        builder.addRow(2, "x".repeat(3_000_000), BEGIN * 1_000);
        builder.addRow(1, "row", BEGIN * 1_000);
        sink.give(builder.build());
        sink.flushAll();
      }
    }
    assertThat(records.values(topic)).containsExactlyInAnyOrder(row(0), row(1), row(0), row(1));
    assertThat(context.malformed())
        .hasSize(4)
        .allSatisfy(
            refused -> {
              assertThat(refused.table()).isEqualTo("readings");
              assertThat(refused.reason()).contains("is too large for topic '" + topic + "'");
              assertThat(refused.payload().length()).isLessThanOrEqualTo(4096);
            });
  }

  /** A broker refuses a batch for one record whose time is too far ahead of its own. */
  @Test
  void aRecordThatTheBrokerRefusesStopsNoOthers() {
    for (String guarantee : List.of("exactly-once", "at-least-once")) {
      try (Feed sink = Feed.open(sink(Map.of("sink.delivery-guarantee", guarantee)))) {
        BatchBuilder builder = new BatchBuilder(SCHEMA);
        builder.addRow(0, "row", BEGIN * 1_000);
        builder.addRow(1, "row", 4 * BEGIN * 1_000);
        builder.addRow(2, "row", BEGIN * 1_000);
        sink.give(builder.build());
        sink.flushAll();
        sink.give(batch(3, 4));
        sink.flushAll();
      }
    }
    assertThat(records.values(topic)).contains(row(0), row(2), row(3)).doesNotContain(row(1));
    assertThat(context.malformed())
        .hasSize(2)
        .allSatisfy(
            refused ->
                assertThat(refused.reason())
                    .contains("topic '" + topic + "' does not take the record: "));
    assertThat(context.reports()).as("no outage").isEmpty();
  }

  /** Brokers forget the group of a table that rests for a week, and the id of its transactions. */
  @Test
  void aSinkWhoseProgressWasForgottenGoesOn() {
    Map<String, String> options =
        Map.of(
            "sink.delivery-guarantee", "exactly-once",
            "properties.transaction.timeout.ms", "500");
    try (Feed sink = Feed.open(sink(options), delivery(0))) {
      sink.give(batch(0, 10));
      sink.flushAll();
      forget();
      sink.give(batch(10, 20));
      Await.until("the transaction is open", () -> state() == TransactionState.ONGOING);
      Await.until("the broker has ended it", () -> state() != TransactionState.ONGOING);
      sink.flushAll();
    }
    try (Feed next = Feed.open(sink(options), delivery(0))) {
      assertThat(next.taken()).isEqualTo(20);
    }
    assertThat(records.values(topic)).containsExactlyInAnyOrderElementsOf(rows(20));
  }

  private void forget() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin.deleteConsumerGroups(List.of("sedge/plant/job/delivery/" + topic)).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTopicThatIsNotThereIsWaitedFor() {
    topic = "later-" + topics;
    try (Feed sink = Feed.open(sink(Map.of()))) {
      sink.give(batch(0, 3));
      Await.until("it is said", () -> !sink.flush() && !context.reports().isEmpty());
      assertThat(context.reports())
          .singleElement()
          .asString()
          .contains("table readings: Kafka at " + broker.bootstrap())
          .contains("the topic does not exist: " + topic);
      broker.create(topic, 1, Map.of());
      sink.flushAll();
    }
    assertThat(records.values(topic)).containsExactlyElementsOf(rows(3));
  }

  @Test
  void recordsHaveTheirKeyTheirTimeAndTheirPartition() {
    Map<String, String> keyed =
        Map.of("key.format", "raw", "key.fields", "text", "value.fields-include", "EXCEPT_KEY");
    try (Feed sink = Feed.open(sink(keyed))) {
      sink.give(batch(0, 1));
      sink.flushAll();
    }
    assertThat(records.read(topic))
        .singleElement()
        .satisfies(
            record -> {
              assertThat(record.key()).isEqualTo("row");
              assertThat(record.value()).isEqualTo("{\"number\":0}");
              assertThat(record.timestamp()).isEqualTo(BEGIN);
            });
    for (String partitioner : List.of("fixed", "round-robin")) {
      create();
      try (Feed sink = Feed.open(sink(Map.of("sink.partitioner", partitioner)), delivery(0))) {
        sink.give(batch(0, 9));
        sink.flushAll();
      }
      Map<Integer, Long> counts =
          records.read(topic).stream()
              .collect(Collectors.groupingBy(ConsumerRecord::partition, Collectors.counting()));
      assertThat(counts.values())
          .as(partitioner)
          .containsExactlyElementsOf(
              partitioner.equals("fixed") ? List.of(9L) : List.of(3L, 3L, 3L));
    }
  }

  /** Nothing waits in memory without a bound while the broker takes nothing. */
  @Test
  void aSinkThatIsFullRefuses() {
    Map<String, String> options =
        Map.of("sink.queue-bytes", "10 kb", "properties.bootstrap.servers", "nowhere.invalid:1");
    try (Sink sink = sink(options).open(Delivery.OF_A_RUN)) {
      int taken = 0;
      while (sink.offer(new NumberedBatch(taken + 1, batch(taken, taken + 10)))) {
        taken += 10;
      }
      assertThat(taken).isBetween(10, 200);
    }
  }
}
