package io.sedge.connector.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import io.sedge.broker.EmbeddedBroker;
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
import io.sedge.engine.column.BatchBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MqttSinkConformanceTest extends SinkConformance {
  private static final String MARK = "mark";

  private final EmbeddedBroker broker = EmbeddedBroker.builder().start();
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final List<String> properties = new CopyOnWriteArrayList<>();
  private final AtomicInteger marks = new AtomicInteger();
  private final Mqtt5AsyncClient subscriber =
      Mqtt5Client.builder().serverHost("127.0.0.1").serverPort(broker.port()).buildAsync();
  private int marked;
  private TestContext context;

  @BeforeEach
  void subscribe(@TempDir Path directory) {
    context = TestContext.live(directory);
    subscriber.publishes(MqttGlobalPublishFilter.ALL, this::receive);
    subscriber.connect().join();
    subscriber.subscribeWith().topicFilter("#").qos(MqttQos.AT_LEAST_ONCE).send().join();
  }

  private void receive(Mqtt5Publish publish) {
    String topic = publish.getTopic().toString();
    if (topic.equals(MARK)) {
      marks.incrementAndGet();
    } else {
      properties.add(
          publish.getUserProperties().asList().stream()
              .map(property -> property.getName() + "=" + property.getValue())
              .collect(Collectors.joining(" ")));
      received.add(topic + " " + new String(publish.getPayloadAsBytes(), UTF_8));
    }
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
    return ReadingsTable.at(broker.url());
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"north", "press " + number % 7, (long) number};
  }

  @Override
  protected String expected(int number) {
    return "plant/north/press %d %d".formatted(number % 7, number);
  }

  /** The broker has acknowledged the rows, so it sends them before what is published now. */
  @Override
  protected List<String> written() {
    marked++;
    try (Publisher publisher = new Publisher(broker.port())) {
      publisher.send(MARK, 1, "");
      publisher.settle();
    }
    Await.until(Duration.ofSeconds(60), () -> marks.get() == marked, () -> received.size());
    return received;
  }

  /** Who receives a row again knows it by them. */
  @Test
  void rowsOfAWriterCarryItsNameAndTheirSequences() {
    Delivery delivery =
        Delivery.of(new Delivery.Writer("plant", "press", "delivery", "alarms"), 1, 40);
    BatchBuilder two = new BatchBuilder(table().schema()).addRow(row(0)).addRow(row(1));
    try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow(), delivery)) {
      sink.give(new NumberedBatch(45, two.build()));
    }
    assertThat(written()).hasSize(2);
    String writer = "sedge-site=plant sedge-job=press sedge-table=alarms sedge-sequence=";
    assertThat(properties).containsExactly(writer + 45, writer + 46);
  }

  // Its sequences say nothing: they begin anew with each start.
  @Test
  void rowsOfARunCarryNothing() {
    try (Feed sink = Feed.open(connector().sink(table(), context()).orElseThrow())) {
      sink.give(new BatchBuilder(table().schema()).addRow(row(0)).build());
    }
    assertThat(written()).hasSize(1);
    assertThat(properties).containsExactly("");
  }
}
