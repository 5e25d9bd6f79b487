package io.sedge.connector.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.FakeBroker;
import io.sedge.connector.mqtt.testkit.FakeBroker.Moment;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a broker may not do, and some do. */
@Timeout(120)
final class HostileBrokerTest {
  private static final byte[] NOTHING = {};

  @TempDir private Path directory;

  private static SourceReader open(FakeBroker broker, TestContext context, String... options) {
    return new MqttConnector()
        .source(ReadingsTable.at(broker.url(), options), context)
        .orElseThrow()
        .open();
  }

  private static SourceReader open(FakeBroker broker, String version, TestContext context) {
    return open(
        broker, context, "version", version, "client-id", "one", "reconnect.max-delay", "20 ms");
  }

  /** A gateway's log must not fill its disk, however often a broker drops its connection. */
  @ParameterizedTest
  @CsvSource({"ACCEPTED,5", "CONNECTED,5", "SUBSCRIBED,5", "ACCEPTED,3.1.1", "CONNECTED,3.1.1"})
  void aBrokerThatDropsEachConnectionIsReportedAFewTimes(Moment moment, String version) {
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker = new FakeBroker(moment, NOTHING);
        SourceReader reader = open(broker, version, context)) {
      Poller poller = new Poller(reader, 1);
      poller.until(() -> broker.connections() > 100);
      assertThat(context.reports()).hasSizeBetween(8, 19);
      assertThat(poller.rows()).isEmpty();
    }
  }

  /** Else a table would stay without its rows, or without half of them, and nobody know. */
  @ParameterizedTest
  @CsvSource({"5,true", "5,false", "3.1.1,true", "3.1.1,false"})
  void aSubscriptionThatIsRefusedEndsTheJob(String version, boolean whole) {
    byte refused = (byte) (version.equals("5") ? 0x87 : 0x80);
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker =
        new FakeBroker(
            Moment.SUBSCRIBED, FakeBroker.publish(version.equals("5"), bytes("plant/a/b"), "1"))) {
      broker.grant(whole ? refused : 1, refused);
      try (SourceReader reader =
          open(
              broker,
              context,
              "version",
              version,
              "client-id",
              "one",
              "shard.by",
              "machine",
              "shard.values",
              "press;mill")) {
        Poller poller = new Poller(reader, 1);
        assertThatThrownBy(() -> poller.until(() -> false))
            .isInstanceOf(ConnectorException.class)
            .hasMessageContaining("refuses the subscription to plant/");
      }
    }
  }

  private static void until(Poller poller, FakeBroker broker, TestContext context) {
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          poller.poll();
          return !poller.rows().isEmpty();
        },
        () -> broker.connections() + " connections, " + context.malformed() + context.reports());
  }

  static Stream<Arguments> topics() {
    return Stream.of("5", "3.1.1")
        .flatMap(
            version ->
                Stream.of(
                    Arguments.of(version, "a wildcard (MQTT 5, 3.3.2-2)", bytes("plant/+/b")),
                    Arguments.of(version, "a wildcard (MQTT 5, 3.3.2-2)", bytes("plant/#")),
                    Arguments.of(version, "U+0000 (MQTT 5, 1.5.4-2)", bytes("plant/a/\0")),
                    Arguments.of(
                        version, "no UTF-8 (MQTT 5, 1.5.4-1)", new byte[] {'a', (byte) 0xC3, '('}),
                    Arguments.of(
                        version,
                        "a surrogate (MQTT 5, 1.5.4-1)",
                        new byte[] {'a', '/', (byte) 0xED, (byte) 0xA0, (byte) 0x80})));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** It cannot become a row, and reading goes on with the next connection. */
  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("topics")
  void aTopicThatIsNoneEndsTheConnection(String version, String what, byte[] topic) {
    boolean version5 = version.equals("5");
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker =
            new FakeBroker(
                Moment.SUBSCRIBED,
                FakeBroker.publish(version5, topic, "1"),
                FakeBroker.publish(version5, bytes("plant/größe/温度"), "2"));
        SourceReader reader = open(broker, version, context)) {
      Poller poller = new Poller(reader, 1);
      until(poller, broker, context);
      assertThat(poller.rows().getFirst()).containsExactly("größe", "温度", 2L);
      assertThat(poller.rows()).hasSize(1);
      assertThat(context.reports().getFirst()).startsWith("WARNING table readings: lost");
    }
  }

  /** A broker that was away for longer than the session, as of a machine switched off at night. */
  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  void aSessionThatIsOverForTheClientAndKeptByTheBrokerGoesOn(int qos) {
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker =
        new FakeBroker(
            Moment.SUBSCRIBED, NOTHING, FakeBroker.publish(true, bytes("plant/a/b"), "7"))) {
      broker.keepSessions();
      try (SourceReader reader =
          open(
              broker,
              context,
              "qos",
              "" + qos,
              "session-expiry",
              "1 s",
              "reconnect.min-delay",
              "3 s",
              "reconnect.max-delay",
              "3 s")) {
        Poller poller = new Poller(reader, 1);
        until(poller, broker, context);
        assertThat(poller.rows().getFirst()).containsExactly("a", "b", 7L);
      }
    }
  }

  /** Of a packet that is announced as large as MQTT allows nothing is set aside in advance. */
  @ParameterizedTest
  @CsvSource({"5", "3.1.1"})
  void garbageEndsTheConnection(String version) {
    boolean version5 = version.equals("5");
    TestContext context = TestContext.live(directory);
    try (FakeBroker broker =
            new FakeBroker(
                Moment.SUBSCRIBED,
                new byte[] {0x30, -1, -1, -1, -1, 1},
                new byte[] {0x36, 5, 0, 1, 'a', 0, 1},
                new byte[] {0, 0, 0, 0},
                FakeBroker.publish(version5, bytes("plant/a/b"), "2"));
        SourceReader reader = open(broker, version, context)) {
      Poller poller = new Poller(reader, 1);
      until(poller, broker, context);
      assertThat(poller.rows().getFirst()).containsExactly("a", "b", 2L);
      assertThat(broker.connections())
          .as("one more than packets of garbage")
          .isGreaterThanOrEqualTo(4);
    }
  }
}
