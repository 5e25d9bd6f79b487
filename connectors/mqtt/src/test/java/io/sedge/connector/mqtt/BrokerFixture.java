package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import com.hivemq.client.mqtt.exceptions.ConnectionClosedException;
import com.hivemq.client.mqtt.exceptions.MqttClientStateException;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker, its clients' names, and what tests of the connector do again and again. */
@Timeout(180)
abstract class BrokerFixture {
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path directory;
  private final List<String> names = new ArrayList<>();
  TestContext context;

  abstract int port();

  final String url() {
    return "mqtt://127.0.0.1:" + port();
  }

  @BeforeEach
  void newContext() {
    context = TestContext.live(directory);
  }

  /** A client identifier; the broker is made to forget its session afterwards. */
  final String name() {
    String name = "client-" + ProcessHandle.current().pid() + "-" + NAMES.incrementAndGet();
    names.add(name);
    return name;
  }

  /** Else the broker would keep for them what later tests publish. */
  @AfterEach
  void forgetSessions() {
    for (String name : names) {
      Mqtt5BlockingClient client =
          Mqtt5Client.builder()
              .identifier(name)
              .serverHost("127.0.0.1")
              .serverPort(port())
              .buildBlocking();
      Await.until(Duration.ofSeconds(60), () -> isForgotten(client), () -> name);
    }
  }

  /** A reader that was closed while it was connecting may come late and push this client out. */
  private static boolean isForgotten(Mqtt5BlockingClient client) {
    try {
      client.connectWith().cleanStart(true).sessionExpiryInterval(0).send();
      client.disconnect();
      return true;
    } catch (MqttClientStateException | ConnectionClosedException e) {
      return false;
    }
  }

  /** The table of a client with a name, whose session lasts. */
  final TableDescriptor named(String url, int qos, String version, String... more) {
    List<String> options =
        new ArrayList<>(List.of("qos", "" + qos, "version", version, "client-id", name()));
    options.addAll(List.of(more));
    return ReadingsTable.at(url, options.toArray(String[]::new));
  }

  final SourceReader open(TableDescriptor table) {
    return new MqttConnector().source(table, context).orElseThrow().open();
  }

  /** Polls until the broker has the subscription, so that nothing published later is missed. */
  final Poller subscribed(SourceReader reader, int commitEvery, Publisher publisher) {
    Poller poller = new Poller(reader, commitEvery);
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          publisher.send("plant/hello/hello", 1, "-1");
          poller.poll();
          return !poller.rows().isEmpty();
        },
        () -> context.reports());
    publisher.send("plant/hello/hello", 1, "-2");
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          poller.poll();
          poller.commit();
          return has(poller, -2);
        },
        () -> context.reports());
    return poller;
  }

  static List<Long> numbers(Poller poller) {
    return poller.rows().stream().map(row -> (Long) row.get(2)).filter(n -> n >= 0).toList();
  }

  static List<Long> upTo(long count) {
    return LongStream.range(0, count).boxed().toList();
  }

  /** Like isEqualTo(upTo(count)), but says in few words what is wrong. */
  static void assertSequence(List<Long> numbers, int count) {
    assertSequence(numbers, count, List.of());
  }

  /** The same, and tells how it came to that. */
  static void assertSequence(List<Long> numbers, int count, List<String> story) {
    List<Long> missing = new ArrayList<>(upTo(count));
    missing.removeAll(Set.copyOf(numbers));
    List<String> wrong = new ArrayList<>();
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.get(i) != numbers.get(i - 1) + 1) {
        wrong.add("%d after %d at %d".formatted(numbers.get(i), numbers.get(i - 1), i));
      }
    }
    assertThat(wrong.size() > 20 ? wrong.subList(0, 20) : wrong).as("%s", story).isEmpty();
    assertThat(missing.size() > 20 ? missing.subList(0, 20) : missing).as("%s", story).isEmpty();
    assertThat(numbers).hasSize(count);
  }

  static boolean has(Poller poller, long number) {
    return !poller.rows().isEmpty() && number == (Long) poller.rows().getLast().get(2);
  }

  static Batch batch(Object[]... rows) {
    BatchBuilder builder = new BatchBuilder(ReadingsTable.SCHEMA);
    for (Object[] row : rows) {
      builder.addRow(row);
    }
    return builder.build();
  }

  final void write(Feed sink, Batch batch) {
    Await.until(Duration.ofSeconds(60), () -> sink.offer(batch), () -> context.reports());
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
