package io.sedge.connector.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.broker.EmbeddedBroker;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.FakeBroker;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code 'shard.values' = '*'} finds. */
@Timeout(120)
final class ShardValuesTest {
  private final TestContext context;

  ShardValuesTest(@TempDir Path directory) {
    context = TestContext.live(directory);
  }

  private Source source(String url, String version) {
    return new MqttConnector()
        .source(
            ReadingsTable.at(
                url,
                "version",
                version,
                "client-id",
                "one",
                "shard.by",
                "machine",
                "shard.values",
                "*"),
            context)
        .orElseThrow();
  }

  private static CompletableFuture<List<String>> values(Source source) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return source.values();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** At the same time, and under one client identifier. */
  @Test
  void thoseThatSpeakAreFoundAndThoseThatCannotBeShardsAreLeftOut() {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Publisher publisher = new Publisher(broker.port())) {
      publisher.send("plant/north/gone", 1, true, "1".getBytes(UTF_8));
      publisher.settle();
      Source newer = source(broker.url(), "5");
      assertThat(newer.division()).isEqualTo(new Division.Undiscovered(1, "shard.values"));
      List<CompletableFuture<List<String>>> found =
          List.of(values(newer), values(newer), values(source(broker.url(), "3.1.1")));
      List<String> machines =
          List.of("mill", "look", "a;b", "", " x", "${secret:s}", "y".repeat(101), "press");
      Await.until(
          Duration.ofSeconds(60),
          () -> {
            machines.forEach(name -> publisher.send("plant/south/" + name, 0, "1"));
            publisher.settle();
            return found.stream().allMatch(CompletableFuture::isDone);
          },
          () -> found);
      assertThat(found)
          .allSatisfy(each -> assertThat(each.join()).containsExactly("look", "mill", "press"));
    }
  }

  @Test
  void aBrokerThatIsAwayOrRefusesIsSaidWithTheReason() {
    EmbeddedBroker gone = EmbeddedBroker.builder().start();
    String url = gone.url();
    gone.close();
    CompletableFuture<List<String>> away = values(source(url, "5"));
    try (FakeBroker broker =
        new FakeBroker(FakeBroker.Moment.SUBSCRIBED, new byte[] {(byte) 0xD0, 0})) {
      broker.grant((byte) 0x87);
      assertThatThrownBy(() -> source(broker.url(), "5").values())
          .isInstanceOf(ConnectorException.class)
          .hasMessageContaining("the topics of")
          .hasMessageContaining("cannot be seen: [NOT_AUTHORIZED]");
    }
    assertThatThrownBy(away::join)
        .hasCauseInstanceOf(ConnectorException.class)
        .hasMessageContaining("nobody listens there");
  }
}
