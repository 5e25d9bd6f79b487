package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site of three real processes and a real Mosquitto, with an auditor who knows each reading that
 * was sent: devices are killed, stopped and started again, one after the other and all at once, and
 * every window of the result has the readings that belong to it, once.
 *
 * <p>Event time is made of the reading's number, so what belongs to a window is known exactly. A
 * row may be delivered twice (the device that delivers is killed between writing and saying so),
 * but never two different rows for one window.
 */
@Timeout(2_400)
final class SiteFaultsTest {
  /** Readings of one window, over all sensors. */
  private static final int WINDOW = 100;

  private static final int PER_SECOND = 400;
  private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(3);

  @TempDir private Path data;
  @TempDir private Path directory;
  private final Map<String, SedgeProcess> devices = new TreeMap<>();
  private final Map<String, Integer> faults = new TreeMap<>();
  private Sedge sedge;
  private SiteProcesses site;

  @Test
  void aKillAStopALostLeaderAndALossOfPowerCostNothing() {
    audit(
        24_000,
        (number, _) -> {
          switch (number % 4) {
            case 0 -> killAndStart("b");
            case 1 -> stop("c", Duration.ofSeconds(4));
            case 2 -> killAndStart("a");
            default -> powerLoss();
          }
        });
  }

  @Test
  @Tag("long")
  void halfAnHourOfFaultsAtRandomCostsNothing() {
    audit(
        30 * 60 * PER_SECOND,
        (_, random) -> {
          String device = List.of("a", "b", "c").get(random.nextInt(3));
          switch (random.nextInt(8)) {
            case 0 -> powerLoss();
            case 1, 2 -> stop(device, Duration.ofMillis(random.nextInt(8_000)));
            default -> killAndStart(device);
          }
        });
  }

  /** Does something bad. */
  private interface Fault {
    void happen(int number, Random random);
  }

  private void audit(int count, Fault fault) {
    sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (Mosquitto mosquitto = Mosquitto.start(data, List.of("allow_anonymous true"))) {
      script(mosquitto.port());
      found();
      site.answer("job", "submit", "site.sql", "--data", "a");
      awaitShards(mosquitto.port());
      long begin = System.nanoTime();
      List<Duration> pauses = new ArrayList<>();
      try (Readings readings = Readings.publish(mosquitto.port(), count, PER_SECOND, "")) {
        while (windows().size() < count / WINDOW / 20) {
          LockSupport.parkNanos(50_000_000);
        }
        Duration length = Duration.ofMillis(1_000L * count / PER_SECOND);
        while (elapsed(begin).compareTo(length.minusSeconds(8)) < 0) {
          long before = windows().size();
          long at = System.nanoTime();
          fault.happen(pauses.size(), random);
          while (windows().size() <= before + 1 && elapsed(at).toSeconds() < 60) {
            LockSupport.parkNanos(20_000_000);
          }
          pauses.add(elapsed(at));
          await(BETWEEN_FAULTS);
        }
        readings.settle();
      }
      // The last second of event time stays open: nothing later has come.
      int complete = count / WINDOW - 2;
      devices
          .get("a")
          .until(
              () -> windows().size() >= complete,
              () -> "%d windows, there are %d%n%s".formatted(complete, windows().size(), status()));
      Audit audit = check(complete);
      pauses.sort(null);
      System.out.printf(
          "seed %d: %s; readings sent %,d; in %,d whole windows counted %,d, lost %,d, doubled %,d;"
              + " rows delivered twice %,d; results went on after %s (median), %s (longest), the"
              + " restart of processes included%n",
          seed,
          faults,
          count,
          complete,
          audit.counted,
          audit.lost,
          audit.doubled,
          audit.repeated,
          pauses.get(pauses.size() / 2),
          pauses.getLast());
    } finally {
      devices.values().forEach(SedgeProcess::close);
    }
  }

  private static void await(Duration length) {
    long begin = System.nanoTime();
    while (elapsed(begin).compareTo(length) < 0) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static Duration elapsed(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private void script(int port) {
    String sensors =
        String.join(
            ";", IntStream.range(0, Readings.SENSORS).mapToObj(sensor -> "s" + sensor).toList());
    sedge.script(
        "site.sql",
        "SET 'table.local-time-zone' = 'UTC';\n"
            + Readings.table(
                port,
                "site",
                ", ts AS TO_TIMESTAMP_LTZ(seq * 10, 3), WATERMARK FOR ts AS ts - INTERVAL '0.5'"
                    + " SECOND",
                ", 'shard.by' = 'sensor', 'shard.values' = '" + sensors + "'")
            + """
            CREATE TABLE windows (window_end STRING, n BIGINT, total BIGINT)
              WITH ('connector' = 'filesystem', 'path' = 'windows', 'format' = 'csv');
            INSERT INTO windows
            SELECT DATE_FORMAT(window_end, 'yyyyMMddHHmmss'), COUNT(*), SUM(seq)
            FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' SECOND))
            GROUP BY window_start, window_end;
            """);
  }

  /** Three devices, on ports that were free. */
  private void found() {
    start("a", "start");
    for (String name : List.of("b", "c")) {
      start(name, site.joining("a"));
    }
  }

  private void start(String name, String... how) {
    devices.put(name, site.device(name, SiteProcesses.freePorts(), how));
    SiteProcesses.awaitUp(devices.get(name));
  }

  private void killAndStart(String name) {
    count("kill -9");
    devices.get(name).kill();
    devices.put(name, site.again(name));
    SiteProcesses.awaitUp(devices.get(name));
  }

  private void stop(String name, Duration length) {
    count("SIGSTOP");
    devices.get(name).stop();
    LockSupport.parkNanos(length.toNanos());
    devices.get(name).resume();
  }

  private void powerLoss() {
    count("all killed");
    devices.values().forEach(SedgeProcess::kill);
    for (String name : List.of("a", "b", "c")) {
      devices.put(name, site.again(name));
    }
    devices.values().forEach(SiteProcesses::awaitUp);
  }

  private void count(String fault) {
    faults.merge(fault, 1, Integer::sum);
  }

  private String status() {
    return site.answer("site", "status", "--data", "a");
  }

  /** Readings of before all counting are sent until each shard has got one. */
  private void awaitShards(int port) {
    Pattern read = Pattern.compile("\"shard\":\"readings/s\\d+\"[^}]*\"commits\":[1-9]");
    try (Publisher publisher = new Publisher(port)) {
      devices
          .get("a")
          .until(
              () -> {
                for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
                  publisher.send("line/s" + sensor, 1, "{\"seq\":-1}");
                }
                publisher.settle();
                String status = site.answer("site", "status", "--data", "a", "--output", "json");
                return read.matcher(status).results().count() == Readings.SENSORS;
              },
              () -> "all shards are read:\n" + status());
    }
  }

  /** The rows that are delivered, by window; files of processes that were killed count. */
  private Map<String, List<String>> windows() {
    Path windows = directory.resolve("windows");
    Map<String, List<String>> rows = new HashMap<>();
    if (!Files.isDirectory(windows)) {
      return rows;
    }
    try (Stream<Path> files = Files.list(windows)) {
      for (Path file : files.toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        int whole = text.lastIndexOf('\n') + 1;
        text.substring(0, whole)
            .lines()
            .forEach(
                line ->
                    rows.computeIfAbsent(
                            line.substring(0, line.indexOf(',')), _ -> new ArrayList<>())
                        .add(line));
      }
      return rows;
    } catch (NoSuchFileException e) {
      return windows(); // It has got its final name meanwhile.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What the rows of whole windows say.
   *
   * @param counted readings
   * @param lost readings that are missing
   * @param doubled readings that are too many
   * @param repeated rows that were delivered more than once
   */
  private record Audit(long counted, long lost, long doubled, long repeated) {}

  private Audit check(int complete) {
    Map<String, List<String>> rows = windows();
    long counted = 0;
    long lost = 0;
    long doubled = 0;
    long repeated = 0;
    for (int window = 0; window < complete; window++) {
      long first = (long) window * WINDOW;
      long sum = WINDOW * (2 * first + WINDOW - 1) / 2;
      String end =
          DateTimeFormatter.ofPattern("yyyyMMddHHmmss")
              .withZone(ZoneOffset.UTC)
              .format(Instant.ofEpochSecond(window + 1L));
      List<String> found = rows.getOrDefault(end, List.of());
      assertThat(found)
          .as("window %d", window)
          .isNotEmpty()
          .allMatch(row -> row.equals("%s,%d,%d".formatted(end, WINDOW, sum)));
      long readings = Long.parseLong(found.getFirst().split(",", -1)[1]);
      counted += readings;
      lost += Math.max(0, WINDOW - readings);
      doubled += Math.max(0, readings - WINDOW);
      repeated += found.size() - 1;
    }
    return new Audit(counted, lost, doubled, repeated);
  }
}
