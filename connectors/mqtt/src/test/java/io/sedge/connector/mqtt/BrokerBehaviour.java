package io.sedge.connector.mqtt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.CuttableLink;
import io.sedge.connector.mqtt.testkit.Poller;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.connector.mqtt.testkit.ReadingsTable;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds with every broker. Long because each broker is started once and held to all of it. */
abstract class BrokerBehaviour extends BrokerFixture {
  @ParameterizedTest
  @CsvSource({"0,5", "1,5", "2,5", "0,3.1.1", "1,3.1.1", "2,3.1.1"})
  void everyMessageBecomesARowWithThePartsOfItsTopic(int qos, String version) {
    TableDescriptor table =
        named(url(), qos, version, "topic", "plant/{zone}/{machine};other/+/{machine}");
    try (SourceReader reader = open(table);
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 10, publisher);
      for (int i = 0; i < 300; i++) {
        publisher.send("plant/north/press " + i % 7, qos, "" + i);
      }
      publisher.settle();
      poller.until(() -> numbers(poller).size() == 300);
      publisher.send("other/x/mill", qos, "300");
      poller.until(() -> numbers(poller).size() == 301);
      assertThat(numbers(poller)).isEqualTo(upTo(301));
      List<List<Object>> rows = poller.rows().stream().filter(r -> (Long) r.get(2) >= 0).toList();
      for (int i = 0; i < 300; i++) {
        assertThat(rows.get(i)).containsExactly("north", "press " + i % 7, (long) i);
      }
      assertThat(rows.get(300)).containsExactly(null, "mill", 300L);
      assertThat(reader.counters().malformed()).isZero();
      assertThat(reader.counters().dropped()).isZero();
      assertThat(context.wakeUps()).isPositive();
    }
  }

  @Test
  void metadataColumnsTellOfTheMessageItself() {
    Schema schema =
        Schema.builder()
            .add("number", Type.BIGINT)
            .add("t", Type.STRING)
            .add("q", Type.INT)
            .add("kept", Type.BOOLEAN)
            .add("at", Type.timestampLtz(3))
            .build();
    TableDescriptor table =
        Tables.table(
            schema,
            Map.of(1, "topic", 2, "qos", 3, "retained", 4, "timestamp"),
            Map.of("url", url(), "topic", "meta/#", "format", "csv", "qos", "2"));
    try (Publisher publisher = new Publisher(port())) {
      publisher.send("meta/a/b", 1, true, "7".getBytes(UTF_8));
      publisher.settle();
      try (SourceReader reader = open(table)) {
        Poller poller = new Poller(reader, 1);
        assertThat(poller.rows(1).getFirst().subList(0, 4))
            .containsExactly(7L, "meta/a/b", 1, true);
        long age = System.currentTimeMillis() * 1000 - (Long) poller.rows().getFirst().get(4);
        assertThat(age).isBetween(-1_000_000L, 60_000_000L);
      } finally {
        publisher.send("meta/a/b", 1, true, new byte[0]);
        publisher.settle();
      }
    }
  }

  /**
   * MQTT 5, 4.4: after an outage the broker sends again what it holds no acknowledgement of. None
   * of it may be missing, out of order, or counted twice.
   */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void aLinkThatBreaksAgainAndAgainLosesAndRepeatsNothing(int qos, String version) {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    int count = 6000;
    try (CuttableLink link = new CuttableLink(port());
        SourceReader reader =
            open(
                named(
                    link.url(),
                    qos,
                    version,
                    "receive-maximum",
                    version.equals("5") ? "100" : "10000"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 37, publisher);
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < count; i++) {
                      publisher.send("plant/a/b", qos, "" + i);
                    }
                  });
      for (int cut = 1; cut <= 12; cut++) {
        int rows = cut * count / 13 - random.nextInt(200);
        Poller all = poller;
        poller.until(() -> numbers(all).size() >= rows);
        if (random.nextBoolean()) {
          poller.commit();
        }
        link.cut();
      }
      poller.until(
          () -> {
            if (numbers(poller).size() < count) {
              poller.commit();
            }
            return numbers(poller).size() >= count;
          });
      join(sender);
      publisher.settle();
      poller.commit();
      assertSequence(numbers(poller), count);
      assertThat(context.reports())
          .anyMatch(report -> report.contains("lost the connection to " + link.url()))
          .anyMatch(report -> report.contains("INFO table readings: connected to " + link.url()))
          .noneMatch(report -> report.contains("forgotten"));
    }
  }

  /**
   * What is published meanwhile is lost at QoS 0, and without a session; what comes later is not.
   */
  @ParameterizedTest
  @CsvSource({"0,5,1 h", "0,3.1.1,1 h", "1,5,0 s", "2,5,0 s"})
  void readingGoesOnAfterAnOutageThatTheSessionDidNotOutlast(
      int qos, String version, String expiry) {
    try (CuttableLink link = new CuttableLink(port());
        SourceReader reader = open(named(link.url(), qos, version, "session-expiry", expiry));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      for (int cut = 0; cut < 3; cut++) {
        link.cut();
        long after = cut;
        Await.until(
            Duration.ofSeconds(60),
            () -> {
              publisher.send("plant/a/b", 1, "" + after);
              poller.poll();
              return has(poller, after);
            },
            () -> context.reports());
      }
    }
  }

  /** The task's commit was durable, but its process died before the broker was told. */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void whatAFormerProcessCommittedIsNotCountedAgain(int qos, String version) {
    try (CuttableLink link = new CuttableLink(port());
        Publisher publisher = new Publisher(port())) {
      TableDescriptor table = named(link.url(), qos, version, "connection-timeout", "1 s");
      byte[] committed;
      try (SourceReader reader = open(table)) {
        subscribed(reader, 1, publisher);
        committed = reader.position();
        link.down();
      }
      for (int i = 0; i < 15; i++) {
        publisher.send("plant/a/b", qos, "" + i);
      }
      publisher.settle();
      link.up();
      int before;
      try (SourceReader reader = open(table)) {
        reader.seek(committed);
        Poller poller = new Poller(reader, Poller.NEVER);
        poller.until(() -> !numbers(poller).isEmpty());
        committed = reader.position();
        before = numbers(poller).size();
        link.down();
      }
      link.up();
      publisher.send("plant/a/b", qos, "15");
      try (SourceReader reader = open(table)) {
        reader.seek(committed);
        Poller poller = new Poller(reader, 1);
        poller.until(() -> numbers(poller).contains(15L));
        publisher.send("plant/a/b", qos, "16");
        poller.until(() -> numbers(poller).contains(16L));
        assertThat(numbers(poller)).isEqualTo(upTo(17).subList(before, 17));
      }
    }
  }

  /** The process died before its commit: nothing that it had polled may be missing. */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void whatAFormerProcessDidNotCommitComesAgain(int qos, String version) {
    try (CuttableLink link = new CuttableLink(port());
        Publisher publisher = new Publisher(port())) {
      TableDescriptor table = named(link.url(), qos, version, "connection-timeout", "1 s");
      byte[] committed;
      try (SourceReader reader = open(table)) {
        subscribed(reader, 1, publisher);
        committed = reader.position();
        link.down();
      }
      for (int i = 0; i < 15; i++) {
        publisher.send("plant/a/b", qos, "" + i);
      }
      publisher.settle();
      for (int life = 0; life < 3; life++) {
        link.up();
        try (SourceReader reader = open(table)) {
          reader.seek(committed);
          Poller poller = new Poller(reader, Poller.NEVER);
          poller.until(() -> !numbers(poller).isEmpty());
          assertThat(numbers(poller)).isEqualTo(upTo(numbers(poller).size()));
          link.down();
        }
      }
      link.up();
      try (SourceReader reader = open(table)) {
        reader.seek(committed);
        Poller poller = new Poller(reader, 1);
        poller.until(() -> numbers(poller).size() >= 15);
        assertThat(numbers(poller)).isEqualTo(upTo(15));
      }
    }
  }

  /** Receive maximum is what slows an MQTT 5 broker down; nothing may pile up in this process. */
  @ParameterizedTest
  @ValueSource(strings = {"5", "3.1.1"})
  void aPublisherThatIsTooFastWaitsInTheBroker(String version) {
    int count = 20_000;
    try (SourceReader reader =
            open(
                ReadingsTable.at(
                    url(),
                    "version",
                    version,
                    "client-id",
                    name(),
                    "receive-maximum",
                    "50",
                    "queue-capacity",
                    "50"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      for (int i = 0; i < count; i++) {
        publisher.send("plant/a/b", 1, "" + i);
      }
      publisher.settle();
      assertThat(reader.counters().readings()).isLessThan(1000);
      int before = poller.rows().size();
      poller.poll();
      assertThat(poller.rows().size() - before).isLessThanOrEqualTo(50);
      poller.until(() -> poller.rows().size() >= count + before - 50 && has(poller, count - 1));
      assertThat(numbers(poller)).isEqualTo(upTo(count));
      assertThat(reader.counters().dropped()).isZero();
    }
  }

  /** A sink may be away for minutes; the broker must not be the one that pays for it. */
  @ParameterizedTest
  @ValueSource(strings = {"5", "3.1.1"})
  void aJobThatStandsStillForLongerThanTheKeepAliveLosesAndRepeatsNothing(String version) {
    int count = 500;
    try (SourceReader reader =
            open(named(url(), 1, version, "keep-alive", "1 s", "queue-bytes", "10 kb"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      for (int i = 0; i < count; i++) {
        publisher.send("plant/a/b", 1, "" + i);
      }
      publisher.settle();
      long begin = System.nanoTime();
      Await.until(
          Duration.ofSeconds(10),
          () -> System.nanoTime() - begin > Duration.ofSeconds(3).toNanos(),
          () -> "the clock stands");
      poller.until(() -> has(poller, count - 1));
      publisher.send("plant/a/b", 1, "" + count);
      poller.until(() -> has(poller, count));
      assertSequence(numbers(poller), count + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "3.1.1"})
  void aPayloadMayBeAsLargeAsMaxPayloadSays(String version) {
    int most = 1 << 20;
    String number = "0".repeat(most - 1);
    try (SourceReader reader = open(named(url(), 1, version, "max-payload", "1 mb"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      for (int i = 1; i <= 5; i++) {
        publisher.send("plant/a/b", 1, number + i);
        publisher.send("plant/a/b", 1, number + "0" + i);
      }
      publisher.settle();
      poller.until(() -> has(poller, 5));
      assertThat(numbers(poller)).containsExactly(1L, 2L, 3L, 4L, 5L);
      poller.until(() -> context.malformed().size() == 5);
      assertThat(context.malformed())
          .allMatch(one -> one.reason().contains("the payload has 1048577 bytes"));
    }
  }

  /** Two gateways that were set up from one image. */
  @Test
  void twoClientsWithOneNameSayIt() {
    String name = name();
    try (SourceReader one = open(ReadingsTable.at(url(), "client-id", name));
        SourceReader two = open(ReadingsTable.at(url(), "client-id", name));
        Publisher publisher = new Publisher(port())) {
      subscribed(one, 1, publisher);
      two.poll(0);
      Await.until(
          Duration.ofSeconds(60),
          () ->
              context.reports().stream()
                  .anyMatch(
                      report ->
                          report.contains("; does another client have the 'client-id' '" + name)),
          () -> context.reports());
    }
  }

  @Test
  void droppingIsForQos0AndCounted() {
    int count = 3000;
    try (SourceReader reader =
            open(
                ReadingsTable.at(
                    url(), "qos", "0", "overflow", "drop-newest", "queue-capacity", "20"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      for (int i = 0; i < count; i++) {
        publisher.send("plant/a/b", 0, "" + i);
      }
      publisher.send("plant/a/b", 1, "" + count);
      publisher.settle();
      poller.until(() -> numbers(poller).size() + reader.counters().dropped() >= count + 1);
      assertThat(reader.counters().dropped()).isPositive();
      assertThat(context.reports()).anyMatch(report -> report.contains("is full"));
    }
  }

  @Test
  void hostileMessagesAreHandedOnAndDoNotStopTheOthers() {
    byte[] garbage = new byte[500];
    new Random(7).nextBytes(garbage);
    try (SourceReader reader =
            open(
                ReadingsTable.at(
                    url(), "topic", "plant/{zone}/{machine};deep/#", "max-payload", "1 kb"));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 1, publisher);
      publisher.send("plant/a/b", 1, "0");
      publisher.send("plant/a/b", 1, false, garbage);
      publisher.send("plant/a/b", 1, false, new byte[] {(byte) 0xC3, (byte) 0x28});
      publisher.send("plant/a/b", 1, false, new byte[0]);
      publisher.send("plant/a/b", 1, false, "9".repeat(5000).getBytes(UTF_8));
      publisher.send("plant/a/b", 1, "12 apples");
      publisher.send("plant/a", 1, "too shallow");
      publisher.send("plant/a/b/c", 1, "too deep");
      publisher.send("deep", 1, "x");
      publisher.send("deep/er/still", 1, "2");
      publisher.send("plant//", 1, "3");
      publisher.settle();
      poller.until(() -> numbers(poller).contains(3L));
      assertThat(numbers(poller)).containsExactly(0L, 2L, 3L);
      assertThat(poller.rows().getLast()).containsExactly("", "", 3L);
      assertThat(reader.counters().malformed()).isEqualTo(6);
      assertThat(context.malformed())
          .extracting(TestContext.Malformed::origin)
          .containsExactly("plant/a/b", "plant/a/b", "plant/a/b", "plant/a/b", "plant/a/b", "deep");
      assertThat(context.malformed().get(3).reason())
          .isEqualTo("the payload has 5000 bytes, 'max-payload' is 1024");
      assertThat(context.malformed()).allMatch(one -> one.payload().length() <= 4096);
    }
  }

  @Test
  void theMembersOfAShareGroupGetEachMessageOnce() {
    try (SourceReader one = open(ReadingsTable.at(url(), "share-group", "g", "client-id", name()));
        SourceReader two = open(ReadingsTable.at(url(), "share-group", "g", "client-id", name()));
        Publisher publisher = new Publisher(port())) {
      Poller first = subscribed(one, 1, publisher);
      Poller second = new Poller(two, 1);
      Await.until(
          Duration.ofSeconds(60),
          () -> {
            publisher.send("plant/hello/hello", 1, "-1");
            first.poll();
            return second.poll();
          },
          () -> context.reports());
      for (int i = 0; i < 1000; i++) {
        publisher.send("plant/a/b", 1, "" + i);
      }
      first.until(
          () -> {
            second.poll();
            return numbers(first).size() + numbers(second).size() >= 1000;
          });
      List<Long> all = new ArrayList<>(numbers(first));
      all.addAll(numbers(second));
      assertThat(all.stream().sorted().toList()).isEqualTo(upTo(1000));
    }
  }

  /** A gateway boots before its broker. */
  @Test
  void aBrokerThatIsNotThereYetIsWaitedFor() {
    try (CuttableLink link = new CuttableLink(port());
        Publisher publisher = new Publisher(port())) {
      link.down();
      try (SourceReader reader = open(ReadingsTable.at(link.url()))) {
        Poller poller = new Poller(reader, 1);
        poller.until(() -> context.reports().size() >= 3);
        assertThat(context.reports().getFirst())
            .startsWith("WARNING table readings: cannot connect to " + link.url())
            .contains("; next attempt in 0.0");
        link.up();
        Poller connected = subscribed(reader, 1, publisher);
        assertThat(connected.rows()).isNotEmpty();
        assertThat(context.reports()).anyMatch(report -> report.contains(" failed attempt"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0,5", "1,5", "2,5", "0,3.1.1", "1,3.1.1", "2,3.1.1"})
  void aSinkPublishesOnTheTopicThatTheColumnsGive(int qos, String version) {
    TableDescriptor table = ReadingsTable.at(url(), "qos", "" + qos, "version", version);
    try (SourceReader reader = open(ReadingsTable.at(url(), "client-id", name()));
        Publisher publisher = new Publisher(port());
        Feed sink = Feed.open(new MqttConnector().sink(table, context).orElseThrow())) {
      Poller poller = subscribed(reader, 1, publisher);
      write(
          sink,
          batch(
              new Object[] {"north", "press", 0L},
              new Object[] {"no/rth", "press", 1L},
              new Object[] {null, "press", 2L},
              new Object[] {"n+", "press", 3L},
              new Object[] {"south", "", 4L}));
      Await.until(Duration.ofSeconds(60), sink::flush, () -> context.reports());
      poller.until(() -> numbers(poller).size() == 2);
      assertThat(poller.rows().subList(poller.rows().size() - 2, poller.rows().size()))
          .containsExactly(List.of("north", "press", 0L), List.of("south", "", 4L));
      assertThat(sink.bytes()).isEqualTo(2);
      assertThat(context.malformed())
          .extracting(TestContext.Malformed::reason)
          .containsExactly(
              "column `zone` is 'no/rth'; a part of a topic must not have + # / or NUL",
              "column `zone`, a part of the topic, is NULL",
              "column `zone` is 'n+'; a part of a topic must not have + # / or NUL");
    }
  }

  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1"})
  void aSinkLosesNoRowOverOutages(int qos, String version) throws InterruptedException {
    int count = 3000;
    try (CuttableLink link = new CuttableLink(port());
        SourceReader reader = open(ReadingsTable.at(url(), "client-id", name()));
        Publisher publisher = new Publisher(port())) {
      Poller poller = subscribed(reader, 50, publisher);
      link.down();
      CountDownLatch cuts = new CountDownLatch(1);
      try (Feed sink =
          Feed.open(
              new MqttConnector()
                  .sink(
                      ReadingsTable.at(
                          link.url(), "qos", "" + qos, "version", version, "max-in-flight", "100"),
                      context)
                  .orElseThrow())) {
        Thread writer =
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (long i = 0; i < count; i++) {
                        write(sink, batch(new Object[] {"a", "b", i}));
                      }
                      Await.until(Duration.ofSeconds(60), sink::flush, () -> context.reports());
                      cuts.countDown();
                    });
        link.up();
        for (int cut = 1; cut <= 6; cut++) {
          int rows = cut * count / 7;
          poller.until(() -> numbers(poller).stream().distinct().count() >= rows);
          link.cut();
        }
        poller.until(() -> numbers(poller).stream().distinct().count() >= count);
        cuts.await();
        join(writer);
      }
      // A broker may still be busy with the old connection's when the new one's come: no order.
      Stream<Long> all = numbers(poller).stream().sorted();
      assertSequence(qos == 2 ? all.toList() : all.distinct().toList(), count);
    }
  }

  /** A full sink must say so, and not fill memory, while its broker is away. */
  @Test
  void aSinkWithoutItsBrokerTakesNoMoreThanItMay() {
    try (CuttableLink link = new CuttableLink(port())) {
      link.down();
      try (Feed sink =
          Feed.open(
              new MqttConnector()
                  .sink(
                      ReadingsTable.at(
                          link.url(), "max-in-flight", "10", "connection-timeout", "100 ms"),
                      context)
                  .orElseThrow())) {
        long taken =
            IntStream.range(0, 100)
                .filter(i -> sink.offer(batch(new Object[] {"a", "b", (long) i})))
                .count();
        assertThat(taken).isEqualTo(10);
        assertThat(sink.flush()).isFalse();
      }
      assertThat(context.reports())
          .anyMatch(report -> report.contains("10 messages were not acknowledged"));
    }
  }

  private static Set<Thread> connectionThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("sedge-mqtt-"))
        .collect(Collectors.toSet());
  }

  /** The client keeps its thread while it waits for anything, for as long as the session lasts. */
  @ParameterizedTest
  @CsvSource({"1,5", "2,5", "1,3.1.1", "2,3.1.1"})
  void whatIsClosedAtAnyMomentLeavesNoThread(int qos, String version) {
    Set<Thread> before = connectionThreads();
    try (CuttableLink link = new CuttableLink(port());
        Publisher publisher = new Publisher(port())) {
      TableDescriptor table = named(link.url(), qos, version);
      open(table).close();
      try (SourceReader connecting = open(table)) {
        connecting.poll(0);
      }
      try (SourceReader reader = open(table)) {
        subscribed(reader, 1, publisher);
        publisher.send("plant/a/b", qos, "1");
        new Poller(reader, Poller.NEVER).rows(1);
      }
      try (SourceReader resumed = open(table)) {
        new Poller(resumed, Poller.NEVER).rows(1);
      }
      link.down();
      try (SourceReader waiting = open(table)) {
        new Poller(waiting, 1).until(() -> context.reports().size() >= 2);
      }
      link.up();
      try (SourceReader cut = open(table)) {
        new Poller(cut, Poller.NEVER).rows(1);
        link.down();
      }
      link.up();
      try (Feed sink =
          Feed.open(
              new MqttConnector()
                  .sink(ReadingsTable.at(link.url(), "qos", "" + qos, "version", version), context)
                  .orElseThrow())) {
        write(sink, batch(new Object[] {"a", "b", 2L}));
      }
      Await.until(
          Duration.ofSeconds(60),
          () -> before.containsAll(connectionThreads()),
          () -> connectionThreads());
    }
  }
}
