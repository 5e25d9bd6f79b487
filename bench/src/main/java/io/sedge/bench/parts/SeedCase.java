package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.Table;
import io.sedge.site.api.SiteException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Four devices of relative speed 1:2:3:4 and a load that can be divided: by how much the job takes
 * longer than load/total speed, and how long equal shares take, and those of 1:2:3:4 that somebody
 * would set who knows the budgets; they suit no device that shows less than its budget says.
 *
 * <p>The speed of a device is what it shows with the same job alone. To begin and to end a job
 * takes some time whatever its load; what a device is done with in the difference between a long
 * and a short run does not count that, so the ideal is one in which that takes no time. Processes
 * of one machine make each other slower, so there is a second ideal, of the speeds that the devices
 * show when each does such a job of its own at the same time: what the first one has more is the
 * machine's, the rest is Sedge's. Speeds are measured before and after the job in parts, and their
 * mean counts. All runs read the same readings under many names (hard links), so that all are in
 * the machine's memory.
 */
public final class SeedCase {
  private static final List<Integer> SPEEDS = List.of(1, 2, 3, 4);
  private static final int TOTAL = 10;

  /** Of one processor, for all four: far less than the machine has, so that it is no limit. */
  private static final double CPUS = 0.6;

  /** Files of which the load consists: each device's share, and a quarter, are whole files. */
  private static final int FILES = 80;

  /** How much shorter the short run of a device alone is than the long one. */
  private static final int SHORTER = 5;

  /** Of each device, in each of the runs before. */
  private static final int WARM_UP_READINGS = 4_000_000;

  private static final int BLOCK_READINGS = 10_000;

  private static final String BY_DEVICE = ", 'shard.by' = 'device'";

  private final Path sedge;
  private final Path directory;
  private final int rounds;
  private final int seconds;
  private final PrintStream progress;
  private int results;

  /**
   * @param sedge the command
   * @param directory is made and removed
   * @param seconds that the job is to take, about; a device alone takes an eighth of it
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
    double speed = warmUp(site);
    int unit = SHORTER * BLOCK_READINGS;
    long perFile = Math.ceilDiv(Math.round(speed * seconds / FILES), unit) * unit;
    Path whole = inputs(site, perFile);
    long load = perFile * FILES;
    Table table =
        new Table(
            "round",
            "load, readings",
            "speeds alone, readings/s",
            "together",
            "ideal s, alone",
            "together",
            "parts s",
            "over the ideal %, alone",
            "together",
            "done by each, %");
    List<Double> over = new ArrayList<>();
    List<Double> overTogether = new ArrayList<>();
    List<Double> ideals = new ArrayList<>();
    Speeds before = speeds(site, perFile);
    for (int round = 1; round <= rounds; round++) {
      ThrottledSite.Run parts = timed(site, "parts", whole.toString(), "", load);
      Speeds after = speeds(site, perFile);
      Speeds speeds = before.mean(after);
      before = after;
      double alone = load / sum(speeds.alone());
      double together = load / sum(speeds.together());
      over.add(parts.seconds() / alone - 1);
      overTogether.add(parts.seconds() / together - 1);
      table.row(
          Integer.toString(round),
          String.format(Locale.ROOT, "%,d", load),
          String.join(" ", speeds.alone().stream().map(Table::number).toList()),
          String.join(" ", speeds.together().stream().map(Table::number).toList()),
          Table.number(alone),
          Table.number(together),
          Table.number(parts.seconds()),
          Table.number(over.getLast() * 100),
          Table.number(overTogether.getLast() * 100),
          percentages(parts.readings()));
      ideals.add(alone);
    }
    double known = timed(site, "shares by speed", "known", BY_DEVICE, load).seconds();
    double equal = timed(site, "equal shares", "own", BY_DEVICE, load).seconds();
    out.println(table);
    out.printf(
        Locale.ROOT,
        "Parts: %.1f %% over load/total speed, %.1f %% if devices work together (median of %d)."
            + " Shares by speed: %s s, %.1f %% over it. Equal shares: %s s, %s times it.%n%n",
        Rounds.median(over) * 100,
        Rounds.median(overTogether) * 100,
        rounds,
        Table.number(known),
        (known / Rounds.median(ideals) - 1) * 100,
        Table.number(equal),
        Table.number(equal / Rounds.median(ideals)));
  }

  /**
   * Has every device do as much, twice, and then all of them the same together.
   *
   * @return readings per second, of all: the slowest is the last of those that do as much
   */
  private double warmUp(ThrottledSite site) throws IOException, SiteException {
    Path warm = directory.resolve("warm.json");
    write(warm, WARM_UP_READINGS);
    for (int i = 0; i < SPEEDS.size(); i++) {
      links(site.directory(i).resolve("warm"), warm, 1);
    }
    long readings = (long) WARM_UP_READINGS * SPEEDS.size();
    Path whole = links(directory.resolve("warm"), warm, SPEEDS.size());
    var _ = timed(site, "warm-up of each", "warm", BY_DEVICE, readings);
    var _ = timed(site, "warm-up in parts", whole.toString(), "", readings);
    double slowest = timed(site, "warm-up of each", "warm", BY_DEVICE, readings).seconds();
    return WARM_UP_READINGS / slowest * TOTAL / SPEEDS.getFirst();
  }

  /**
   * Makes the directories of all runs: of the load, a quarter of it for each device ({@code own}),
   * its share by its speed ({@code known}), and an eighth of that and a fifth of the eighth, which
   * the other devices have nothing of.
   *
   * @return that of the load
   */
  private Path inputs(ThrottledSite site, long perFile) throws IOException {
    Path file = directory.resolve("file.json");
    write(file, perFile);
    Path small = directory.resolve("small.json");
    write(small, perFile / SHORTER);
    for (int i = 0; i < SPEEDS.size(); i++) {
      Path own = site.directory(i);
      links(own.resolve("own"), file, FILES / SPEEDS.size());
      links(own.resolve("known"), file, FILES / TOTAL * SPEEDS.get(i));
      for (int j = 0; j < SPEEDS.size(); j++) {
        links(own.resolve("long-" + j), file, i == j ? SPEEDS.get(j) : 0);
        links(own.resolve("short-" + j), small, i == j ? SPEEDS.get(j) : 0);
      }
    }
    return links(directory.resolve("whole"), file, FILES);
  }

  /** A directory in which a file has many names. */
  private static Path links(Path directory, Path file, int count) throws IOException {
    Files.createDirectories(directory);
    for (int i = 0; i < count; i++) {
      Files.createLink(directory.resolve("%02d.json".formatted(i)), file);
    }
    return directory;
  }

  /**
   * Readings per second of each device.
   *
   * @param alone while the others have nothing to do
   * @param together while each does a job of its own
   */
  private record Speeds(List<Double> alone, List<Double> together) {
    Speeds mean(Speeds other) {
      return new Speeds(mean(alone, other.alone), mean(together, other.together));
    }

    private static List<Double> mean(List<Double> some, List<Double> others) {
      return IntStream.range(0, some.size())
          .mapToObj(i -> (some.get(i) + others.get(i)) / 2)
          .toList();
    }
  }

  private static double sum(List<Double> speeds) {
    return speeds.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Over files that each device has and no other. */
  private Speeds speeds(ThrottledSite site, long perFile) throws IOException, SiteException {
    List<Double> alone = new ArrayList<>();
    for (int i = 0; i < SPEEDS.size(); i++) {
      alone.addAll(speeds(site, ThrottledSite.name(i) + " alone", perFile, List.of(i)));
    }
    List<Integer> all = IntStream.range(0, SPEEDS.size()).boxed().toList();
    return new Speeds(alone, speeds(site, "together", perFile, all));
  }

  /** Of devices that work at the same time, each at a job of its own. */
  private List<Double> speeds(ThrottledSite site, String what, long perFile, List<Integer> devices)
      throws IOException, SiteException {
    List<Long> more = devices.stream().map(device -> perFile * SPEEDS.get(device)).toList();
    List<Long> less = more.stream().map(readings -> readings / SHORTER).toList();
    List<Double> shorter = timed(site, what, paths("short-", devices), BY_DEVICE, less);
    List<Double> longer = timed(site, what, paths("long-", devices), BY_DEVICE, more);
    return IntStream.range(0, devices.size())
        .mapToObj(i -> (more.get(i) - less.get(i)) / (longer.get(i) - shorter.get(i)))
        .toList();
  }

  private static List<String> paths(String prefix, List<Integer> devices) {
    return devices.stream().map(device -> prefix + device).toList();
  }

  private static String percentages(List<Long> readings) {
    double sum = readings.stream().mapToLong(Long::longValue).sum();
    return String.join(
        " ",
        readings.stream()
            .map(some -> String.format(Locale.ROOT, "%.1f", some / sum * 100))
            .toList());
  }

  private ThrottledSite.Run timed(
      ThrottledSite site, String what, String path, String options, long readings)
      throws IOException, SiteException {
    return run(site, what, List.of(path), options, List.of(readings));
  }

  /** How long each of some jobs takes that begin at the same time. */
  private List<Double> timed(
      ThrottledSite site, String what, List<String> paths, String options, List<Long> readings)
      throws IOException, SiteException {
    return run(site, what, paths, options, readings).secondsOfEach();
  }

  private ThrottledSite.Run run(
      ThrottledSite site, String what, List<String> paths, String options, List<Long> readings)
      throws IOException, SiteException {
    List<Path> files = paths.stream().map(_ -> directory.resolve("result-" + ++results)).toList();
    List<String> scripts = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      scripts.add(script(paths.get(i), options, files.get(i)));
    }
    ThrottledSite.Run run = site.run(scripts);
    List<Long> counted = new ArrayList<>();
    for (Path file : files) {
      counted.add(counted(file));
    }
    progress.printf(
        Locale.ROOT,
        "%s: %s readings in %.2f s; read by each: %s; processor seconds of each: %s%n",
        what,
        counted,
        run.seconds(),
        run.readings(),
        run.cpuSeconds().stream().map(Table::number).toList());
    if (!counted.equals(readings)) {
      throw new IOException("%s: %s readings, %s counted".formatted(what, readings, counted));
    }
    return run;
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
