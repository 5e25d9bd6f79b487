package io.sedge.bench.center;

import io.sedge.bench.Directories;
import io.sedge.bench.Table;
import io.sedge.bench.center.MergedRows.Difference;
import io.sedge.bench.parts.DeviceProcesses;
import io.sedge.bench.parts.SedgeProcess;
import io.sedge.ledger.CenterRight;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.SiteException;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One job over many sites whose windows the center merges, beside one machine that has the readings
 * of all: whether the rows are the same, and what went over the links. Each site is one device in a
 * process, with a file of an hour's readings. One thread.
 */
public final class FleetMerge {
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(15);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int READINGS = 200_000;

  private final Path sedge;
  private final Path directory;
  private final int count;
  private final PrintStream progress;

  /**
   * @param sedge the command
   * @param directory is made and removed
   * @param count of sites
   */
  public FleetMerge(Path sedge, Path directory, int count, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.count = count;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    List<DeviceProcesses> sites = new ArrayList<>();
    try {
      FleetReadings readings = FleetReadings.write(directory, count, READINGS);
      progress.printf("%,d readings, %,d bytes%n", readings.count(), readings.bytes());
      try (CenterProcess center =
          new CenterProcess(sedge, directory.resolve("center"), Database.embedded(directory))) {
        for (SiteCredential credential : center.enrol(count)) {
          sites.add(site(sites.size(), credential));
          progress.printf("%d sites of %d%n", sites.size(), count);
        }
        Table table =
            new Table(
                "aggregates",
                "windows",
                "counts that differ",
                "largest relative difference",
                "raw, MB",
                "over the links, kB",
                "of the raw",
                "seconds");
        for (FleetQuery query : FleetQuery.ALL) {
          measure(query, center, sites, readings, table);
        }
        out.println(table);
      }
    } catch (SQLException | SiteException | GeneralSecurityException e) {
      throw new IOException(e);
    } finally {
      sites.forEach(DeviceProcesses::close);
      Directories.remove(directory);
    }
  }

  private DeviceProcesses site(int number, SiteCredential credential)
      throws IOException, SiteException, GeneralSecurityException {
    DeviceProcesses site =
        new DeviceProcesses(
            sedge,
            Map.of(),
            List.of(
                new DeviceProcesses.Member(
                    "device", FleetReadings.site(directory, number), Path.of("data"), List.of())));
    try (DeviceConnection connection = site.connect(0)) {
      connection.allowCenter(CenterRight.JOBS, true);
      connection.setSecret(SiteCredential.SECRET, credential.text());
    }
    return site;
  }

  private MergedRows ofOneMachine(FleetQuery query) throws IOException {
    Path machine = FleetReadings.all(directory);
    Path script = machine.resolve(query.name() + ".sql");
    Files.writeString(script, query.onOneMachine(query.name()));
    try (SedgeProcess process =
        new SedgeProcess(
            sedge,
            Map.of(),
            machine,
            machine.resolve(query.name() + ".log"),
            "run",
            script.toString())) {
      process.awaitEnd();
    }
    return MergedRows.inFiles(machine.resolve(query.name()));
  }

  private void measure(
      FleetQuery query,
      CenterProcess center,
      List<DeviceProcesses> sites,
      FleetReadings readings,
      Table table)
      throws IOException, SQLException {
    MergedRows expected = ofOneMachine(query);
    long begin = System.nanoTime();
    center.deploy(query.name(), query.acrossSites());
    MergedRows merged = MergedRows.inDatabase(center.embeddedDatabase(), query);
    while (merged.readings() < readings.count()) {
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new IOException(
            "%s: %,d of %,d readings are counted in the center's rows after 15 minutes"
                .formatted(query.name(), merged.readings(), readings.count()));
      }
      center.checkJob(query.name());
      LockSupport.parkNanos(POLL_NANOS);
      merged = MergedRows.inDatabase(center.embeddedDatabase(), query);
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double bytes = 0;
    for (DeviceProcesses site : sites) {
      bytes +=
          site.metrics(0).sum("sedge_rows_out_bytes_total", "job=\"%s\"".formatted(query.name()));
    }
    Difference difference = merged.difference(expected);
    table.row(
        query.title(),
        "%,d".formatted(expected.windows()),
        "%,d".formatted(difference.counts()),
        String.format(Locale.ROOT, "%.1e", difference.numbers()),
        Table.number(readings.bytes() / 1e6),
        Table.number(bytes / 1e3),
        "1/" + Table.number(readings.bytes() / bytes),
        Table.number(seconds));
  }
}
