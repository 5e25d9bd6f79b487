package io.sedge.connector.mqtt.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.MqttConnector;
import io.sedge.connector.mqtt.internal.MqttOptions.Sharding;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.FakeBroker;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.TestContext;
import io.sedge.mqtt.BrokerAddress;
import io.sedge.mqtt.ConnectionSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class UnreadValuesTest {
  private static final UnreadValues.Rhythm QUICK =
      new UnreadValues.Rhythm(
          Duration.ofMillis(10),
          Duration.ofMillis(50),
          new TopicLook.Bounds(Duration.ofMillis(1500), 1000, 1 << 20));

  private final TestContext context;

  UnreadValuesTest(@TempDir Path directory) {
    context = TestContext.live(directory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "3.1.1"})
  void aMachineThatNoShardHasIsSaidAndOnesThatShardsHaveAreNot(String version) {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Publisher publisher = new Publisher(broker.port());
        UnreadValues unread = unread(broker.url(), version)) {
      publisher.send("plant/north/gone", 0, true, "1".getBytes(UTF_8));
      publisher.settle();
      unread.start();
      until(
          () -> !context.reports().isEmpty(),
          () -> {
            publisher.send("plant/north/a", 1, "1");
            publisher.send("elsewhere/north/x", 1, "1");
            publisher.send("plant/south/heater-9", 1, "1");
          });
      assertThat(context.reports())
          .first()
          .asString()
          .contains(
              "table t: no shard reads machine 'heater-9' (topic plant/south/heater-9): add what is"
                  + " missing to 'shard.values'");
    }
  }

  /** It is said again at once when there is another, else after gaps. */
  @Test
  void eachNewOneIsSaidOnce() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Publisher publisher = new Publisher(broker.port());
        UnreadValues unread = unread(broker.url(), "5")) {
      unread.start();
      until(() -> !context.reports().isEmpty(), () -> publisher.send("plant/n/c", 1, "1"));
      for (int i = 0; i < 40; i++) {
        publisher.send("plant/n/c", 1, "1");
        pause();
      }
      assertThat(context.reports()).hasSize(1);
      until(
          () -> context.reports().size() == 2,
          () ->
              List.of("c", "d", "e", "f", "g", "h")
                  .forEach(name -> publisher.send("plant/n/" + name, 1, "1")));
      assertThat(context.reports().getLast())
          .contains("no shard reads machine 'd', 'e', 'f', 'g', 'h' and 1 more");
    }
  }

  @Test
  void aBrokerThatDoesNotLetItLookIsSaidAndLeftInPeace() {
    try (FakeBroker broker =
            new FakeBroker(FakeBroker.Moment.SUBSCRIBED, new byte[] {(byte) 0xD0, 0});
        UnreadValues unread = unread(broker.url(), "5")) {
      broker.grant((byte) 0x87);
      unread.start();
      until(() -> !context.reports().isEmpty(), () -> {});
      int connections = broker.connections();
      for (int i = 0; i < 20; i++) {
        pause();
      }
      assertThat(context.reports()).hasSize(1);
      assertThat(context.reports().getFirst())
          .contains("does not let this client see plant/+/+")
          .contains("NOT_AUTHORIZED");
      assertThat(broker.connections()).isEqualTo(connections);
    }
  }

  /** That it cannot connect is the reader's to say. */
  @Test
  void aBrokerThatIsAwayIsNotSaidAndLookedAtLater() {
    EmbeddedBroker first = EmbeddedBroker.builder().start();
    int port = first.port();
    first.close();
    try (UnreadValues unread = unread("mqtt://127.0.0.1:" + port, "5")) {
      unread.start();
      for (int i = 0; i < 20; i++) {
        pause();
      }
      assertThat(context.reports()).isEmpty();
      try (EmbeddedBroker again = EmbeddedBroker.builder().port(port).start();
          Publisher publisher = new Publisher(again.port())) {
        until(() -> !context.reports().isEmpty(), () -> publisher.send("plant/n/c", 1, "1"));
      }
      assertThat(context.reports().getFirst()).contains("machine 'c'");
    }
  }

  /** As a job has it: the first shard's reader looks, the second's does not. */
  @Test
  void theFirstShardLooksForAll() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Publisher publisher = new Publisher(broker.port());
        SourceReader first = shard(broker, "a");
        SourceReader second = shard(broker, "b")) {
      until(
          () -> !context.reports().isEmpty(),
          () -> {
            first.poll(System.nanoTime());
            second.poll(System.nanoTime());
            publisher.send("plant/n/c", 1, "1");
          });
      assertThat(context.reports()).singleElement().asString().contains("machine 'c'");
    }
  }

  private SourceReader shard(EmbeddedBroker broker, String name) {
    return new MqttConnector()
        .source(
            ReadingsTable.at(broker.url(), "shard.by", "machine", "shard.values", "a;b"), context)
        .orElseThrow()
        .shard(name)
        .open();
  }

  private UnreadValues unread(String url, String version) {
    return new UnreadValues(
        new Sharding("machine", List.of("a", "b")),
        List.of(TopicPattern.parse("plant/{zone}/{machine}")),
        new ConnectionSettings(
            "t",
            BrokerAddress.parse(url),
            version.equals("5"),
            null,
            null,
            null,
            null,
            null,
            60,
            Duration.ofSeconds(10),
            Duration.ofMillis(20),
            Duration.ofMillis(200)),
        context,
        QUICK);
  }

  private void until(BooleanSupplier done, Runnable meanwhile) {
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          meanwhile.run();
          pause();
          return done.getAsBoolean();
        },
        () -> context.reports());
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
