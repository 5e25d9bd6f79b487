package io.sedge.bench;

import io.sedge.bench.center.CenterBenchmark;
import io.sedge.bench.center.FleetMerge;
import io.sedge.bench.connectors.ConnectorBenchmark;
import io.sedge.bench.kernels.Kernels;
import io.sedge.bench.mqtt.MqttBenchmark;
import io.sedge.bench.parts.Failover;
import io.sedge.bench.parts.PlantCost;
import io.sedge.bench.parts.ReplicationCost;
import io.sedge.bench.parts.SeedCase;
import io.sedge.bench.parts.Slowdown;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;

/** Measures Sedge beside its peers and prints the tables of {@code docs/bench.md}. */
public final class Bench {
  /** Replication is measured with a file of JSON, which takes longer than laps over arrays. */
  private static final long REPLICATION_PART = 20;

  private final Settings settings;
  private final Path target;
  private final PrintStream out = System.out;
  private final PrintStream progress = System.err;

  private Bench(Settings settings, Path target) {
    this.settings = settings;
    this.target = target;
  }

  /** Run in the module's folder, after the build, see {@code bench/run}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (Arrays.asList(args).contains("--help")) {
      System.out.print(Settings.help());
      return;
    }
    try {
      new Bench(Settings.parse(args), Path.of("target")).run(args);
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(2);
    }
  }

  private void run(String[] args) throws IOException, InterruptedException {
    out.println(machine(args));
    ClassPath classPath = ClassPath.read(target);
    ContenderProcess processes = new ContenderProcess(classPath, target);
    for (String part : settings.parts()) {
      switch (part) {
        case "throughput" -> new Throughput(settings, processes, progress).run(out);
        case "latency" -> new Latency(settings, processes, progress).run(out);
        case "start" -> new Start(settings, classPath, Path.of(".."), progress).run(out);
        case "mqtt" ->
            new MqttBenchmark(classPath, processes, target, settings.rounds(), settings.seconds())
                .run(out, progress);
        case "site" ->
            new SeedCase(
                    Path.of("..", "sedge"),
                    target.resolve("site"),
                    settings.rounds(),
                    settings.seconds(),
                    progress)
                .run(out);
        case "slowdown" ->
            new Slowdown(
                    Path.of("..", "sedge"), target.resolve("slowdown"), settings.rounds(), progress)
                .run(out);
        case "replication" ->
            new ReplicationCost(
                    Path.of("..", "sedge"),
                    target.resolve("replication"),
                    settings.readings() / REPLICATION_PART,
                    settings.rounds(),
                    progress)
                .run(out);
        case "plant" ->
            new PlantCost(Path.of(".."), target.resolve("plant"), settings.plant(), progress)
                .run(out);
        case "failover" ->
            new Failover(
                    Path.of("..", "sedge"),
                    target.resolve("failover"),
                    settings.failover(),
                    progress)
                .run(out);
        case "center" ->
            new CenterBenchmark(
                    Path.of("..", "sedge"), target.resolve("center"), settings.center(), progress)
                .run(out);
        case "fleet" ->
            new FleetMerge(
                    Path.of("..", "sedge"), target.resolve("fleet"), settings.fleet(), progress)
                .run(out);
        case "kernels" -> Kernels.run(settings.rounds() == 1, out, progress);
        default ->
            new ConnectorBenchmark(
                    Path.of(".."),
                    classPath,
                    target.resolve("connectors"),
                    settings.connectors(),
                    progress)
                .run(part, out);
      }
    }
  }

  private static String machine(String[] args) throws IOException {
    return String.format(
        Locale.ROOT,
        "%s; bench/run %s; %s, %d processors, load %s; JDK %s%n",
        LocalDate.now(ZoneId.systemDefault()),
        String.join(" ", args),
        processor(),
        Runtime.getRuntime().availableProcessors(),
        load(),
        Runtime.version());
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  /** What else runs now matters to every figure. */
  private static String load() throws IOException {
    Path load = Path.of("/proc/loadavg");
    return Files.isReadable(load) ? Files.readString(load).split(" ", 2)[0] : "unknown";
  }
}
