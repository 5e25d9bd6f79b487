package io.sedge.connector.mqtt;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose messages wait in the broker are what can be read and read again. */
final class MqttSourceConformanceTest extends SourceConformance {
  private static final int COUNT = 300;

  private final EmbeddedBroker broker = EmbeddedBroker.builder().start();
  @TempDir private Path directory;

  @BeforeEach
  void fillTheSessions() {
    beginSession("conformance", "plant/+/+");
    beginSession("divided-press", "plant/+/press");
    beginSession("divided-mill", "plant/+/mill");
    try (Publisher publisher = new Publisher(broker.port())) {
      for (int i = 0; i < COUNT; i++) {
        publisher.send("plant/north/" + machine(i), 1, "" + i);
      }
      publisher.settle();
    }
  }

  private void beginSession(String name, String filter) {
    Mqtt5BlockingClient client =
        Mqtt5Client.builder()
            .identifier(name)
            .serverHost("127.0.0.1")
            .serverPort(broker.port())
            .buildBlocking();
    client.connectWith().cleanStart(true).sessionExpiryInterval(3600).send();
    client.subscribeWith().topicFilter(filter).qos(MqttQos.AT_LEAST_ONCE).send();
    client.disconnect();
  }

  private static String machine(long number) {
    return number % 3 == 0 ? "mill" : "press";
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  @Override
  protected ConnectorFactory connector() {
    return new MqttConnector();
  }

  @Override
  protected TableDescriptor table() {
    return ReadingsTable.at(broker.url(), "client-id", "conformance");
  }

  @Override
  protected Optional<TableDescriptor> dividedTable() {
    return Optional.of(
        ReadingsTable.at(
            broker.url(),
            "client-id",
            "divided",
            "shard.by",
            "machine",
            "shard.values",
            "press;mill"));
  }

  @Override
  protected TestContext context() {
    return TestContext.live(directory);
  }

  @Override
  protected List<List<Object>> expected() {
    return LongStream.range(0, COUNT)
        .mapToObj(number -> List.<Object>of("north", machine(number), number))
        .toList();
  }

  @Override
  protected boolean isBounded() {
    return false;
  }
}
