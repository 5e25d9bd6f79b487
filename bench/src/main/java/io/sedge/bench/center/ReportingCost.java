package io.sedge.bench.center;

import io.sedge.bench.Table;
import io.sedge.bench.parts.DeviceProcesses;
import io.sedge.bench.parts.Quantiles;
import io.sedge.bench.parts.Rounds;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What it costs a site that it reports: two sites of one device have the same job at the same time,
 * at each of some rates. One sends its rows to a center and asks it for orders; the other has a
 * table {@code blackhole} and no center. Processor time is that of the device's process. Two
 * processes with the same job differ by some percent, since each compiles in an order of its own:
 * so rounds are long, and several.
 */
final class ReportingCost {
  private static final List<Integer> RATES = List.of(260, 20_000);
  private static final String ALONE = "'connector' = 'blackhole'";
  private static final String REPORTING =
      "'connector' = 'center', 'credential' = '${secret:center}'";

  private final Path sedge;
  private final Path directory;
  private final int seconds;
  private final int rounds;
  private final PrintStream progress;

  /**
   * @param seconds for which each round warms up, and for which it is measured
   */
  ReportingCost(Path sedge, Path directory, int seconds, int rounds, PrintStream progress) {
    this.sedge = sedge;
    this.directory = directory;
    this.seconds = seconds;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Processor time of both: nanoseconds so far, or parts of one processor in between. */
  private record Use(double alone, double reporting) {
    Use since(Use before, double nanos) {
      return new Use((alone - before.alone) / nanos, (reporting - before.reporting) / nanos);
    }
  }

  /** One with a center and one without, at a rate. */
  private record Pair(int rate, DeviceProcesses alone, DeviceProcesses reporting) {
    Use use() {
      return new Use(alone.cpu().toNanos(), reporting.cpu().toNanos());
    }
  }

  /** Measures, and prints tables. */
  void run(Database database, PrintStream out) throws IOException {
    Map<Integer, List<Use>> uses = new LinkedHashMap<>();
    List<Long> arrivals = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      Path own = directory.resolve("cost-" + round);
      List<Pair> pairs = new ArrayList<>();
      try (CenterProcess center = new CenterProcess(sedge, own.resolve("center"), database)) {
        List<SiteCredential> credentials = center.enrol(RATES.size());
        for (int rate : RATES) {
          pairs.add(pair(own.resolve(Integer.toString(rate)), rate, credentials.get(pairs.size())));
        }
        measure(center, pairs, arrivals)
            .forEach((rate, use) -> uses.computeIfAbsent(rate, _ -> new ArrayList<>()).add(use));
      } catch (SiteException | GeneralSecurityException | SQLException e) {
        throw new IOException(e);
      } finally {
        for (Pair pair : pairs) {
          pair.alone().close();
          pair.reporting().close();
        }
      }
    }
    Table table =
        new Table(
            "readings/s",
            "CPU without, of one processor",
            "CPU with, of one processor",
            "more, in one processor",
            "more, in %",
            "least and most");
    uses.forEach((rate, all) -> row(table, rate, all));
    out.println(table);
    Collections.sort(arrivals);
    Table delays = new Table("windows", "median, s", "p99, s", "longest, s");
    delays.row(
        "%,d".formatted(arrivals.size()),
        Quantiles.seconds(arrivals, 0.5),
        Quantiles.seconds(arrivals, 0.99),
        Quantiles.seconds(arrivals, 1));
    out.println(delays);
  }

  private Pair pair(Path own, int rate, SiteCredential credential)
      throws IOException, SiteException, GeneralSecurityException {
    DeviceProcesses alone = device(own, "alone");
    DeviceProcesses reporting = device(own, "reporting");
    submit(alone, rate, ALONE);
    report(reporting, credential);
    submit(reporting, rate, REPORTING);
    return new Pair(rate, alone, reporting);
  }

  private static void row(Table table, int rate, List<Use> uses) {
    List<Double> more =
        uses.stream().map(use -> 100 * (use.reporting() / use.alone() - 1)).toList();
    table.row(
        "%,d".formatted(rate),
        Table.number(Rounds.median(uses.stream().map(Use::alone).toList())),
        Table.number(Rounds.median(uses.stream().map(Use::reporting).toList())),
        Table.number(
            Rounds.median(uses.stream().map(use -> use.reporting() - use.alone()).toList())),
        Table.number(Rounds.median(more)),
        "%s %s"
            .formatted(Table.number(Collections.min(more)), Table.number(Collections.max(more))));
  }

  private DeviceProcesses device(Path own, String name) throws IOException, SiteException {
    return new DeviceProcesses(
        sedge,
        Map.of(),
        List.of(new DeviceProcesses.Member(name, own.resolve(name), Path.of("data"), List.of())));
  }

  private static void report(DeviceProcesses device, SiteCredential credential)
      throws IOException, SiteException, GeneralSecurityException {
    try (DeviceConnection connection = device.connect(0)) {
      connection.setSecret(SiteCredential.SECRET, credential.text());
    }
  }

  private static void submit(DeviceProcesses device, int rate, String sink)
      throws IOException, SiteException {
    try (DeviceConnection connection = device.connect(0)) {
      connection.submit("windows", job(rate, sink));
    }
  }

  private static String job(int rate, String sink) {
    return """
    CREATE TABLE readings (sensor INT, v DOUBLE, ts AS LOCALTIMESTAMP, WATERMARK FOR ts AS ts)
      WITH ('connector' = 'datagen', 'rows-per-second' = '%d', 'fields.sensor.min' = '0', 'fields.sensor.max' = '%d');
    CREATE TABLE windows (sensor INT, window_end TIMESTAMP(3), n BIGINT, mean DOUBLE) WITH (%s);
    INSERT INTO windows SELECT sensor, window_end, COUNT(*), AVG(v)
    FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
    GROUP BY sensor, window_start, window_end;
    """
        .formatted(rate, WindowRows.SERIES - 1, sink);
  }

  private Map<Integer, Use> measure(CenterProcess center, List<Pair> pairs, List<Long> arrivals)
      throws SQLException {
    LockSupport.parkNanos(seconds * 1_000_000_000L);
    long begin = System.nanoTime();
    List<Use> before = pairs.stream().map(Pair::use).toList();
    try (RowArrivals rows = new RowArrivals(center.embeddedDatabase())) {
      rows.watch(seconds);
      arrivals.addAll(rows.sorted());
    }
    double nanos = System.nanoTime() - begin;
    Map<Integer, Use> uses = new LinkedHashMap<>();
    for (int at = 0; at < pairs.size(); at++) {
      Use use = pairs.get(at).use().since(before.get(at), nanos);
      uses.put(pairs.get(at).rate(), use);
      progress.printf(
          Locale.ROOT,
          "%d readings/s: %.4f alone, %.4f reporting%n",
          pairs.get(at).rate(),
          use.alone(),
          use.reporting());
    }
    return uses;
  }
}
