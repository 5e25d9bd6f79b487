package io.sedge.connector.center;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.kafka.KafkaConnector;
import io.sedge.connector.kafka.UpsertKafkaConnector;
import io.sedge.connector.kafka.testkit.Broker;
import io.sedge.connector.kafka.testkit.Records;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.TopicRoute;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader of the topics of a site finds that reports to Kafka. */
final class TopicSinkTest extends SinkConformance {
  private static final Schema SCHEMA =
      Schema.builder().add("machine", Type.STRING).add("n", Type.BIGINT).build();

  @TempDir static Path directory;

  private static Broker broker;
  private static Records records;
  private static int tables;

  private final TestContext context =
      TestContext.live(directory).withConnectors(new KafkaConnector(), new UpsertKafkaConnector());
  private String table = "";

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
    table = "machines-" + ++tables;
    broker.create(topic(), 3, Map.of());
  }

  private String topic() {
    return "plant." + table;
  }

  private static String credential() {
    return new TopicRoute("north", "plant.", Map.of("bootstrap.servers", broker.bootstrap()))
        .text();
  }

  private TableDescriptor table(Schema schema, List<Integer> key, String... options) {
    Map<String, String> all =
        new HashMap<>(Map.of("credential", credential(), "table-name", table));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new TableDescriptor("readings", schema, Map.of(), key, List.of(), all, "test.sql:1");
  }

  @Override
  protected ConnectorFactory connector() {
    return new CenterConnector();
  }

  @Override
  protected TableDescriptor table() {
    return table(SCHEMA, List.of());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"press", (long) number};
  }

  @Override
  protected String expected(int number) {
    return "\"machine\":\"press\",\"n\":%d}".formatted(number);
  }

  /** Without what is added, whose sequences the suite does not know. */
  @Override
  protected List<String> written() {
    return records.values(topic()).stream()
        .map(value -> value.substring(value.indexOf("\"machine\"")))
        .toList();
  }

  private static Delivery delivery(long recoveryPoint) {
    return Delivery.of(
        new Delivery.Writer("a-uuid", "plant", "delivery", "readings"), 1, recoveryPoint);
  }

  private Sink open(TableDescriptor descriptor, long recoveryPoint) {
    return connector().sink(descriptor, context).orElseThrow().open(delivery(recoveryPoint));
  }

  private static Batch batch(long from, long to) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (long i = from; i < to; i++) {
      builder.addRow("press", i);
    }
    return builder.build();
  }

  private static String line(long sequence) {
    return "{\"_site\":\"north\",\"_job\":\"plant\",\"_stream\":\"delivery/readings\",\"_seq\":%1$d,\"machine\":\"press\",\"n\":%1$d}"
        .formatted(sequence);
  }

  @Test
  void aRowSaysWhoHasSentItAndItsPlaceThere() {
    try (Feed sink = Feed.open(connector().sink(table(), context).orElseThrow(), delivery(0))) {
      sink.give(batch(1, 3));
      sink.give(batch(3, 4));
      sink.flushAll();
    }
    List<ConsumerRecord<String, String>> all = records.read(topic());
    assertThat(all.stream().map(ConsumerRecord::value)).containsExactly(line(1), line(2), line(3));
    assertThat(all).allMatch(row -> row.key() == null);
    assertThat(all).allMatch(row -> row.partition() == all.getFirst().partition());
  }

  /** Devices are killed at any moment, and some come back to life. */
  @Test
  void eachRowIsThereOnceAndInOrderWhoeverIsKilled() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Sink> killed = new ArrayList<>();
    List<NumberedBatch> outbox = new ArrayList<>();
    long rows = 0;
    for (int i = 0; i < 40; i++) {
      int size = 1 + random.nextInt(20);
      outbox.add(new NumberedBatch(rows + 1, batch(rows + 1, rows + 1 + size)));
      rows += size;
    }
    long acknowledged = 0;
    for (int kills = 0; kills < 6; kills++) {
      Sink sink = open(table(), acknowledged);
      killed.add(sink);
      long taken = sink.flush();
      for (int step = random.nextInt(40); step > 0; step--) {
        long from = taken;
        NumberedBatch next =
            outbox.stream().filter(batch -> batch.first() == from + 1).findFirst().orElse(null);
        if (next != null && random.nextInt(3) > 0) {
          taken = sink.offer(next) ? next.last() : taken;
        } else {
          long durable = sink.flush();
          acknowledged = random.nextBoolean() ? durable : acknowledged;
        }
      }
    }
    try (Feed last =
        Feed.open(connector().sink(table(), context).orElseThrow(), delivery(acknowledged))) {
      outbox.stream().filter(batch -> batch.first() > last.taken()).toList().forEach(last::give);
      last.flushAll();
    }
    killed.forEach(Sink::close);
    assertThat(records.values(topic()))
        .as("seed %d", seed)
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, rows).mapToObj(TopicSinkTest::line).toList());
  }

  @Test
  void theKeyOfARowHasTheSiteAndOneThatGoesATombstone() {
    try (Feed sink =
        Feed.open(
            connector().sink(table(SCHEMA, List.of(0)), context).orElseThrow(), delivery(0))) {
      BatchBuilder builder = new BatchBuilder(SCHEMA);
      builder.column(0).addString("press");
      builder.column(1).addLong(7);
      builder.endRow(ChangeKind.INSERT);
      sink.give(builder.build());
      builder = new BatchBuilder(SCHEMA);
      builder.column(0).addString("press");
      builder.column(1).addLong(7);
      builder.endRow(ChangeKind.DELETE);
      sink.give(builder.build());
      sink.flushAll();
    }
    List<ConsumerRecord<String, String>> all = records.read(topic());
    assertThat(all.stream().map(ConsumerRecord::key))
        .containsOnly("{\"_site\":\"north\",\"machine\":\"press\"}");
    assertThat(all.getFirst().value()).endsWith("\"_seq\":1,\"machine\":\"press\",\"n\":7}");
    assertThat(all.getLast().value()).isNull();
  }

  @Test
  void rowsOfARunAreThoseOfAJobOfItsOwn() {
    try (Feed sink =
        Feed.open(connector().sink(table(), context).orElseThrow(), Delivery.OF_A_RUN)) {
      sink.give(batch(1, 2));
      sink.flushAll();
    }
    assertThat(records.values(topic()))
        .singleElement()
        .asString()
        .containsPattern("\"_job\":\"run-[0-9a-f-]{36}\",\"_stream\":\"run/readings\",\"_seq\":1,");
  }

  @Test
  void rowsThatAreFullWaitSinceATopicLosesNone() {
    open(table(SCHEMA, List.of(), "when-full", "drop-oldest"), 0).close();
    assertThat(context.reports())
        .contains(
            "WARNING table readings: 'when-full' = 'drop-oldest' goes with a center; rows for"
                + " Kafka wait in the outbox");
  }

  @Test
  void whatATopicCannotHaveIsRefused() {
    Schema parts = Schema.builder().add("$partial", Type.STRING).build();
    assertRefused(
        table(parts, List.of()),
        "(test.sql:1): SET 'sedge.merge' = 'center' makes parts of windows, which a center merges");
    Schema twice = Schema.builder().add("_seq", Type.BIGINT).build();
    assertRefused(
        table(twice, List.of()),
        "table readings: column `_seq` has the name of one that is added to each row");
    assertRefused(
        table(SCHEMA, List.of(), "table-name", "Läden"),
        "table readings: its topic would be 'plant.Läden', and a topic has 1 to 249 letters,"
            + " digits, dots, _ and -: set 'table-name'");
  }

  private void assertRefused(TableDescriptor descriptor, String message) {
    assertThatThrownBy(() -> open(descriptor, 0))
        .isInstanceOfSatisfying(
            ConnectorException.class,
            e -> assertThat(e.kind()).isEqualTo(ConnectorException.Kind.USER))
        .hasMessageContaining(message);
  }
}
