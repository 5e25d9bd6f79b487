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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * What it costs that a job's state is replicated: the same job over windows by {@code sedge run},
 * on a site of one device and on one of three. Processor time is that of all processes; what a
 * reading takes is the difference between a long input and a short one, so that the start of a
 * process and of a job do not count. Bytes on the wire are what the machine's loopback carries
 * meanwhile, which is the ledger's: nothing else may use it.
 */
public final class ReplicationCost {
  private static final int SENSORS = 100;

  /** How much longer the long input is. */
  private static final int FACTOR = 4;

  /** More than the machine has: no limit. */
  private static final double CPUS = 64;

  private static final Path NETWORK = Path.of("/proc/net/dev");
  private static final long POLL_NANOS = 5_000_000;

  private static final String JOB =
      """
      CREATE TABLE readings (
        sensor STRING, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND
      ) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'json');
      CREATE TABLE windows (
        sensor STRING, window_end TIMESTAMP(3), n BIGINT, mean DOUBLE, lo DOUBLE, hi DOUBLE
      ) WITH ('connector' = 'blackhole');
      INSERT INTO windows
        SELECT sensor, window_end, COUNT(*), AVG(v), MIN(v), MAX(v)
        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
        GROUP BY sensor, window_start, window_end;
      """;

  private final Path sedge;
  private final Path directory;
  private final long readings;
  private final int rounds;
  private final PrintStream progress;

  /** What a run took. */
  private record Taken(Duration cpu, long wireBytes) {}

  /** What each reading took. */
  private record Cost(double cpuNanos, double wireBytes) {}

  /** Runs the job over a file. */
  private interface Runner {
    Taken run(Path input) throws IOException, SiteException;
  }

  /**
   * @param sedge the command
   * @param directory is made and removed
   * @param readings of the short input
   */
  public ReplicationCost(
      Path sedge, Path directory, long readings, int rounds, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.readings = readings;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Path few = Files.createDirectories(directory).resolve("few.json");
    Path many = directory.resolve("many.json");
    write(few, readings);
    write(many, readings * FACTOR);
    double raw = (double) Files.size(many) / (readings * FACTOR);
    List<Cost> without = new ArrayList<>();
    List<Cost> one = new ArrayList<>();
    List<Cost> three = new ArrayList<>();
    try (ThrottledSite single = new ThrottledSite(sedge, directory.resolve("one"), List.of(CPUS));
        ThrottledSite triple =
            new ThrottledSite(sedge, directory.resolve("three"), List.of(CPUS, CPUS, CPUS))) {
      var _ =
          run(
              single,
              many); // Devices run for long: what the compiler takes at first is not theirs.
      var _ = run(triple, many);
      for (int round = 0; round < rounds; round++) {
        without.add(cost("sedge run", this::runAlone, few, many));
        one.add(cost("a site of one", input -> run(single, input), few, many));
        three.add(cost("a site of three", input -> run(triple, input), few, many));
      }
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      Directories.remove(directory);
    }
    double alone = median(without.stream().map(Cost::cpuNanos).toList());
    Table table =
        new Table(
            "replication", "CPU ns/reading", "of sedge run", "wire bytes/reading", "of the raw");
    row(table, "sedge run", without, alone, raw);
    row(table, "site of one", one, alone, raw);
    row(table, "site of three", three, alone, raw);
    out.println(table);
  }

  private static void row(Table table, String what, List<Cost> costs, double alone, double raw) {
    double cpu = median(costs.stream().map(Cost::cpuNanos).toList());
    double wire = median(costs.stream().map(Cost::wireBytes).toList());
    table.row(
        what,
        Table.number(cpu),
        Table.number(cpu / alone),
        Table.number(wire),
        wire <= 0 ? "-" : "1/" + Table.number(raw / wire));
  }

  private static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  private Cost cost(String what, Runner runner, Path few, Path many)
      throws IOException, SiteException {
    Taken less = runner.run(few);
    Taken more = runner.run(many);
    double difference = readings * (FACTOR - 1.0);
    Cost cost =
        new Cost(
            more.cpu().minus(less.cpu()).toNanos() / difference,
            (more.wireBytes() - less.wireBytes()) / difference);
    progress.printf(
        Locale.ROOT,
        "%s: %.0f ns and %.2f bytes a reading%n",
        what,
        cost.cpuNanos(),
        cost.wireBytes());
    return cost;
  }

  private static Taken run(ThrottledSite site, Path input) throws IOException, SiteException {
    Duration cpu = site.cpu();
    long wire = wireBytes();
    var _ = site.run(JOB.formatted(input));
    return new Taken(site.cpu().minus(cpu), wireBytes() - wire);
  }

  private Taken runAlone(Path input) throws IOException {
    Path script = directory.resolve("alone.sql");
    Files.writeString(script, JOB.formatted(input));
    Process process =
        new ProcessBuilder(sedge.toString(), "run", script.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("alone.log").toFile())
            .start();
    Duration cpu = Duration.ZERO;
    while (process.isAlive()) {
      cpu = process.info().totalCpuDuration().orElse(cpu);
      LockSupport.parkNanos(POLL_NANOS);
    }
    if (process.exitValue() != 0) {
      throw new IOException(Files.readString(directory.resolve("alone.log")));
    }
    return new Taken(cpu, 0);
  }

  /** What the loopback has received so far; Linux alone tells. */
  private static long wireBytes() throws IOException {
    if (!Files.exists(NETWORK)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(NETWORK)) {
      return lines
          .map(String::strip)
          .filter(line -> line.startsWith("lo:"))
          .mapToLong(line -> Long.parseLong(line.substring(3).strip().split("\\s+", -1)[0]))
          .sum();
    }
  }

  /** A sensor has ten readings a second. */
  private static void write(Path file, long readings) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (long i = 0; i < readings; i++) {
        long millis = i * 100 / SENSORS;
        writer.write(
            String.format(
                Locale.ROOT,
                "{\"sensor\":\"line-1/sensor-%d\",\"v\":%d.%d,\"ts\":\"2026-01-%02d"
                    + " %02d:%02d:%02d.%03d\"}\n",
                i % SENSORS,
                i * 7_919 % 100,
                i % 10,
                1 + millis / 86_400_000,
                millis / 3_600_000 % 24,
                millis / 60_000 % 60,
                millis / 1_000 % 60,
                millis % 1_000));
      }
    }
  }
}
