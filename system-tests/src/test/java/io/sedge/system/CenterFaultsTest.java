package io.sedge.system;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.connector.mqtt.testkit.Mosquitto;
import io.sedge.connector.mqtt.testkit.Publisher;
import io.sedge.system.testkit.CenterDatabase;
import io.sedge.system.testkit.FaultySite.Fault;
import io.sedge.system.testkit.Readings;
import io.sedge.system.testkit.ReportingSites;
import io.sedge.system.testkit.Sedge;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Two sites of real processes report to a center what a real Mosquitto gives them. The center and
 * the devices are killed, and the links between them cut, at random. Who numbered the readings
 * knows what the center's database must hold, and reads its file without the center.
 *
 * <p>Each site sends each reading as a row of its own, and windows, whose rows replace each other.
 */
@Timeout(5_400)
@Isolated
@Tag("long")
final class CenterFaultsTest {
  private static final int PER_SECOND = 100;

  /** Readings of one window: event time is made of the reading's number. */
  private static final int WINDOW = 100;

  private static final Duration LONGEST_FAULT = Duration.ofSeconds(12);
  private static final Duration LONGEST_REST = Duration.ofSeconds(5);

  /** A sender's longest pause is half a minute, a request may take as long. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Longer than any pause of a sender, and a request that is not answered. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  /** After as many faults something must have come. */
  private static final int LOOK = 5;

  /** Readings of before all counting have negative numbers. */
  private static final String ROWS = "SELECT count(*) FROM stored WHERE seq >= 0";

  private static final String ALL =
      "SELECT (SELECT count(*) FROM stored WHERE seq >= 0)"
          + " + (SELECT count(*) FROM windows WHERE number > 0 AND n = "
          + WINDOW
          + ")";

  private static final String SENSORS = "SELECT count(DISTINCT _site || sensor) FROM stored";

  @TempDir private Path data;
  @TempDir private Path directory;
  private final Map<String, Integer> faults = new TreeMap<>();

  @Test
  void theCenterHasEachRowOnceAfterFaultsAtRandom() throws SQLException {
    Duration length = Duration.ofMinutes(Integer.getInteger("sedge.minutes", 20));
    long seed = Long.getLong("sedge.seed", System.nanoTime());
    System.out.println("seed " + seed);
    play(length, new Random(seed));
  }

  private void play(Duration length, Random random) throws SQLException {
    Sedge sedge = Sedge.in(directory);
    CenterDatabase database;
    long sent;
    try (Mosquitto mosquitto = Mosquitto.start(data, List.of("allow_anonymous true"));
        ReportingSites sites = ReportingSites.found(sedge, directory)) {
      ReportingSites.SITES.forEach(
          (site, devices) -> {
            sedge.script(site + ".sql", script(mosquitto.port(), site, devices.size()));
            sites.answer("job", "submit", site + ".sql", "--data", devices.getFirst());
          });
      awaitSensors(sites, mosquitto.port());
      try (Readings readings = Readings.publish(mosquitto.port(), Long.MAX_VALUE, PER_SECOND, "")) {
        happen(sites, length, random);
        readings.stop();
        readings.settle();
        awaitEnd(sites, readings.sent());
        sent = readings.sent();
        database = sites.database();
      }
    }
    report(database, sent);
  }

  private void happen(ReportingSites sites, Duration length, Random random) {
    long begin = System.nanoTime();
    long seen = 0;
    for (int count = 1; elapsed(begin).compareTo(length) < 0; count++) {
      Fault fault = any(sites, random);
      System.out.printf("%d s: %s%n", elapsed(begin).toSeconds(), fault.name());
      faults.merge(fault.name(), 1, Integer::sum);
      fault.cause().run();
      pause(part(LONGEST_FAULT, random));
      fault.mend().run();
      pause(part(LONGEST_REST, random));
      if (count % LOOK == 0) {
        await(sites, ROWS, seen + 1);
        seen = sites.database().count(ROWS);
      }
    }
  }

  private static Fault any(ReportingSites sites, Random random) {
    List<String> devices = ReportingSites.devices();
    String device = devices.get(random.nextInt(devices.size()));
    List<String> names = ReportingSites.SITES.keySet().stream().sorted().toList();
    String site = names.get(random.nextInt(names.size()));
    return switch (random.nextInt(12)) {
      case 0 -> sites.powerLost();
      case 1 -> sites.centerStopped();
      case 2, 3, 4 -> sites.centerKilled();
      case 5 -> sites.cut(site);
      case 6, 7 -> sites.cutAfter(site, random.nextInt(8_000));
      case 8 -> sites.stalled(site);
      default -> sites.killed(device);
    };
  }

  private static Duration part(Duration longest, Random random) {
    return Duration.ofMillis(random.nextLong(longest.toMillis()));
  }

  private static void pause(Duration length) {
    long begin = System.nanoTime();
    while (elapsed(begin).compareTo(length) < 0) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static Duration elapsed(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private static void await(ReportingSites sites, String count, long least) {
    Await.until(
        PATIENCE,
        () -> sites.database().count(count) >= least,
        () ->
            "waited for %d by %s, there are %d%n%s"
                .formatted(least, count, sites.database().count(count), sites.center()));
  }

  /** Waits until all is there, or nothing more comes: what is missing then is told in numbers. */
  private static void awaitEnd(ReportingSites sites, long sent) {
    long all = ReportingSites.SITES.size() * (sent + sent / WINDOW - 1);
    long last = -1;
    long since = System.nanoTime();
    while (elapsed(since).compareTo(QUIET) < 0) {
      long count = sites.database().count(ALL);
      if (count >= all) {
        return;
      }
      if (count != last) {
        last = count;
        since = System.nanoTime();
      }
      pause(Duration.ofMillis(500));
    }
  }

  /** Greetings are sent until the center has one of each sensor from each site. */
  private static void awaitSensors(ReportingSites sites, int port) {
    int sensors = ReportingSites.SITES.size() * Readings.SENSORS;
    try (Publisher publisher = new Publisher(port)) {
      Await.until(
          PATIENCE,
          () -> {
            greet(publisher);
            pause(Duration.ofMillis(500));
            return sites.database().count(SENSORS) == sensors;
          },
          () ->
              "%d sensors are read, of %d%n%s"
                  .formatted(sites.database().count(SENSORS), sensors, sites.center()));
    }
  }

  private static void greet(Publisher publisher) {
    for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
      publisher.send("line/s" + sensor, 1, "{\"seq\":-1}");
    }
    publisher.settle();
  }

  private static String script(int broker, String site, int devices) {
    return "SET 'table.local-time-zone' = 'UTC';\n"
        + Readings.table(
            broker,
            site,
            ", ts AS TO_TIMESTAMP_LTZ(seq * 10, 3), WATERMARK FOR ts AS ts - INTERVAL '0.5' SECOND",
            shards(devices))
        + """
        CREATE TABLE stored (sensor STRING, seq BIGINT)
          WITH ('connector' = 'center', 'credential' = '${secret:center}');
        CREATE TABLE windows (number BIGINT, n BIGINT, total BIGINT, PRIMARY KEY (number) NOT ENFORCED)
          WITH ('connector' = 'center', 'credential' = '${secret:center}');
        INSERT INTO stored SELECT sensor, seq FROM readings;
        INSERT INTO windows
        SELECT (MIN(seq) + 100) / 100, COUNT(*), SUM(seq)
        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' SECOND))
        GROUP BY window_start, window_end;
        """;
  }

  /** Where there is one device, one task reads all. */
  private static String shards(int devices) {
    return devices == 1
        ? ""
        : IntStream.range(0, Readings.SENSORS)
            .mapToObj(sensor -> "s" + sensor)
            .collect(joining(";", ", 'shard.by' = 'sensor', 'shard.values' = '", "'"));
  }

  /**
   * The database is read by its driver alone, and the center is not there. A site's ledger numbers
   * the rows of both tables together, without gaps: a number that is missing is a row that the
   * center has lost. A reading that is missing has no row at its site either.
   */
  private void report(CenterDatabase database, long sent) throws SQLException {
    int sites = ReportingSites.SITES.size();
    List<List<Long>> made =
        database.numbers(
            "SELECT count(*), count(DISTINCT _seq), max(_seq) FROM (SELECT _site, _seq FROM stored"
                + " UNION ALL SELECT _site, _seq FROM windows) GROUP BY _site");
    long rows = made.stream().mapToLong(List::getFirst).sum();
    long numbers = made.stream().mapToLong(row -> row.get(1)).sum();
    long lost = made.stream().mapToLong(List::getLast).sum() - numbers;
    long doubled = rows - numbers;
    List<List<Long>> read =
        database.numbers(
            "SELECT count(*), count(DISTINCT seq) FROM stored WHERE seq BETWEEN 0 AND %d"
                    .formatted(sent - 1)
                + " AND sensor = 's' || (seq % 10) GROUP BY _site");
    long readings = read.stream().mapToLong(List::getFirst).sum();
    long distinct = read.stream().mapToLong(List::getLast).sum();
    long strange = database.count(ROWS) - readings;
    StringBuilder table = new StringBuilder("| fault | times |\n");
    faults.forEach((fault, times) -> table.append("| %s | %d |%n".formatted(fault, times)));
    System.out.printf(
        "%srows of %d sites %,d; lost %,d, doubled %,d%n", table, sites, rows, lost, doubled);
    System.out.printf(
        "readings sent to each site %,d; unread at a site %,d, read twice %,d, strange %,d%n",
        sent, sites * sent - distinct, readings - distinct, strange);
    assertThat(made).as("sites that have reported").hasSize(sites);
    assertThat(lost).as("rows that a site made and the center lost").isZero();
    assertThat(doubled).as("rows that the center has twice").isZero();
    assertThat(distinct).as("readings that sites have read").isEqualTo(sites * sent);
    assertThat(readings).as("readings, each once").isEqualTo(distinct);
    assertThat(strange).as("rows that nobody has sent").isZero();
    long whole = sent / WINDOW - 1;
    assertThat(
            database.count(
                ("SELECT count(*) FROM windows WHERE number BETWEEN 1 AND %2$d AND n = %1$d"
                        + " AND total = %1$d * (2 * %1$d * (number - 1) + %1$d - 1) / 2")
                    .formatted(WINDOW, whole)))
        .as("windows that are right")
        .isEqualTo(sites * whole);
  }
}
