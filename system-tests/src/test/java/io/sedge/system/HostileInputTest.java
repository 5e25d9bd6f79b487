package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.system.testkit.Memory;
import io.sedge.system.testkit.Nonsense;
import io.sedge.system.testkit.Nonsense.Fate;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SinkFiles;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker gives a site's job nonsense between good readings: every good reading is in the results,
 * each bad one is counted as what it is, none makes a good one late, memory is flat, and no task
 * begins again.
 */
@Timeout(1_500)
final class HostileInputTest {
  /** A virtual machine that has just begun grows; in less time growth says nothing. */
  private static final int LEAST_SECONDS_OF_GROWTH = 60;

  private static final int PER_SECOND = 200;
  private static final int PARTS = 10;

  /** A device's 200 MiB, and a message of 16 MiB some times over. */
  private static final long MOST_MIB = 360;

  private static final long MOST_GROWTH_MIB = 48;

  private static final String SCRIPT =
      """
      SET 'pipeline.name' = 'hostile';
      CREATE TABLE wrong (origin STRING, payload STRING, reason STRING)
        WITH ('connector' = 'filesystem', 'path' = 'wrong', 'format' = 'json');
      CREATE TABLE readings (
        sensor STRING, seq BIGINT, v DOUBLE, ts TIMESTAMP_LTZ(3), tags ROW<a STRING>,
        WATERMARK FOR ts AS ts - INTERVAL '30' SECOND
      ) WITH (
        'connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:PORT', 'topic' = 'line/{sensor}',
        'client-id' = 'hostile', 'max-payload' = '4 mb', 'malformed.table' = 'wrong',
        'format' = 'json', 'json.timestamp-format.standard' = 'ISO-8601');
      CREATE TABLE kept (seq BIGINT) WITH ('connector' = 'filesystem', 'path' = 'kept', 'format' = 'csv');
      CREATE TABLE odd (seq BIGINT) WITH ('connector' = 'filesystem', 'path' = 'odd', 'format' = 'csv');
      CREATE TABLE sums (n BIGINT) WITH ('connector' = 'filesystem', 'path' = 'sums', 'format' = 'csv');
      INSERT INTO kept SELECT seq FROM readings WHERE seq >= 0;
      INSERT INTO odd SELECT seq FROM readings WHERE seq < 0;
      INSERT INTO sums SELECT COUNT(*) FROM
        TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' SECOND))
        WHERE seq >= 0 GROUP BY window_start, window_end;
      """;

  @TempDir private Path data;
  @TempDir private Path directory;
  private final Map<Fate, Long> sent = new EnumMap<>(Fate.class);
  private int metricsPort;

  @Test
  void nonsenseBetweenReadingsCostsNothingForSeconds() throws IOException {
    nonsenseCostsNothing(10);
  }

  @Test
  @Tag("long")
  void nonsenseBetweenReadingsCostsNothingForMinutes() throws IOException {
    nonsenseCostsNothing(60 * Integer.getInteger("sedge.minutes", 10));
  }

  private void nonsenseCostsNothing(int seconds) throws IOException {
    Sedge sedge = Sedge.in(directory);
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    metricsPort = SiteProcesses.freePorts();
    try (Mosquitto mosquitto =
            Mosquitto.startForgetful(
                data, List.of("allow_anonymous true", "max_inflight_messages 0"));
        SedgeProcess device =
            site.device(
                "a", SiteProcesses.freePorts(), "start", "--metrics", "127.0.0.1:" + metricsPort)) {
      sedge.script("hostile.sql", SCRIPT.replace("PORT", Integer.toString(mosquitto.port())));
      SiteProcesses.awaitUp(device);
      site.answer("job", "submit", "hostile.sql", "--data", "a");
      int greetings = awaitSubscription(mosquitto, device);
      Memory memory = new Memory(device);
      int good;
      try (memory;
          Publisher publisher = new Publisher(mosquitto.port())) {
        good = publish(publisher, seconds);
        publisher.settle();
        device.until(
            () -> numbers("kept").count() >= good,
            () -> "all of %,d readings; %,d are there".formatted(good, numbers("kept").count()));
        device.until(
            () -> counted() >= greetings + sum(),
            () -> "all nonsense: %s, %,d counted".formatted(sent, counted()));
      }
      assertThat(numbers("kept").distinct().count()).isEqualTo(good);
      assertThat(numbers("kept").count()).isEqualTo(good);
      assertThat(metric("sedge_readings_malformed_total")).isEqualTo(sent(Fate.MALFORMED));
      assertThat(metric("sedge_rows_untimed_total")).isEqualTo(sent(Fate.TIMELESS));
      assertThat(numbers("odd").count()).isEqualTo(sent(Fate.ROW) + greetings);
      assertThat(metric("sedge_task_failures_total")).isZero();
      closeWindows(mosquitto, device, good);
      System.out.printf(
          "%d s of nonsense: %,d readings, %s; MiB resident %s, peak %d%n%s%n",
          seconds, good, sent, memory.medians(PARTS), device.peakKiB() / 1024, device);
      assertThat(device.peakKiB() / 1024).isLessThan(MOST_MIB);
      List<Long> medians = memory.medians(PARTS);
      if (seconds >= LEAST_SECONDS_OF_GROWTH) {
        assertThat(medians.getLast()).isLessThan(medians.get(PARTS / 2) + MOST_GROWTH_MIB);
      }
      device.terminate();
      assertThat(device.exitCode()).isZero();
    }
  }

  /** Good readings at a pace, as much nonsense between them. */
  private int publish(Publisher publisher, int seconds) {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Nonsense nonsense = new Nonsense(seed);
    long begin = System.nanoTime();
    for (int number = 0; number < seconds * PER_SECOND; number++) {
      publisher.send("line/good", 1, reading(number, Instant.now()));
      Nonsense.Payload payload = nonsense.next();
      publisher.send("line/bad", 1, false, payload.bytes());
      sent.merge(payload.fate(), 1L, Long::sum);
      LockSupport.parkNanos(begin + number * 1_000_000_000L / PER_SECOND - System.nanoTime());
    }
    return seconds * PER_SECOND;
  }

  private static String reading(int number, Instant time) {
    return "{\"seq\":%d,\"v\":1.5,\"ts\":\"%s\",\"tags\":{\"a\":\"b\"}}".formatted(number, time);
  }

  /** Sends greetings until one is there, and waits for the last of them. */
  private int awaitSubscription(Mosquitto mosquitto, SedgeProcess device) {
    try (Publisher publisher = new Publisher(mosquitto.port())) {
      device.until(
          () -> {
            publisher.send("line/hello", 1, reading(-9, Instant.now()));
            return numbers("odd").findAny().isPresent();
          },
          () -> "the subscription");
      publisher.send("line/hello", 1, reading(-7, Instant.now()));
      device.until(
          () -> numbers("odd").anyMatch(number -> number == -7), () -> "the last greeting");
    }
    return (int) numbers("odd").count();
  }

  /** Windows end with a reading that is ahead of the others, by less than what is refused. */
  private void closeWindows(Mosquitto mosquitto, SedgeProcess device, int good) {
    try (Publisher publisher = new Publisher(mosquitto.port())) {
      publisher.send("line/good", 1, reading(-8, Instant.now().plusSeconds(600)));
      publisher.settle();
      device.until(
          () -> numbers("sums").sum() == good,
          () -> "windows of all readings, they have %,d".formatted(numbers("sums").sum()));
    }
  }

  private long sent(Fate fate) {
    return sent.getOrDefault(fate, 0L);
  }

  private long sum() {
    return sent.values().stream().mapToLong(count -> count).sum();
  }

  private long counted() {
    return metric("sedge_readings_malformed_total")
        + metric("sedge_rows_untimed_total")
        + numbers("odd").count();
  }

  /** The sum of a metric's series. */
  private long metric(String name) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort)))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      String text = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
      Matcher matcher = Pattern.compile("(?m)^" + name + "(\\{.*})? ([0-9.eE+]+)$").matcher(text);
      double sum = 0;
      while (matcher.find()) {
        sum += Double.parseDouble(matcher.group(2));
      }
      return (long) sum;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The numbers that are the whole lines of a table's files, those in progress too. */
  private LongStream numbers(String table) {
    return SinkFiles.lines(directory.resolve(table)).stream().mapToLong(Long::parseLong);
  }
}
