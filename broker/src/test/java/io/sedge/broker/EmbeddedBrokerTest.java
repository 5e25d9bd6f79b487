package io.sedge.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient.Mqtt5Publishes;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class EmbeddedBrokerTest {
  private static Mqtt5BlockingClient client(EmbeddedBroker broker, String id) {
    return Mqtt5Client.builder()
        .identifier(id)
        .serverHost("127.0.0.1")
        .serverPort(broker.port())
        .buildBlocking();
  }

  private static void publish(Mqtt5BlockingClient client, String topic, String payload) {
    client
        .publishWith()
        .topic(topic)
        .qos(MqttQos.AT_LEAST_ONCE)
        .payload(payload.getBytes(UTF_8))
        .send();
  }

  private static String text(Mqtt5Publish publish) {
    return new String(publish.getPayloadAsBytes(), UTF_8);
  }

  @Test
  void twoBrokersInOneProcessEachHaveAPortAndTheirOwnMessages() throws Exception {
    try (EmbeddedBroker one = EmbeddedBroker.builder().start();
        EmbeddedBroker two = EmbeddedBroker.builder().start()) {
      assertThat(one.port()).isPositive().isNotEqualTo(two.port());
      assertThat(one.url()).isEqualTo("mqtt://127.0.0.1:" + one.port());
      Mqtt5BlockingClient reader = client(one, "reader");
      reader.connect();
      try (Mqtt5Publishes publishes = reader.publishes(MqttGlobalPublishFilter.ALL)) {
        reader.subscribeWith().topicFilter("plant/#").qos(MqttQos.AT_LEAST_ONCE).send();
        Mqtt5BlockingClient stranger = client(two, "writer");
        stranger.connect();
        publish(stranger, "plant/a", "from the other broker");
        Mqtt5BlockingClient writer = client(one, "writer");
        writer.connect();
        publish(writer, "plant/a", "21.5");
        assertThat(publishes.receive(30, TimeUnit.SECONDS))
            .hasValueSatisfying(publish -> assertThat(text(publish)).isEqualTo("21.5"));
        stranger.disconnect();
        writer.disconnect();
      }
      reader.disconnect();
    }
  }

  @Test
  void whatIsKeptInADirectoryOutlivesTheBroker(@TempDir Path directory) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(directory).start()) {
      Mqtt5BlockingClient sleeper = client(broker, "sleeper");
      sleeper.connectWith().cleanStart(true).sessionExpiryInterval(3600).send();
      sleeper.subscribeWith().topicFilter("plant/#").qos(MqttQos.AT_LEAST_ONCE).send();
      sleeper.disconnect();
      Mqtt5BlockingClient writer = client(broker, "writer");
      writer.connect();
      for (int i = 0; i < 100; i++) {
        publish(writer, "plant/a", "message " + i);
      }
      writer.disconnect();
    }
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(directory).start()) {
      Mqtt5BlockingClient sleeper = client(broker, "sleeper");
      try (Mqtt5Publishes publishes = sleeper.publishes(MqttGlobalPublishFilter.ALL)) {
        boolean present =
            sleeper
                .connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(0)
                .send()
                .isSessionPresent();
        assertThat(present).isTrue();
        for (int i = 0; i < 100; i++) {
          Optional<Mqtt5Publish> publish = publishes.receive(30, TimeUnit.SECONDS);
          assertThat(publish).isPresent();
          assertThat(text(publish.get())).isEqualTo("message " + i);
        }
      }
      sleeper.disconnect();
    }
  }

  /** More than HiveMQ keeps for a group unless it is told. */
  @Test
  void aShareGroupThatIsAwayGetsAsMuchAsAClient() throws Exception {
    int count = 1_500;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      Mqtt5BlockingClient sleeper = client(broker, "sleeper");
      sleeper.connectWith().cleanStart(true).sessionExpiryInterval(3600).send();
      sleeper.subscribeWith().topicFilter("$share/group/plant/#").qos(MqttQos.AT_LEAST_ONCE).send();
      sleeper.disconnect();
      Mqtt5BlockingClient writer = client(broker, "writer");
      writer.connect();
      for (int i = 0; i < count; i++) {
        publish(writer, "plant/a", "message " + i);
      }
      writer.disconnect();
      try (Mqtt5Publishes publishes = sleeper.publishes(MqttGlobalPublishFilter.ALL)) {
        sleeper.connectWith().cleanStart(false).sessionExpiryInterval(0).send();
        for (int i = 0; i < count; i++) {
          Optional<Mqtt5Publish> publish = publishes.receive(30, TimeUnit.SECONDS);
          assertThat(publish).as("message %d", i).isPresent();
          assertThat(text(publish.get())).isEqualTo("message " + i);
        }
      }
      sleeper.disconnect();
    }
  }

  /** A device's memory must not grow with the time that a client is away. */
  @Test
  void theQueueOfAClientThatIsAwayIsBounded() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().maxQueuedMessages(10).start()) {
      Mqtt5BlockingClient sleeper = client(broker, "sleeper");
      sleeper.connectWith().cleanStart(true).sessionExpiryInterval(3600).send();
      sleeper.subscribeWith().topicFilter("plant/#").qos(MqttQos.AT_LEAST_ONCE).send();
      sleeper.disconnect();
      Mqtt5BlockingClient writer = client(broker, "writer");
      writer.connect();
      for (int i = 0; i < 50; i++) {
        publish(writer, "plant/a", "message " + i);
      }
      List<String> received = new ArrayList<>();
      try (Mqtt5Publishes publishes = sleeper.publishes(MqttGlobalPublishFilter.ALL)) {
        sleeper.connectWith().cleanStart(false).sessionExpiryInterval(0).send();
        for (int i = 0; i < 10; i++) {
          publishes.receive(30, TimeUnit.SECONDS).ifPresent(publish -> received.add(text(publish)));
        }
        // Until the broker has the acknowledgements of the ten, its queue is full and refuses.
        for (int i = 0; i < 20 && received.size() == 10; i++) {
          publish(writer, "plant/a", "last");
          publishes.receive(5, TimeUnit.SECONDS).ifPresent(publish -> received.add(text(publish)));
        }
      }
      assertThat(received).hasSize(11).startsWith("message 0").endsWith("message 9", "last");
      BrokerTraffic traffic = broker.traffic();
      assertThat(traffic.received()).isEqualTo(traffic.sent() + traffic.dropped());
      assertThat(traffic.dropped()).isGreaterThanOrEqualTo(40);
      writer.disconnect();
      sleeper.disconnect();
    }
  }

  @Test
  void withALoginNobodyElseGetsIn() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().login("ann", "s3cret").start()) {
      Mqtt5BlockingClient client = client(broker, "client");
      assertThatThrownBy(client::connect).isInstanceOf(Mqtt5ConnAckException.class);
      assertThatThrownBy(
              () ->
                  client
                      .connectWith()
                      .simpleAuth()
                      .username("ann")
                      .password("guess".getBytes(UTF_8))
                      .applySimpleAuth()
                      .send())
          .isInstanceOf(Mqtt5ConnAckException.class);
      client
          .connectWith()
          .simpleAuth()
          .username("ann")
          .password("s3cret".getBytes(UTF_8))
          .applySimpleAuth()
          .send();
      client.disconnect();
    }
  }

  @Test
  void othersAreNotListenedToWithoutTls() {
    assertThatThrownBy(() -> EmbeddedBroker.builder().host("0.0.0.0").start())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "the broker shall listen on 0.0.0.0, which others can reach, without TLS; give it a"
                + " certificate and the authority of its clients, or use 127.0.0.1");
  }

  @Test
  void aBrokerThatCannotStartLeavesNoPasswordsBehind(@TempDir Path directory) throws Exception {
    String password = "secret-" + UUID.randomUUID();
    Path file = Files.createFile(directory.resolve("file"));
    EmbeddedBroker.Builder builder =
        EmbeddedBroker.builder()
            .tls(new BrokerTls(file, password, file, password))
            .dataDirectory(file);
    assertThatThrownBy(builder::start)
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining(file.toString());
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(
              files
                  .filter(scratch -> scratch.getFileName().toString().startsWith("sedge-broker"))
                  .filter(scratch -> holds(scratch.resolve("conf/config.xml"), password)))
          .isEmpty();
    }
  }

  @Test
  void dataThatAnotherBrokerHasAreNamed(@TempDir Path directory) {
    EmbeddedBroker.Builder builder = EmbeddedBroker.builder().dataDirectory(directory);
    try (EmbeddedBroker _ = builder.start()) {
      assertThatThrownBy(builder::start)
          .isInstanceOf(BrokerException.class)
          .hasMessage(
              "the broker cannot use its data in %s: another broker has it, or is about to stop;"
                      .formatted(directory)
                  + " wait until that one has ended, or choose another directory");
    }
  }

  @Test
  void theNextBrokerMayHaveThePortAtOnce() throws Exception {
    CountDownLatch disconnected = new CountDownLatch(1);
    int port;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      port = broker.port();
      Mqtt5Client.builder()
          .serverHost("127.0.0.1")
          .serverPort(port)
          .addDisconnectedListener(_ -> disconnected.countDown())
          .buildBlocking()
          .connect();
    }
    try (EmbeddedBroker broker = EmbeddedBroker.builder().port(port).start()) {
      assertThat(broker.port()).isEqualTo(port);
      assertThat(disconnected.await(30, TimeUnit.SECONDS)).isTrue();
      Mqtt5BlockingClient client = client(broker, "client");
      client.connect();
      publish(client, "plant/a", "to the next broker");
      assertThat(broker.traffic().received()).isEqualTo(1);
      client.disconnect();
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file).contains(text);
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      assertThatThrownBy(() -> EmbeddedBroker.builder().port(broker.port()).start())
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("127.0.0.1 port " + broker.port())
          .hasMessageContaining("is another broker running?");
    }
  }
}
