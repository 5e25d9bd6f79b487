package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.Table;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What it costs that a job's state is replicated: the same job over windows by {@code sedge run},
 * on a site of one device and on one of three, where it is one device's work and the others only
 * keep its state, or as three jobs, each with a third of the sensors, that of all three. Processor
 * time is that of all processes; what a reading takes is the difference between a long input and a
 * short one, so that the start of a process and of a job do not count, nor what the compiler takes
 * at first. Bytes on the wire are what the machine's loopback carries meanwhile, which is the
 * ledger's: nothing else may use it.
 *
 * <p>Processes that work at the same time make each other slower, as they share caches, memory and
 * often cores. How much that is on this machine tell three {@code sedge run} at once, each with a
 * third of the sensors.
 */
public final class ReplicationCost {
  /** A number that three devices share evenly. */
  private static final int SENSORS = 99;

  private static final int DEVICES = 3;

  /** How much longer the short input is than what is asked for: the compiler is done by then. */
  private static final int SHORT = 10;

  /** How much longer the long input is than the short one. */
  private static final int FACTOR = 4;

  /** How often sites do the long input before anything is measured. */
  private static final int WARM_UPS = 4;

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

  /** The same readings as one file, and a third of the sensors in each of three. */
  private record Input(Path whole, List<Path> thirds) {}

  /** Runs the job over an input. */
  private interface Runner {
    Taken run(Input input) throws IOException, SiteException;
  }

  /** One row of the table. */
  private record Case(String name, Runner runner, List<Cost> costs) {
    Case(String name, Runner runner) {
      this(name, runner, new ArrayList<>());
    }

    double cpuNanos() {
      return Rounds.median(costs.stream().map(Cost::cpuNanos).toList());
    }
  }

  /**
   * @param sedge the command
   * @param directory is made and removed
   * @param readings a tenth of those of the short input
   */
  public ReplicationCost(
      Path sedge, Path directory, long readings, int rounds, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.readings = readings * SHORT;
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    Input few = write("few", readings);
    Input many = write("many", readings * FACTOR);
    try (ThrottledSite single = new ThrottledSite(sedge, directory.resolve("one"), List.of(CPUS));
        ThrottledSite triple =
            new ThrottledSite(
                sedge, directory.resolve("three"), Collections.nCopies(DEVICES, CPUS))) {
      List<Case> sites =
          List.of(
              new Case("site of one", input -> run(single, List.of(input.whole()))),
              new Case("site of three", input -> run(triple, List.of(input.whole()))),
              new Case("site of three, three jobs", input -> run(triple, input.thirds())));
      List<Case> cases =
          new ArrayList<>(
              List.of(
                  new Case("sedge run", input -> runAlone(List.of(input.whole()))),
                  new Case("three sedge run at once", input -> runAlone(input.thirds()))));
      cases.addAll(sites);
      warmUp(sites, many);
      for (int round = 0; round < rounds; round++) {
        for (Case each : cases) {
          each.costs().add(cost(each, few, many));
        }
      }
      print(cases, (double) Files.size(many.whole()) / (readings * FACTOR), out);
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      Directories.remove(directory);
    }
  }

  /** Devices run for long, so what the compiler takes is not their readings'. */
  private void warmUp(List<Case> sites, Input input) throws IOException, SiteException {
    for (int i = 1; i <= WARM_UPS; i++) {
      for (Case site : sites) {
        progress.printf(Locale.ROOT, "warming up %s, %d of %d%n", site.name(), i, WARM_UPS);
        var _ = site.runner().run(input);
      }
    }
  }

  private static void print(List<Case> cases, double raw, PrintStream out) {
    Table table =
        new Table(
            "replication",
            "CPU ns/reading",
            "least and most",
            "of sedge run",
            "wire bytes/reading",
            "of the raw");
    for (Case each : cases) {
      double wire = Rounds.median(each.costs().stream().map(Cost::wireBytes).toList());
      DoubleSummaryStatistics all =
          each.costs().stream().mapToDouble(Cost::cpuNanos).summaryStatistics();
      table.row(
          each.name(),
          Table.number(each.cpuNanos()),
          "%s %s".formatted(Table.number(all.getMin()), Table.number(all.getMax())),
          Table.number(each.cpuNanos() / cases.getFirst().cpuNanos()),
          Table.number(wire),
          wire <= 0 ? "-" : "1/" + Table.number(raw / wire));
    }
    out.println(table);
  }

  private Cost cost(Case measured, Input few, Input many) throws IOException, SiteException {
    Taken less = measured.runner().run(few);
    Taken more = measured.runner().run(many);
    double difference = readings * (FACTOR - 1.0);
    Cost cost =
        new Cost(
            more.cpu().minus(less.cpu()).toNanos() / difference,
            (more.wireBytes() - less.wireBytes()) / difference);
    progress.printf(
        Locale.ROOT,
        "%s: %.0f ns and %.2f bytes a reading%n",
        measured.name(),
        cost.cpuNanos(),
        cost.wireBytes());
    return cost;
  }

  /** Has the site do a job over each of some files, all at once. */
  private static Taken run(ThrottledSite site, List<Path> inputs)
      throws IOException, SiteException {
    Duration cpu = site.cpu();
    long wire = wireBytes();
    var _ = site.run(inputs.stream().map(JOB::formatted).toList());
    return new Taken(site.cpu().minus(cpu), wireBytes() - wire);
  }

  /** Runs the job over each input in a process of its own, all at once. */
  private Taken runAlone(List<Path> inputs) throws IOException {
    List<Process> processes = new ArrayList<>();
    List<Duration> cpu = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Path script = directory.resolve("alone-%d.sql".formatted(i));
      Files.writeString(script, JOB.formatted(inputs.get(i)));
      processes.add(
          new ProcessBuilder(sedge.toString(), "run", script.toString())
              .redirectErrorStream(true)
              .redirectOutput(log(i).toFile())
              .start());
      cpu.add(Duration.ZERO);
    }
    while (processes.stream().anyMatch(Process::isAlive)) {
      for (int i = 0; i < inputs.size(); i++) {
        cpu.set(i, processes.get(i).info().totalCpuDuration().orElse(cpu.get(i)));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    for (int i = 0; i < inputs.size(); i++) {
      if (processes.get(i).exitValue() != 0) {
        throw new IOException(Files.readString(log(i)));
      }
    }
    return new Taken(cpu.stream().reduce(Duration.ZERO, Duration::plus), 0);
  }

  private Path log(int process) {
    return directory.resolve("alone-%d.log".formatted(process));
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
  private Input write(String name, long count) throws IOException {
    Input input =
        new Input(
            directory.resolve(name + ".json"),
            IntStream.range(0, DEVICES)
                .mapToObj(third -> directory.resolve("%s-%d.json".formatted(name, third)))
                .toList());
    List<Writer> thirds = new ArrayList<>();
    try (Writer whole = Files.newBufferedWriter(input.whole(), StandardCharsets.US_ASCII)) {
      for (Path third : input.thirds()) {
        thirds.add(Files.newBufferedWriter(third, StandardCharsets.US_ASCII));
      }
      StringBuilder line = new StringBuilder();
      for (long i = 0; i < count; i++) {
        line.setLength(0);
        long sensor = i % SENSORS;
        append(line, i, sensor);
        whole.append(line);
        thirds.get((int) sensor % DEVICES).append(line);
      }
    } finally {
      for (Writer third : thirds) {
        third.close();
      }
    }
    return input;
  }

  /** By hand: a formatter would take longer than all that is measured. */
  private static void append(StringBuilder line, long i, long sensor) {
    long millis = i * 100 / SENSORS;
    line.append("{\"sensor\":\"line-1/sensor-").append(sensor);
    line.append("\",\"v\":").append(i * 7_919 % 100).append('.').append(i % 10);
    line.append(",\"ts\":\"2026-01-");
    appendDigits(line, 1 + millis / 86_400_000, 10).append(' ');
    appendDigits(line, millis / 3_600_000 % 24, 10).append(':');
    appendDigits(line, millis / 60_000 % 60, 10).append(':');
    appendDigits(line, millis / 1_000 % 60, 10).append('.');
    appendDigits(line, millis % 1_000, 100).append("\"}\n");
  }

  private static StringBuilder appendDigits(StringBuilder line, long number, long highest) {
    for (long digit = highest; digit > 0; digit /= 10) {
      line.append(number / digit % 10);
    }
    return line;
  }
}
