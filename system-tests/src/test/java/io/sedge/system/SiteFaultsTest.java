package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.system.testkit.FaultySite;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SinkFiles;
import io.sedge.system.testkit.SiteProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A site of five real processes and a real Mosquitto, with an auditor who knows each reading that
 * was sent: devices are killed, stopped, unplugged and started again, disks are filled and logs
 * torn, one after the other and all at once, and every window of the result has the readings that
 * belong to it, once.
 *
 * <p>Event time is made of the reading's number, so what belongs to a window is known exactly. A
 * row may stand twice in what is looked at, since that includes files in progress, of which the
 * next deliverer cuts off what nobody has confirmed; but never two different rows for one window.
 */
@Timeout(2_700)
@Isolated
final class SiteFaultsTest {
  /** Readings of one window, over all sensors. */
  private static final int WINDOW = 100;

  private static final int PER_SECOND = 400;
  private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(3);

  /** A device that stands still or is cut off does so for as long, that it is noticed. */
  private static final Duration LEAST_FAULT = Duration.ofSeconds(5);

  /** Five processes that are started at once, on a machine with two processors and other work. */
  private static final Duration MOST_PATIENCE = Duration.ofMinutes(3);

  /** Of what takes longer it is told what the devices said meanwhile, so that it is known why. */
  private static final Duration SLOW = Duration.ofSeconds(2);

  private static final int TOLD_LINES = 100;

  @TempDir private Path data;
  @TempDir private Path directory;
  private final Map<String, List<Duration>> pauses = new TreeMap<>();

  @Test
  void eachKindOfFaultCostsNothing() {
    audit(
        5,
        site ->
            Stream.of(
                    Optional.of(site.killed("b")),
                    Optional.of(site.stopped("c")),
                    site.cut("d"),
                    Optional.of(site.leaderKilled()),
                    site.diskFull(),
                    Optional.of(site.torn("b")),
                    Optional.of(site.powerLost()))
                .flatMap(Optional::stream)
                .iterator());
  }

  @Test
  @Tag("long")
  void halfAnHourOfFaultsAtRandomCostsNothing() {
    int minutes = Integer.getInteger("sedge.minutes", 30);
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    long begin = System.nanoTime();
    audit(
        5,
        site ->
            Stream.generate(() -> any(site, random))
                .takeWhile(_ -> elapsed(begin).toMinutes() < minutes)
                .flatMap(Optional::stream)
                .iterator());
  }

  /** Devices that only follow the ledger, and two of the five that vote with one that follows. */
  @Test
  @Tag("long")
  void aSiteOfTenLosesThreeAtOnceAndNothingElse() {
    audit(
        10,
        site ->
            List.of(site.killed(List.of("h", "i", "j")), site.killed(List.of("a", "b", "f")))
                .iterator());
  }

  private static Optional<FaultySite.Fault> any(FaultySite site, Random random) {
    String name = site.names().get(random.nextInt(site.names().size()));
    return switch (random.nextInt(12)) {
      case 0 -> Optional.of(site.powerLost());
      case 1, 2 -> Optional.of(site.stopped(name));
      case 3, 4 -> site.cut(name);
      case 5 -> site.diskFull();
      case 6 -> Optional.of(site.torn(name));
      case 7, 8 -> Optional.of(site.leaderKilled());
      default -> Optional.of(site.killed(name));
    };
  }

  /** Lets faults happen one after the other, each as soon as it is asked for. */
  private void audit(int devices, Function<FaultySite, Iterator<FaultySite.Fault>> faults) {
    Sedge sedge = Sedge.in(directory);
    int port = SiteProcesses.freePorts();
    try (FaultySite site = FaultySite.found(sedge, directory, devices);
        Mosquitto mosquitto =
            Mosquitto.start(
                data,
                List.of(
                    "listener %d %s".formatted(port, site.hostOfThisMachine()),
                    "allow_anonymous true"))) {
      script(sedge, site.hostOfThisMachine() + ":" + port);
      site.answer("job", "submit", "site.sql", "--data", "a");
      awaitShards(site, mosquitto.port());
      try (Readings readings = Readings.publish(mosquitto.port(), Long.MAX_VALUE, PER_SECOND, "")) {
        awaitWindows(3);
        Iterator<FaultySite.Fault> all = faults.apply(site);
        while (all.hasNext()) {
          happen(site, all.next());
        }
        readings.stop();
        readings.settle();
        // The last second of event time stays open: nothing later has come.
        int complete = Math.toIntExact(readings.sent() / WINDOW) - 2;
        site.device("a")
            .until(
                () -> windows().keySet().containsAll(ends(complete)),
                () -> "%d windows, there are %d%n%s".formatted(complete, count(), status(site)));
        report(readings.sent(), complete);
      }
    }
  }

  private void happen(FaultySite site, FaultySite.Fault fault) {
    Instant since = Instant.now();
    fault.cause().run();
    long at = System.nanoTime();
    awaitWindows(count() + 2);
    Duration pause = elapsed(at);
    assertThat(pause).as("results go on after %s", fault.name()).isLessThan(MOST_PATIENCE);
    pauses.computeIfAbsent(fault.name(), _ -> new ArrayList<>()).add(pause);
    if (pause.compareTo(SLOW) > 0) {
      System.out.printf(
          Locale.ROOT, "%s: results went on after %.1f s%n", fault.name(), seconds(pause));
      site.said(since).stream().limit(TOLD_LINES).forEach(System.out::println);
    }
    await(LEAST_FAULT.minus(elapsed(at)));
    fault.mend().run();
    await(BETWEEN_FAULTS);
  }

  private long count() {
    return windows().size();
  }

  private void awaitWindows(long least) {
    long begin = System.nanoTime();
    while (count() < least && elapsed(begin).compareTo(MOST_PATIENCE) < 0) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private void report(long sent, int complete) {
    Audit audit = check(complete);
    StringBuilder table =
        new StringBuilder("| fault | times | results went on after, s: p50 | p99 |\n");
    pauses.forEach(
        (fault, lengths) -> {
          lengths.sort(null);
          table.append(
              String.format(
                  Locale.ROOT,
                  "| %s | %d | %.1f | %.1f |%n",
                  fault,
                  lengths.size(),
                  seconds(percentile(lengths, 50)),
                  seconds(percentile(lengths, 99))));
        });
    System.out.printf(
        "%sreadings sent %,d; in %,d whole windows counted %,d, lost %,d, doubled %,d; rows"
            + " delivered twice %,d%n",
        table, sent, complete, audit.counted, audit.lost, audit.doubled, audit.repeated);
    assertThat(audit.lost + audit.doubled).as("readings lost or counted twice").isZero();
    assertThat(audit.wrong).as("rows that are not as they must be").isEmpty();
  }

  /** By the nearest rank: of fewer than a hundred the 99th percentile is the longest. */
  private static Duration percentile(List<Duration> sorted, int percent) {
    return sorted.get(Math.ceilDiv(percent * sorted.size(), 100) - 1);
  }

  private static double seconds(Duration length) {
    return length.toNanos() / 1e9;
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

  private static void script(Sedge sedge, String broker) {
    String sensors =
        String.join(
            ";", IntStream.range(0, Readings.SENSORS).mapToObj(sensor -> "s" + sensor).toList());
    sedge.script(
        "site.sql",
        "SET 'table.local-time-zone' = 'UTC';\n"
            + Readings.table(
                broker,
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

  private static String status(FaultySite site) {
    return site.answer("site", "status", "--data", "a");
  }

  /** Readings of before all counting are sent until each shard has got one. */
  private static void awaitShards(FaultySite site, int port) {
    Pattern read = Pattern.compile("\"shard\":\"readings/s\\d+\"[^}]*\"commits\":[1-9]");
    try (Publisher publisher = new Publisher(port)) {
      site.device("a")
          .until(
              () -> {
                for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
                  publisher.send("line/s" + sensor, 1, "{\"seq\":-1}");
                }
                publisher.settle();
                String status = site.answer("site", "status", "--data", "a", "--output", "json");
                return read.matcher(status).results().count() == Readings.SENSORS;
              },
              () -> "all shards are read:\n" + status(site));
    }
  }

  /** The rows that are delivered, by window; files of processes that were killed count. */
  private Map<String, List<String>> windows() {
    Map<String, List<String>> rows = new HashMap<>();
    SinkFiles.lines(directory.resolve("windows"))
        .forEach(
            line ->
                rows.computeIfAbsent(line.substring(0, line.indexOf(',')), _ -> new ArrayList<>())
                    .add(line));
    return rows;
  }

  /**
   * What the rows of whole windows say.
   *
   * @param counted readings
   * @param lost readings that are missing
   * @param doubled readings that are too many
   * @param repeated rows that were delivered more than once
   * @param wrong rows that are not as they must be
   */
  private record Audit(long counted, long lost, long doubled, long repeated, List<String> wrong) {}

  /** What the rows of the first windows begin with. */
  private static List<String> ends(int windows) {
    DateTimeFormatter form = DateTimeFormatter.ofPattern("yyyyMMddHHmmss").withZone(ZoneOffset.UTC);
    return IntStream.rangeClosed(1, windows)
        .mapToObj(second -> form.format(Instant.ofEpochSecond(second)))
        .toList();
  }

  private Audit check(int complete) {
    Map<String, List<String>> rows = windows();
    long counted = 0;
    long lost = 0;
    long doubled = 0;
    long repeated = 0;
    List<String> wrong = new ArrayList<>();
    List<String> ends = ends(complete);
    for (int window = 0; window < complete; window++) {
      long first = (long) window * WINDOW;
      long sum = WINDOW * (2 * first + WINDOW - 1) / 2;
      String end = ends.get(window);
      List<String> found = rows.getOrDefault(end, List.of());
      found.stream()
          .filter(row -> !row.equals("%s,%d,%d".formatted(end, WINDOW, sum)))
          .forEach(wrong::add);
      long readings = found.isEmpty() ? 0 : Long.parseLong(found.getFirst().split(",", -1)[1]);
      counted += readings;
      lost += Math.max(0, WINDOW - readings);
      doubled += Math.max(0, readings - WINDOW);
      repeated += Math.max(0, found.size() - 1);
    }
    return new Audit(counted, lost, doubled, repeated, wrong);
  }
}
