package io.sedge.bench.center;

import io.sedge.bench.Table;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Many sites whose center is killed and comes back: each has rows of the outage waiting, a block
 * for each window of 10 s. How long until the center has all of them, what memory it takes, and
 * whether a site gets less than others while all wait.
 *
 * <p>Sites pause between attempts as the connector does, up to half a minute; all share this
 * process, and the machine with the center.
 */
final class Reconnection {
  private static final long POLL_NANOS = 20_000_000;
  private static final double PATIENCE_SECONDS = 1_800;

  private final Path sedge;
  private final Path directory;
  private final int count;
  private final int windows;
  private final PrintStream progress;

  /**
   * @param count how many sites
   * @param windows that each has waiting
   */
  Reconnection(Path sedge, Path directory, int count, int windows, PrintStream progress) {
    this.sedge = sedge;
    this.directory = directory;
    this.count = count;
    this.windows = windows;
    this.progress = progress;
  }

  /**
   * When sites had sent all that waited.
   *
   * @param seconds of each site, ascending
   * @param leastAtHalf rows of the site that had the fewest in the center when it had half of all
   * @param mostAtHalf the same of the site that had the most
   */
  private record CaughtUp(List<Double> seconds, long leastAtHalf, long mostAtHalf) {}

  /** Measures, and prints a table. */
  void run(Database database, PrintStream out) throws IOException {
    Connectors connectors = Connectors.installed(Reconnection.class.getClassLoader());
    List<SimulatedSite> sites = new ArrayList<>();
    try (CenterProcess center =
        new CenterProcess(sedge, directory.resolve("reconnection"), database)) {
      List<SiteCredential> credentials = center.enrol(count);
      progress.printf(Locale.ROOT, "%d sites connect%n", count);
      Batch first = WindowRows.batch(0, WindowRows.SERIES);
      long begin = System.nanoTime();
      for (SiteCredential credential : credentials) {
        SimulatedSite site = new SimulatedSite(connectors, credential, "windows", "windows");
        sites.add(site);
        site.offer(first);
      }
      await("first rows", () -> sites.stream().allMatch(SimulatedSite::isDone));
      double connected = seconds(begin);
      center.kill();
      fill(sites);
      await("sites that see the outage", () -> sites.stream().allMatch(site -> site.outages() > 0));
      progress.printf(Locale.ROOT, "the center starts again%n");
      center.again();
      CaughtUp caughtUp = caughtUp(sites);
      print(connected, caughtUp, center.peakResidentMb(), out);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    } finally {
      sites.forEach(SimulatedSite::close);
    }
  }

  private void fill(List<SimulatedSite> sites) {
    for (int window = 1; window <= windows; window++) {
      Batch batch = WindowRows.batch(window * WindowRows.SERIES, WindowRows.SERIES);
      sites.forEach(site -> site.offer(batch));
    }
  }

  private static void await(String what, BooleanSupplier condition) throws IOException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (seconds(begin) > PATIENCE_SECONDS) {
        throw new IOException("waited for " + what);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private CaughtUp caughtUp(List<SimulatedSite> sites) throws IOException {
    long begin = System.nanoTime();
    double[] seconds = new double[count];
    long all = sites.stream().mapToLong(SimulatedSite::offered).sum();
    long[] atHalf = new long[0];
    int done = 0;
    while (done < count) {
      long[] stored = sites.stream().mapToLong(SimulatedSite::stored).toArray();
      done = 0;
      for (int site = 0; site < count; site++) {
        if (stored[site] == sites.get(site).offered()) {
          done++;
          seconds[site] = seconds[site] > 0 ? seconds[site] : seconds(begin);
        }
      }
      if (atHalf.length == 0 && 2 * Arrays.stream(stored).sum() >= all) {
        atHalf = stored;
        progress.printf(Locale.ROOT, "half of %,d rows after %.1f s%n", all, seconds(begin));
      }
      if (seconds(begin) > PATIENCE_SECONDS) {
        throw new IOException("%d of %d sites have caught up".formatted(done, count));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    Arrays.sort(atHalf);
    return new CaughtUp(
        Arrays.stream(seconds).sorted().boxed().toList(), atHalf[0], atHalf[count - 1]);
  }

  private void print(double connected, CaughtUp caughtUp, double peakMb, PrintStream out) {
    Table table =
        new Table(
            "sites, rows of each",
            "all connected, s",
            "first caught up, s",
            "half of the sites, s",
            "the last, s",
            "rows at half: least and most",
            "center's RSS MB");
    List<Double> seconds = caughtUp.seconds();
    table.row(
        "%,d, %,d".formatted(count, windows * WindowRows.SERIES),
        Table.number(connected),
        Table.number(seconds.getFirst()),
        Table.number(seconds.get(count / 2)),
        Table.number(seconds.getLast()),
        "%,d %,d".formatted(caughtUp.leastAtHalf(), caughtUp.mostAtHalf()),
        Table.number(peakMb));
    out.println(table);
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
