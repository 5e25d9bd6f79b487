package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.Table;
import io.sedge.site.SiteException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Four devices of relative speed 1:2:3:4 and a load that can be divided: by how much the job takes
 * longer than load/total speed, and than what equal shares take. The speed of each device is what
 * it shows with the same job alone, over a file of its own share; equal shares are a quarter of the
 * file in a directory of each device.
 */
public final class SeedCase {
  private static final List<Integer> SPEEDS = List.of(1, 2, 3, 4);
  private static final int TOTAL = 10;

  /** Of one processor, for all four: far less than the machine has, so that it is no limit. */
  private static final double CPUS = 0.3;

  private static final int WARM_UPS = 3;
  private static final int WARM_UP_READINGS = 4_000_000;
  private static final int BLOCK_READINGS = 10_000;

  private final Path sedge;
  private final Path directory;
  private final int rounds;
  private final int seconds;
  private final PrintStream progress;
  private int results;

  /**
   * @param sedge the command
   * @param directory is made and removed
   * @param seconds that the job is to take, about
   */
  public SeedCase(Path sedge, Path directory, int rounds, int seconds, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.rounds = rounds;
    this.seconds = seconds;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    List<Double> cpus = SPEEDS.stream().map(speed -> CPUS * speed / TOTAL).toList();
    try (ThrottledSite site = new ThrottledSite(sedge, directory, cpus)) {
      measure(site, out);
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      Directories.remove(directory);
    }
  }

  private void measure(ThrottledSite site, PrintStream out) throws IOException, SiteException {
    Path warm = directory.resolve("warm.json");
    write(warm, WARM_UP_READINGS);
    double took = 0;
    for (int i = 0; i < WARM_UPS; i++) {
      took = timed(site, "warm-up", warm.toString(), "", WARM_UP_READINGS);
    }
    long load = Math.round(WARM_UP_READINGS / took * seconds / TOTAL) * TOTAL;
    Path whole = directory.resolve("whole.json");
    write(whole, load);
    for (int i = 0; i < SPEEDS.size(); i++) {
      write(directory.resolve("share-" + i + ".json"), load / TOTAL * SPEEDS.get(i));
      Path own = Files.createDirectories(site.directory(i).resolve("own"));
      write(own.resolve("quarter.json"), load / SPEEDS.size());
    }
    Table table =
        new Table(
            "round",
            "load, readings",
            "speeds alone, readings/s",
            "ideal s",
            "parts s",
            "over the ideal %",
            "equal shares s",
            "of the ideal");
    List<Double> over = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      List<Double> speeds = speeds(site, load);
      double ideal = load / speeds.stream().mapToDouble(Double::doubleValue).sum();
      double parts = timed(site, "parts", whole.toString(), "", load);
      double equal =
          timed(site, "equal shares", "own", ", 'shard.by' = 'device'", load / SPEEDS.size() * 4);
      over.add(parts / ideal - 1);
      table.row(
          Integer.toString(round),
          String.format(Locale.ROOT, "%,d", load),
          String.join(" ", speeds.stream().map(Table::number).toList()),
          Table.number(ideal),
          Table.number(parts),
          Table.number((parts / ideal - 1) * 100),
          Table.number(equal),
          Table.number(equal / ideal));
    }
    out.println(table);
    over.sort(Comparator.naturalOrder());
    out.printf(
        Locale.ROOT,
        "Parts: %.1f %% over load/total speed (median of %d).%n%n",
        over.get(over.size() / 2) * 100,
        rounds);
  }

  /** Of each device alone. */
  private List<Double> speeds(ThrottledSite site, long load) throws IOException, SiteException {
    List<Double> speeds = new ArrayList<>();
    for (int i = 0; i < SPEEDS.size(); i++) {
      site.use(List.of(i));
      long readings = load / TOTAL * SPEEDS.get(i);
      Path own = directory.resolve("share-" + i + ".json");
      double took = timed(site, ThrottledSite.name(i) + " alone", own.toString(), "", readings);
      speeds.add(readings / took);
    }
    site.use(List.of(0, 1, 2, 3));
    return speeds;
  }

  private double timed(ThrottledSite site, String what, String path, String options, long readings)
      throws IOException, SiteException {
    Path result = directory.resolve("result-" + ++results);
    double took = site.run(script(path, options, result));
    long counted = counted(result);
    progress.printf(Locale.ROOT, "%s: %,d readings in %.2f s%n", what, counted, took);
    if (counted != readings) {
      throw new IOException("%s: %d readings, %d counted".formatted(what, readings, counted));
    }
    return took;
  }

  private static String script(String path, String options, Path result) {
    return """
    SET 'execution.runtime-mode' = 'batch';
    CREATE TABLE readings (
      machine STRING, quantity STRING, v DOUBLE, ts TIMESTAMP(3)
    ) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json'%s);
    CREATE TABLE totals (
      machine STRING, quantity STRING, n BIGINT, s DOUBLE, lo DOUBLE, hi DOUBLE, sd DOUBLE
    ) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
    INSERT INTO totals
      SELECT machine, quantity, COUNT(*), SUM(v), MIN(v), MAX(v), STDDEV_POP(v)
      FROM readings WHERE v > -1E9 GROUP BY machine, quantity;
    """
        .formatted(path, options, result);
  }

  /** How many readings are in the results. */
  private static long counted(Path result) throws IOException {
    long counted = 0;
    try (Stream<Path> files = Files.walk(result)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        for (String line : Files.readAllLines(file)) {
          String from = line.substring(line.indexOf("\"n\":") + 4);
          counted += Long.parseLong(from.substring(0, from.indexOf(',')));
        }
      }
    }
    return counted;
  }

  /** The same block of readings again and again. */
  private static void write(Path file, long readings) throws IOException {
    List<String> lines = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < BLOCK_READINGS; i++) {
      lines.add(
          String.format(
              Locale.ROOT,
              "{\"machine\":\"pump-%d\",\"quantity\":\"q%d\",\"v\":%.3f,\"ts\":\"2026-01-01"
                  + " 00:%02d:%02d.%03d\"}\n",
              random.nextInt(20),
              random.nextInt(5),
              random.nextGaussian() * 10,
              i / 60_000 % 60,
              i / 1_000 % 60,
              i % 1_000));
    }
    String block = String.join("", lines);
    try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (long written = 0; written < readings; written += BLOCK_READINGS) {
        long left = readings - written;
        writer.write(
            left >= BLOCK_READINGS ? block : String.join("", lines.subList(0, (int) left)));
      }
    }
  }
}
