package io.sedge.connector.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.CuttableLink;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.TestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A shard goes from device to device: each has a reader of its own, and all that passes on is the
 * session's name and the position of the last commit.
 */
abstract class TakeoverBehaviour extends BrokerFixture {
  /** The most bytes that a position takes after a few messages, and after however many. */
  private static final int SMALL_POSITION = 300;

  private static final int LARGEST_POSITION = 10_000;

  /** How many devices a shard has one after another. */
  private static final int LIVES = 8;

  /** With a clock that stands: no reader waits for time to pass. */
  private static Poller poller(SourceReader reader, int commitEvery) {
    return new Poller(reader, commitEvery, () -> 0);
  }

  private SourceReader shard(String url, String session, int qos, String version) {
    return shard(TestContext.live(directory, session), url, qos, version);
  }

  private static SourceReader shard(TestContext context, String url, int qos, String version) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "qos",
                "" + qos,
                "version",
                version,
                "connection-timeout",
                "1 s",
                "shard.by",
                "machine",
                "shard.values",
                "press;mill"));
    if (version.equals("5")) {
      options.addAll(List.of("receive-maximum", "200"));
    }
    TableDescriptor table = ReadingsTable.at(url, options.toArray(String[]::new));
    return new MqttConnector().source(table, context).orElseThrow().shard("press").open();
  }

  /** Polls until the broker has the subscription. */
  private static Poller begun(SourceReader reader, Publisher publisher) {
    Poller poller = poller(reader, Poller.NEVER);
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          publisher.send("plant/a/press", 1, "-1");
          poller.poll();
          poller.commit();
          return !poller.rows().isEmpty();
        },
        () -> "no subscription");
    publisher.send("plant/a/press", 1, "-2");
    Await.until(
        Duration.ofSeconds(60),
        () -> {
          poller.poll();
          poller.commit();
          return has(poller, -2);
        },
        () -> "no second row");
    return poller;
  }

  private static Thread publish(Publisher publisher, int qos, int count) {
    return Thread.ofVirtual()
        .start(
            () -> {
              for (int i = 0; i < count; i++) {
                publisher.send("plant/a/press", qos, "" + i);
                publisher.send("plant/a/mill", qos, "" + i);
              }
            });
  }

  /**
   * What is committed is durable; the device dies before or after the broker is told of it, or its
   * task is stopped at any moment, as also while it connects or hears what it knows already.
   */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void whoeverGoesOnAfterADeadDeviceLosesAndRepeatsNothing(int qos, String version) {
    long seed = System.nanoTime();
    System.out.printf("QoS %d, MQTT %s, seed %d%n", qos, version, seed);
    Random random = new Random(seed);
    List<String> story = new ArrayList<>();
    int count = 3000;
    String session = name();
    List<Long> committed = new ArrayList<>();
    int largest = 0;
    Thread sender = null;
    try (Publisher publisher = new Publisher(port())) {
      byte @Nullable [] position = null;
      for (int life = 1; life <= LIVES; life++) {
        TestContext lived = TestContext.live(directory, session);
        long begun = System.nanoTime();
        try (CuttableLink link = new CuttableLink(port());
            SourceReader reader = shard(lived, link.url(), qos, version)) {
          Poller poller;
          if (position == null) {
            poller = begun(reader, publisher);
            sender = publish(publisher, qos, count);
          } else {
            reader.seek(position);
            poller = poller(reader, Poller.NEVER);
          }
          int until = life == LIVES ? count : life * count / LIVES - random.nextInt(100);
          List<Long> before = List.copyOf(committed);
          Poller polled = poller;
          while (before.size() + numbers(poller).size() < until) {
            // Some brokers send nothing more until they are told of all that they have sent.
            int known = numbers(poller).size();
            Await.until(
                Duration.ofSeconds(60),
                () -> {
                  boolean any = polled.poll();
                  if (!any && random.nextInt(100) == 0) {
                    reader.acknowledge(reader.position());
                  }
                  return numbers(polled).size() > known;
                },
                () -> known + " rows");
            committed = new ArrayList<>(before);
            committed.addAll(numbers(poller));
            position = reader.position();
            largest = Math.max(largest, position.length);
            if (random.nextInt(3) == 0) {
              reader.acknowledge(position);
            }
          }
          // Polled and not committed: the next one must get it again.
          poller.poll();
          if (random.nextBoolean()) {
            link.down();
          } else {
            LockSupport.parkNanos(random.nextInt(20_000_000));
          }
        }
        story.add(
            "life %d: %d rows by %d ms, %s"
                .formatted(
                    life,
                    committed.size(),
                    (System.nanoTime() - begun) / 1_000_000,
                    lived.reports()));
      }
      join(sender);
    }
    assertSequence(committed, count, story);
    assertThat(largest).isLessThan(LARGEST_POSITION);
  }

  /**
   * The one before was only cut off from its site, not from the broker: both push each other out
   * until it is told. Its commits are refused, so it acknowledges nothing.
   */
  @ParameterizedTest
  @CsvSource({"1,5", "1,3.1.1"})
  void aReaderThatComesBackToLifeTakesNothingAway(int qos, String version) {
    int count = 1000;
    String session = name();
    SourceReader old = shard(url(), session, qos, version);
    try (Publisher publisher = new Publisher(port())) {
      Poller before = begun(old, publisher);
      byte[] position = old.position();
      assertThat(position).hasSizeLessThan(SMALL_POSITION);
      Thread sender = publish(publisher, qos, count);
      try (SourceReader next = shard(url(), session, qos, version)) {
        next.seek(position);
        Poller after = poller(next, 10);
        long deadline = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        after.until(
            () -> {
              before.poll();
              return System.nanoTime() > deadline;
            });
        old.close();
        after.until(() -> numbers(after).size() >= count);
        join(sender);
        assertSequence(numbers(after), count);
      }
    } finally {
      old.close();
    }
  }

  /** Nobody reads on for a job that was stopped; a broker would fill its memory for it. */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void nothingWaitsForWhoComesAfterAReaderThatWasRetired(int qos, String version) {
    String session = name();
    assertThat(waiting(() -> shard(url(), session, qos, version), qos, true)).isEmpty();
    assertThat(waiting(() -> shard(url(), session, qos, version), qos, false)).containsExactly(0L);
  }

  /** The script may come again, under another name. */
  @ParameterizedTest
  @CsvSource({"1,5", "1,3.1.1"})
  void whatTheScriptHasNamedIsKeptWhenItsReaderIsRetired(int qos, String version) {
    TableDescriptor table = named(url(), qos, version);
    assertThat(waiting(() -> open(table), qos, true)).containsExactly(0L);
  }

  /** What comes to the second reader of what is published between it and the first. */
  private List<Long> waiting(Supplier<SourceReader> readers, int qos, boolean retires) {
    try (Publisher publisher = new Publisher(port())) {
      try (SourceReader reader = readers.get()) {
        begun(reader, publisher).commit();
        if (retires) {
          reader.retire();
        }
      }
      publisher.send("plant/a/press", qos, "0");
      publisher.settle();
      try (SourceReader reader = readers.get()) {
        return numbers(begun(reader, publisher));
      }
    }
  }
}
