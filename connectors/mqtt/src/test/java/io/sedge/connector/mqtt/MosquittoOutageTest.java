package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A broker that dies under load. */
@Timeout(180)
final class MosquittoOutageTest {
  private static final int COUNT = 4_000;
  private static final int OUTAGES = 3;

  @TempDir private Path data;
  @TempDir private Path directory;
  private final Set<Long> numbers = new TreeSet<>();
  private int seen;

  /**
   * What the broker had acknowledged to the publisher must come out. The publisher itself sends
   * again what it had no answer for, so some may come twice: that is its QoS 1, not ours.
   */
  @ParameterizedTest
  @CsvSource({"5,kill -9", "3.1.1,kill -9", "5,stop"})
  void nothingIsLostWhenTheBrokerEndsUnderLoadAndIsStartedAgain(String version, String end)
      throws Exception {
    TestContext context = TestContext.live(directory);
    try (Mosquitto mosquitto = mosquitto();
        SourceReader reader = reader(mosquitto, 1, version, context);
        Publisher publisher = new Publisher(mosquitto.port())) {
      Poller poller = subscribed(reader, publisher, context);
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < COUNT; i++) {
                      publisher.send("plant/a/b", 1, "" + i);
                    }
                  });
      for (int outage = 1; outage <= OUTAGES; outage++) {
        until(poller, outage * COUNT / (OUTAGES + 1), context);
        if (end.equals("stop")) {
          mosquitto.stop();
        } else {
          mosquitto.kill();
        }
        mosquitto.start();
      }
      until(poller, COUNT, context);
      sender.join();
      publisher.settle();
      assertThat(missing(poller)).isEmpty();
      assertThat(poller.rows().size()).isLessThan(2 * COUNT);
      assertThat(context.reports())
          .anyMatch(report -> report.contains("lost the connection"))
          .noneMatch(report -> report.contains("forgotten"));
    }
  }

  /**
   * The publisher's own exchanges are over whenever the broker ends, since Mosquitto forgets its
   * part of them; the exchanges with the reader are not.
   */
  @Test
  void atQos2NothingIsLostOrRepeatedWhenTheBrokerIsStoppedAndStartedAgain() throws Exception {
    TestContext context = TestContext.live(directory);
    try (Mosquitto mosquitto = mosquitto();
        SourceReader reader = reader(mosquitto, 2, "5", context);
        Publisher publisher = new Publisher(mosquitto.port())) {
      Poller poller = subscribed(reader, publisher, context);
      int portion = COUNT / OUTAGES;
      for (int outage = 0; outage < OUTAGES; outage++) {
        for (int i = 0; i < portion; i++) {
          publisher.send("plant/a/b", 2, "" + (outage * portion + i));
        }
        publisher.settle();
        until(poller, outage * portion + portion / 2, context);
        mosquitto.stop();
        mosquitto.start();
      }
      until(poller, OUTAGES * portion, context);
      List<?> all =
          poller.rows().stream().map(row -> (Long) row.get(2)).filter(n -> n >= 0).toList();
      assertThat(all.size()).isEqualTo(OUTAGES * portion);
      assertThat(context.reports())
          .anyMatch(report -> report.contains("lost the connection"))
          .noneMatch(report -> report.contains("forgotten"));
    }
  }

  private Mosquitto mosquitto() {
    return Mosquitto.start(data, List.of("allow_anonymous true", "set_tcp_nodelay true"));
  }

  private static SourceReader reader(
      Mosquitto mosquitto, int qos, String version, TestContext context) {
    return new MqttConnector()
        .source(
            ReadingsTable.at(
                mosquitto.url(), "qos", "" + qos, "version", version, "client-id", "outage"),
            context)
        .orElseThrow()
        .open();
  }

  private static Poller subscribed(SourceReader reader, Publisher publisher, TestContext context) {
    Poller poller = new Poller(reader, 100);
    Await.until(
        Duration.ofSeconds(30),
        () -> {
          publisher.send("plant/hello/hello", 1, "-1");
          return poller.poll();
        },
        context::reports);
    return poller;
  }

  private void until(Poller poller, int count, TestContext context) {
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          poller.poll();
          return distinct(poller).size() >= count;
        },
        () -> "missing " + missing(poller) + " after " + context.reports());
  }

  private List<Long> missing(Poller poller) {
    Set<Long> found = distinct(poller);
    return LongStream.range(0, COUNT).boxed().filter(n -> !found.contains(n)).limit(100).toList();
  }

  private Set<Long> distinct(Poller poller) {
    for (List<?> row : poller.rows().subList(seen, poller.rows().size())) {
      numbers.add((Long) row.get(2));
    }
    seen = poller.rows().size();
    numbers.remove(-1L);
    return numbers;
  }
}
