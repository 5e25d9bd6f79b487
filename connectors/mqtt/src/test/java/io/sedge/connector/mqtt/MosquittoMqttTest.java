package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With a real Mosquitto. */
final class MosquittoMqttTest extends BrokerBehaviour {
  private static Mosquitto mosquitto;

  @BeforeAll
  static void start(@TempDir Path data) {
    mosquitto =
        Mosquitto.start(
            data,
            List.of("allow_anonymous true", "set_tcp_nodelay true", "autosave_interval 100000"));
  }

  @AfterAll
  static void stop() {
    if (mosquitto != null) {
      mosquitto.close();
    }
  }

  @Override
  int port() {
    return mosquitto.port();
  }

  /** Commits may be seconds apart; 20 messages in between, as by default, would be too few. */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void whoCommitsOnlyWhenTheReaderWantsItGetsAllAndCommitsSeldom(
      int qos, String version, @TempDir Path data) {
    int count = 2000;
    try (Mosquitto narrow =
            Mosquitto.startForgetful(
                data, List.of("allow_anonymous true", "max_inflight_messages 20"));
        SourceReader reader =
            open(
                ReadingsTable.at(
                    narrow.url(), "qos", "" + qos, "version", version, "client-id", "narrow"));
        Publisher publisher = new Publisher(narrow.port())) {
      Poller poller = subscribed(reader, Poller.NEVER, publisher);
      for (int i = 0; i < count; i++) {
        publisher.send("plant/a/b", qos, "" + i);
      }
      AtomicInteger quiet = new AtomicInteger();
      AtomicInteger wanted = new AtomicInteger();
      AtomicInteger others = new AtomicInteger();
      Await.until(
          Duration.ofSeconds(60),
          () -> {
            if (poller.poll()) {
              quiet.set(0);
            } else if (quiet.incrementAndGet() % 500 == 0) {
              others.incrementAndGet();
              poller.commit();
            }
            if (reader.wantsCommit()) {
              wanted.incrementAndGet();
              poller.commit();
            }
            return numbers(poller).size() >= count;
          },
          () -> "%d wanted, %d others".formatted(wanted.get(), others.get()));
      assertSequence(numbers(poller), count);
      assertThat(wanted.get()).isBetween(1, count / 10);
      assertThat(others.get()).as("commits while the broker waited").isLessThan(10);
    }
  }
}
