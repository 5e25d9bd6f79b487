package io.sedge.bench.connectors;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.sedge.bench.Table;
import io.sedge.bench.parts.DeviceProcesses;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A job from topic to topic on a device that is killed again and again: numbered readings, each of
 * which is to come out once, and windows that count them. The topics are read as anybody reads them
 * who wants committed records alone.
 */
final class KafkaKills {
  private static final String IN = "kills-in";
  private static final String EACH = "kills-each";
  private static final String WINDOWS = "kills-windows";
  private static final int PER_SECOND = 2_000;
  private static final int WATERMARK_MS = 1_000;
  private static final long BEGIN_MILLIS = 1_767_225_600_000L;
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  /** A kill comes at some moment of a commit interval, which is two seconds, or right after it. */
  private static final int PAUSE_MS = 2_500;

  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Programs programs;
  private final KafkaBroker broker;
  private final int kills;
  private final PrintStream progress;
  private final BitSet seen = new BitSet();
  private int doubled;

  /** How many readings were sent; none more once it is told to stop. */
  private volatile int sent;

  private volatile boolean ended;

  KafkaKills(Programs programs, KafkaBroker broker, int kills, PrintStream progress) {
    this.programs = programs;
    this.broker = broker;
    this.kills = kills;
    this.progress = progress;
  }

  Table measure() throws IOException {
    for (String topic : List.of(IN, EACH, WINDOWS)) {
      broker.create(topic, KafkaReadings.PARTITIONS);
    }
    Path own = programs.directory().resolve("kills");
    Thread feeder = Thread.ofPlatform().name("bench-kafka-feeder").start(this::feed);
    try (DeviceProcesses device =
            new DeviceProcesses(
                programs.sedge(),
                Map.of("TZ", "UTC"),
                List.of(new DeviceProcesses.Member("a", own, Path.of("a"), List.of())));
        KafkaConsumer<String, String> consumer = broker.consumer(EACH)) {
      try (DeviceConnection connection = device.connect(0)) {
        connection.submit("bench", script());
      }
      killAgainAndAgain(device, consumer);
      stop(feeder);
      await(consumer, "all readings", () -> seen.cardinality() == sent);
      await(consumer, "all windows", () -> windows().size() >= complete());
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      stop(feeder);
    }
    return table();
  }

  private void stop(Thread feeder) throws IOException {
    ended = true;
    try {
      feeder.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private String script() {
    String kafka =
        "'connector' = 'kafka', 'properties.bootstrap.servers' = '%s', 'format' = 'json', 'topic' = "
            .formatted(broker.servers());
    return """
    SET 'table.local-time-zone' = 'UTC';
    CREATE TABLE readings (
      seq BIGINT, ts BIGINT, rt AS TO_TIMESTAMP_LTZ(ts, 3),
      WATERMARK FOR rt AS rt - INTERVAL '%d' SECOND
    ) WITH (%s'%s', 'scan.startup.mode' = 'earliest-offset');
    CREATE TABLE each_reading (seq BIGINT) WITH (%2$s'%s', 'sink.delivery-guarantee' = 'exactly-once');
    CREATE TABLE windows (window_end TIMESTAMP(3), n BIGINT)
      WITH (%2$s'%s', 'sink.delivery-guarantee' = 'exactly-once');
    EXECUTE STATEMENT SET BEGIN
    INSERT INTO each_reading SELECT seq FROM readings;
    INSERT INTO windows SELECT window_end, COUNT(*)
      FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(rt), INTERVAL '1' SECOND))
      GROUP BY window_start, window_end;
    END;
    """
        .formatted(WATERMARK_MS / 1_000, kafka, IN, EACH, WINDOWS);
  }

  private void feed() {
    try (KafkaProducer<byte[], byte[]> producer = broker.producer()) {
      long begin = System.nanoTime();
      for (int i = 0; !ended; i++) {
        long due = begin + i * 1_000_000_000L / PER_SECOND;
        while (System.nanoTime() < due) {
          LockSupport.parkNanos(due - System.nanoTime());
        }
        String value = "{\"seq\":%d,\"ts\":%d}".formatted(i, millis(i));
        var _ =
            producer.send(
                new ProducerRecord<>(
                    IN,
                    i % KafkaReadings.PARTITIONS,
                    millis(i),
                    null,
                    value.getBytes(StandardCharsets.UTF_8)));
        sent = i + 1;
      }
      producer.flush();
    }
  }

  private static long millis(int reading) {
    return BEGIN_MILLIS + reading * 1_000L / PER_SECOND;
  }

  private void killAgainAndAgain(DeviceProcesses device, KafkaConsumer<String, String> consumer)
      throws IOException, SiteException {
    long seed = System.nanoTime();
    progress.printf("Kafka, kills: seed %d%n", seed);
    Random random = new Random(seed);
    for (int i = 1; i <= kills; i++) {
      int before = seen.cardinality();
      await(consumer, "a reading before kill %d".formatted(i), () -> seen.cardinality() > before);
      LockSupport.parkNanos(random.nextInt(PAUSE_MS) * 1_000_000L);
      progress.printf("Kafka, kill %d of %d: %,d readings are out%n", i, kills, seen.cardinality());
      device.kill(0);
      device.startAgain(0);
      device.connect(0).close();
      take(consumer); // What was committed before the kill is not of the device that came after it.
    }
  }

  private void await(KafkaConsumer<String, String> consumer, String what, BooleanSupplier condition)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "waited for %s: %d of %d readings are out".formatted(what, seen.cardinality(), sent));
      }
      take(consumer);
    }
  }

  /** Takes all that is committed by now. */
  private void take(KafkaConsumer<String, String> consumer) {
    ConsumerRecords<String, String> records;
    do {
      records = consumer.poll(POLL);
      records.forEach(
          record -> {
            int number = JSON.parseObject(record.value()).getIntValue("seq");
            doubled += seen.get(number) ? 1 : 0;
            seen.set(number);
          });
    } while (!records.isEmpty());
  }

  /** So many windows are complete with what was sent. */
  private int complete() {
    return (int) ((millis(sent - KafkaReadings.PARTITIONS) - WATERMARK_MS - BEGIN_MILLIS) / 1_000);
  }

  /** What was counted in each window, by its number from 0 on. */
  private Map<Integer, List<Long>> windows() {
    Map<Integer, List<Long>> windows = new HashMap<>();
    broker.read(
        WINDOWS,
        value -> {
          JSONObject row = JSON.parseObject(value);
          Instant end =
              LocalDateTime.parse(row.getString("window_end").substring(0, 19), TIME)
                  .toInstant(ZoneOffset.UTC);
          int number = (int) ((end.toEpochMilli() - BEGIN_MILLIS) / 1_000) - 1;
          windows.merge(
              number,
              List.of(row.getLong("n")),
              (one, other) -> List.of(one.getFirst(), other.getFirst()));
        });
    return windows;
  }

  private Table table() {
    Table table =
        new Table(
            "Kafka, exactly once, kill -9 %d times".formatted(kills),
            "expected",
            "lost",
            "doubled",
            "wrong");
    table.row(
        "readings",
        Table.number(sent),
        Integer.toString(sent - seen.cardinality()),
        Integer.toString(doubled),
        Integer.toString(Math.max(0, seen.length() - sent)));
    Map<Integer, List<Long>> windows = windows();
    int lost = 0;
    int twice = 0;
    int wrong = 0;
    for (int i = 0; i < complete(); i++) {
      List<Long> counts = windows.getOrDefault(i, List.of());
      lost += counts.isEmpty() ? 1 : 0;
      twice += counts.size() > 1 ? 1 : 0;
      wrong += counts.stream().anyMatch(count -> count != PER_SECOND) ? 1 : 0;
    }
    table.row(
        "windows of a second",
        Table.number(complete()),
        Integer.toString(lost),
        Integer.toString(twice),
        Integer.toString(wrong));
    return table;
  }
}
