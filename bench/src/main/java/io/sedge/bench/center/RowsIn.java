package io.sedge.bench.center;

import io.sedge.bench.Table;
import io.sedge.bench.parts.Rounds;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * How many rows a second come from three sites into a center's database, as fast as they go, beside
 * a loop that writes the same rows into the same database without a center.
 */
final class RowsIn {
  private static final int SITES = 3;
  private static final long POLL_NANOS = 2_000_000;

  private final Path sedge;
  private final Path directory;
  private final int rows;
  private final int rounds;
  private final PrintStream progress;

  /**
   * @param rows of all sites together, in a round
   */
  RowsIn(Path sedge, Path directory, int rows, int rounds, PrintStream progress) {
    this.sedge = sedge;
    this.directory = directory;
    this.rows = rows / SITES * SITES;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** What a round came to. */
  private record Round(double rowsPerSecond, double centerCpuMicros) {}

  /** Measures, and prints a table. */
  void run(List<Database> databases, PrintStream out) throws IOException {
    Table table =
        new Table(
            "rows of three sites",
            "rows/s",
            "least and most",
            "bare loop, rows/s",
            "least and most",
            "of the loop",
            "center's CPU us/row");
    for (Database database : databases) {
      try {
        measure(database, table);
      } catch (SQLException | GeneralSecurityException e) {
        throw new IOException(e);
      }
    }
    out.println(table);
  }

  private void measure(Database database, Table table)
      throws IOException, SQLException, GeneralSecurityException {
    Connectors connectors = Connectors.installed(RowsIn.class.getClassLoader());
    List<Double> bare = new ArrayList<>();
    List<Round> sites = new ArrayList<>();
    try (CenterProcess center =
        new CenterProcess(sedge, directory.resolve(database.name()), database)) {
      List<SiteCredential> credentials = center.enrol(SITES);
      // The first one warms up.
      for (int round = 0; round <= rounds; round++) {
        double loop = database.bare().run("w" + round, rows);
        Round reported = round(center, connectors, credentials, round);
        progress.printf(
            Locale.ROOT,
            "%s, round %d: bare loop %,.0f, three sites %,.0f rows/s%n",
            database.name(),
            round,
            loop,
            reported.rowsPerSecond());
        if (round > 0) {
          bare.add(loop);
          sites.add(reported);
        }
      }
    }
    List<Double> rates = sites.stream().map(Round::rowsPerSecond).toList();
    table.row(
        database.name(),
        Table.number(Rounds.median(rates)),
        range(rates),
        Table.number(Rounds.median(bare)),
        range(bare),
        Table.number(Rounds.median(rates) / Rounds.median(bare)),
        Table.number(Rounds.median(sites.stream().map(Round::centerCpuMicros).toList())));
  }

  private static String range(List<Double> values) {
    return Table.number(Collections.min(values)) + " " + Table.number(Collections.max(values));
  }

  /** Each round has a table of its own, as the loop has. */
  private Round round(
      CenterProcess center, Connectors connectors, List<SiteCredential> credentials, int round)
      throws GeneralSecurityException {
    List<Batch> batches = new ArrayList<>();
    int each = rows / SITES;
    for (int first = 0; first < each; first += WindowRows.BLOCK) {
      batches.add(WindowRows.batch(first, Math.min(WindowRows.BLOCK, each - first)));
    }
    List<SimulatedSite> sites = new ArrayList<>();
    try {
      for (SiteCredential credential : credentials) {
        sites.add(new SimulatedSite(connectors, credential, "round-" + round, "w" + round));
      }
      long cpu = center.cpu().toNanos();
      long begin = System.nanoTime();
      for (Batch batch : batches) {
        sites.forEach(site -> site.offer(batch));
      }
      while (!sites.stream().allMatch(SimulatedSite::isDone)) {
        LockSupport.parkNanos(POLL_NANOS);
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      return new Round(rows / seconds, (center.cpu().toNanos() - cpu) / 1e3 / rows);
    } finally {
      sites.forEach(SimulatedSite::close);
    }
  }
}
