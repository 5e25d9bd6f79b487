package io.sedge.bench.center;

import io.sedge.bench.Table;
import io.sedge.bench.parts.DeviceProcesses;
import io.sedge.bench.parts.Rounds;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * What it costs a site that it reports: two sites of one device have the same job at the same time.
 * One sends its rows to a center and asks it for orders; the other has a table {@code blackhole}
 * and no center. Processor time is that of the device's process.
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

  /** Processor time of both, of one processor. */
  private record Use(double alone, double reporting) {}

  /** Measures, and prints a table. */
  void run(Database database, PrintStream out) throws IOException {
    Table table =
        new Table(
            "readings/s",
            "CPU without, of one processor",
            "CPU with, of one processor",
            "more, in one processor",
            "more, in %",
            "least and most");
    for (int rate : RATES) {
      List<Use> uses = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        Path own = directory.resolve("cost-%d-%d".formatted(rate, round));
        try (CenterProcess center = new CenterProcess(sedge, own.resolve("center"), database);
            DeviceProcesses alone = device(own, "alone");
            DeviceProcesses reporting = device(own, "reporting")) {
          submit(alone, rate, ALONE);
          report(reporting, center.enrol(1).getFirst());
          submit(reporting, rate, REPORTING);
          Use use = measure(alone, reporting);
          uses.add(use);
          progress.printf(
              Locale.ROOT,
              "%d readings/s, round %d: %.4f alone, %.4f reporting%n",
              rate,
              round,
              use.alone(),
              use.reporting());
        } catch (SiteException | GeneralSecurityException e) {
          throw new IOException(e);
        }
      }
      row(table, rate, uses);
    }
    out.println(table);
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

  private Use measure(DeviceProcesses alone, DeviceProcesses reporting) {
    LockSupport.parkNanos(seconds * 1_000_000_000L);
    long begin = System.nanoTime();
    long aloneBefore = alone.cpu().toNanos();
    long reportingBefore = reporting.cpu().toNanos();
    LockSupport.parkNanos(seconds * 1_000_000_000L);
    double nanos = System.nanoTime() - begin;
    return new Use(
        (alone.cpu().toNanos() - aloneBefore) / nanos,
        (reporting.cpu().toNanos() - reportingBefore) / nanos);
  }
}
