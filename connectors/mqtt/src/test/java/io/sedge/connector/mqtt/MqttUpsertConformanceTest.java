package io.sedge.connector.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table with a PRIMARY KEY: each topic keeps the last row of its key. */
final class MqttUpsertConformanceTest extends SinkConformance {
  private static final String MARK = "mark";

  private final EmbeddedBroker broker = EmbeddedBroker.builder().start();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger marks = new AtomicInteger();
  private int marked;
  private final Mqtt5AsyncClient subscriber = client();
  private TestContext context;

  private Mqtt5AsyncClient client() {
    return Mqtt5Client.builder().serverHost("127.0.0.1").serverPort(broker.port()).buildAsync();
  }

  @BeforeEach
  void subscribe(@TempDir Path directory) {
    context = TestContext.live(directory);
    subscriber.publishes(MqttGlobalPublishFilter.ALL, this::receive);
    subscriber.connect().join();
    subscriber.subscribeWith().topicFilter("#").qos(MqttQos.AT_LEAST_ONCE).send().join();
  }

  private void receive(Mqtt5Publish publish) {
    if (publish.getTopic().toString().equals(MARK)) {
      marks.incrementAndGet();
    } else {
      received.add(text(publish));
    }
  }

  private static String text(Mqtt5Publish publish) {
    return publish.getTopic() + " " + new String(publish.getPayloadAsBytes(), UTF_8);
  }

  @AfterEach
  void stop() {
    subscriber.disconnect().join();
    broker.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return new MqttConnector();
  }

  @Override
  protected TableDescriptor table() {
    return keyed(List.of(0, 1));
  }

  private TableDescriptor keyed(List<Integer> key, String... options) {
    TableDescriptor table = ReadingsTable.at(broker.url(), options);
    return new TableDescriptor(
        table.name(), table.schema(), Map.of(), key, List.of(), table.options(), table.location());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"north", "press " + number, (long) number};
  }

  @Override
  protected String expected(int number) {
    return "plant/north/press %d %d".formatted(number, number);
  }

  @Override
  protected List<String> written() {
    settle();
    return received;
  }

  /** The broker has acknowledged the rows, so it sends them before what is published now. */
  private void settle() {
    marked++;
    try (Publisher publisher = new Publisher(broker.port())) {
      publisher.send(MARK, 1, "");
      publisher.settle();
    }
    Await.until(Duration.ofSeconds(60), () -> marks.get() == marked, () -> received.size());
  }

  /** What somebody gets who subscribes now. */
  private Map<String, String> kept() {
    settle();
    Map<String, String> kept = new ConcurrentHashMap<>();
    AtomicInteger seen = new AtomicInteger();
    Mqtt5AsyncClient late = client();
    late.publishes(
        MqttGlobalPublishFilter.ALL,
        publish -> {
          if (publish.getTopic().toString().equals(MARK)) {
            seen.incrementAndGet();
          } else {
            kept.put(publish.getTopic().toString(), new String(publish.getPayloadAsBytes(), UTF_8));
          }
        });
    late.connect().join();
    late.subscribeWith().topicFilter("#").qos(MqttQos.AT_LEAST_ONCE).send().join();
    late.publishWith().topic(MARK).qos(MqttQos.AT_LEAST_ONCE).send().join();
    Await.until(Duration.ofSeconds(60), () -> seen.get() == 1, () -> kept);
    late.disconnect().join();
    return kept;
  }

  private static void add(BatchBuilder builder, ChangeKind kind, String machine, long number) {
    builder.column(0).add("north");
    builder.column(1).add(machine);
    builder.column(2).add(number);
    builder.endRow(kind);
  }

  private static Batch changes() {
    BatchBuilder builder = new BatchBuilder(ReadingsTable.SCHEMA);
    add(builder, ChangeKind.INSERT, "a", 1);
    add(builder, ChangeKind.INSERT, "b", 2);
    add(builder, ChangeKind.UPDATE_BEFORE, "a", 1);
    add(builder, ChangeKind.UPDATE_AFTER, "a", 3);
    return builder.build();
  }

  // A batch is a commit's: what came in between is nobody's business, and would cost the link.
  @Test
  void ofABatchTheLastRowOfEachKeyIsSentAndKept() {
    try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow())) {
      sink.give(changes());
      sink.flushAll();
    }
    assertThat(written()).containsExactly("plant/north/b 2", "plant/north/a 3");
    assertThat(kept()).isEqualTo(Map.of("plant/north/b", "2", "plant/north/a", "3"));
  }

  @Test
  void aRowThatItsFormatCannotHoldLeavesTheOneBefore() {
    context.refuse(List.of("north", "a", 3L));
    BatchBuilder builder = new BatchBuilder(ReadingsTable.SCHEMA);
    add(builder, ChangeKind.INSERT, "a", 1);
    add(builder, ChangeKind.INSERT, "b", 2);
    add(builder, ChangeKind.UPDATE_AFTER, "a", 3);
    try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow())) {
      sink.give(builder.build());
      sink.flushAll();
    }
    assertThat(written()).containsExactly("plant/north/a 1", "plant/north/b 2");
    assertThat(context.malformed()).hasSize(1);
  }

  // MQTT 5, 3.3.1.3: an empty retained payload removes what the broker keeps.
  @Test
  void aRowThatIsGoneIsAnEmptyPayloadAndNobodyGetsItLater() {
    BatchBuilder gone = new BatchBuilder(ReadingsTable.SCHEMA);
    add(gone, ChangeKind.DELETE, "a", 3);
    add(gone, ChangeKind.UPDATE_BEFORE, "b", 2); // A filter passed it, and not what it became.
    try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow())) {
      sink.give(changes());
      sink.flushAll();
      sink.give(gone.build());
      sink.flushAll();
    }
    assertThat(written()).endsWith("plant/north/a ", "plant/north/b ");
    assertThat(kept()).isEmpty();
  }

  @Test
  void rowsThatAreDeliveredAgainLeaveTheSameRows() {
    Delivery again =
        Delivery.of(new Delivery.Writer("plant", "press", "delivery", "readings"), 1, 0);
    for (int times = 0; times < 2; times++) {
      try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow(), again)) {
        sink.give(new NumberedBatch(1, changes()));
        sink.flushAll();
      }
    }
    assertThat(kept()).isEqualTo(Map.of("plant/north/b", "2", "plant/north/a", "3"));
  }

  @Test
  void nothingIsKeptIfTheTableSaysSo() {
    TableDescriptor table = keyed(List.of(0, 1), "retain", "false");
    try (Feed sink = Feed.open(connector().sink(table, context()).orElseThrow())) {
      sink.give(changes());
      sink.flushAll();
    }
    assertThat(written()).hasSize(2);
    assertThat(kept()).isEmpty();
  }

  @Test
  void theTopicMustHaveTheColumnsOfTheKeyAndNoOthers() {
    assertThatThrownBy(() -> connector().sink(keyed(List.of(1)), context()))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("must have the columns of the PRIMARY KEY and no others, {machine}:");
    TableDescriptor changes = keyed(List.of(0, 1), "format", "debezium-json");
    assertThatThrownBy(() -> connector().sink(changes, context()))
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("'format' = 'debezium-json' writes each change");
  }
}
