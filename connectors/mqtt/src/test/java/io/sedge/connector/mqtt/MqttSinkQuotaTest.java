package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.FakeBroker;
import io.sedge.connector.mqtt.testkit.FakeBroker.Moment;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.AwaitedRow;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that has no room for a message now may have it later (MQTT 5, 3.4.2.1, 3.5.2.1). */
@Timeout(180)
final class MqttSinkQuotaTest {
  private static final int ROWS = 20;

  @TempDir private Path directory;

  private Feed open(FakeBroker broker, TestContext context, int qos, String min, String max) {
    return Feed.open(
        new MqttConnector()
            .sink(
                ReadingsTable.at(
                    broker.url(),
                    "qos",
                    "" + qos,
                    "reconnect.min-delay",
                    min,
                    "reconnect.max-delay",
                    max),
                context)
            .orElseThrow());
  }

  private static void write(Feed sink, int rows) {
    BatchBuilder builder = new BatchBuilder(ReadingsTable.SCHEMA);
    for (int row = 0; row < rows; row++) {
      builder.addRow("north", "press", (long) row);
    }
    assertThat(sink.offer(builder.build())).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatTheBrokerTakesNoMoreOfIsNotSentAgainAtOnce(int qos) {
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker = new FakeBroker(Moment.SUBSCRIBED, new byte[0])) {
      broker.refuse(Integer.MAX_VALUE);
      Feed sink = open(broker, context, qos, "1 h", "1 h");
      write(sink, 1);
      Await.until(
          Duration.ofSeconds(60), () -> !context.reports().isEmpty(), () -> broker.publishes());
      assertThat(context.reports().getFirst())
          .matches(
              "WARNING table readings: .* takes no more messages for now \\(quota exceeded\\);"
                  + " next attempt in [0-9.]+ s");
      for (int i = 0; i < 100; i++) {
        assertThat(sink.flush()).isFalse();
      }
      closeAtOnce(sink);
      assertThat(broker.publishes()).isOne();
      assertThat(context.wakeUps()).isZero();
    }
  }

  /** It would wait for the broker. */
  private static void closeAtOnce(Feed sink) {
    Thread.currentThread().interrupt();
    sink.close();
    assertThat(Thread.interrupted()).isTrue();
  }

  private static NumberedBatch awaited(long sequence, AwaitedRow waiting) {
    BatchBuilder row = new BatchBuilder(ReadingsTable.SCHEMA);
    row.addRow("north", "press", sequence);
    return new NumberedBatch(sequence, row.build(), Optional.of(waiting));
  }

  /** Nobody can know whether a broker that has not confirmed a message has it. */
  @Test
  void whoWaitsForARowHearsThatItWasSentBeforeItsTimeWasOver() {
    TestContext context = TestContext.live(directory);
    AwaitedRow waiting = new AwaitedRow();
    try (FakeBroker broker = new FakeBroker(Moment.SUBSCRIBED, new byte[0])) {
      broker.refuse(Integer.MAX_VALUE);
      try (Feed sink = open(broker, context, 1, "1 h", "1 h")) {
        sink.give(awaited(1, waiting));
        Await.until(
            Duration.ofSeconds(60), () -> !context.reports().isEmpty(), () -> broker.publishes());
        waiting.end();
        sink.flushAll();
      }
    }
    assertThat(waiting.said())
        .containsExactly("expired: it was sent, but not confirmed, and is not sent again");
  }

  @Test
  void whoWaitsForARowHearsThatALaterOneHasReplacedIt() {
    TestContext context = TestContext.live(directory);
    AwaitedRow first = new AwaitedRow();
    AwaitedRow second = new AwaitedRow();
    try (FakeBroker broker = new FakeBroker(Moment.SUBSCRIBED, new byte[0])) {
      broker.refuse(Integer.MAX_VALUE);
      TableDescriptor table = ReadingsTable.at(broker.url());
      TableDescriptor keyed =
          new TableDescriptor(
              table.name(),
              table.schema(),
              Map.of(),
              List.of(0, 1),
              List.of(),
              table.options(),
              table.location());
      try (Feed sink = Feed.open(new MqttConnector().sink(keyed, context).orElseThrow())) {
        sink.give(awaited(1, first));
        Await.until(
            Duration.ofSeconds(60), () -> !context.reports().isEmpty(), () -> broker.publishes());
        sink.give(awaited(2, second));
        Await.until(
            Duration.ofSeconds(60), () -> !first.said().isEmpty(), () -> broker.publishes());
        broker.refuse(0);
        sink.flushAll();
      }
    }
    assertThat(first.said())
        .containsExactly(
            "failed: a later row of topic 'plant/north/press' has replaced it;"
                + " it was sent before, but not confirmed");
    assertThat(second.said()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void itIsSentAgainUntilTheBrokerHasRoomAndSaidOnce(int qos) {
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker = new FakeBroker(Moment.SUBSCRIBED, new byte[0])) {
      broker.refuse(5 * ROWS);
      try (Feed sink = open(broker, context, qos, "20 ms", "200 ms")) {
        write(sink, ROWS);
        Await.until(Duration.ofSeconds(60), sink::flush, () -> broker.publishes());
      }
      assertThat(broker.publishes()).isEqualTo(6 * ROWS);
      assertThat(context.reports()).hasSize(1);
      assertThat(context.wakeUps()).isPositive();
    }
  }
}
