package io.sedge.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs every contender on every workload, in turn and several times, and prints a table with the
 * medians and their ratios to Sedge. Each run is a process of its own; its peak resident memory is
 * the kernel's figure.
 *
 * <p>{@code Bench [--readings=N] [--rounds=N] [--workloads=W1,W2,W3] [--only=NAME,NAME]}, from the
 * folder of the module, after {@code ./mvnw -pl bench -am process-classes}.
 */
public final class Bench {
  private static final String PEERS = "io.sedge.bench.peers.";

  /** A contender's class, options of its JVM, and whether Flink's class path is its. */
  private record Entry(String name, String type, List<String> options, boolean flink) {}

  private static final List<String> OPENED =
      List.of(
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.time=ALL-UNNAMED");

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry("Sedge", "SedgeJob", List.of("-Xmx64m", "-XX:+UseSerialGC"), false),
          new Entry("hand-written loop", "HandWrittenLoop", List.of("-Xmx2g"), false),
          new Entry("Hazelcast Jet", "JetJob", List.of("-Xmx2g"), false),
          new Entry("Esper", "EsperJob", List.of("-Xmx2g"), false),
          new Entry("Flink DataStream", "FlinkDataStreamJob", flinkOptions(), true),
          new Entry("Flink SQL", "FlinkSqlJob", flinkOptions(), true));

  /** One run. */
  private record Result(double perSecond, double cores, String output, double residentMb) {}

  private final Map<String, String> options;
  private final Path target = Path.of("target");

  private Bench(Map<String, String> options) {
    this.options = options;
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Map<String, String> options = new LinkedHashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (!arg.startsWith("--") || equals < 0) {
        System.err.println(
            "usage: Bench [--readings=20000000] [--rounds=3] [--workloads=W1,W2,W3]"
                + " [--only=Sedge,Esper]; got "
                + arg);
        System.exit(2);
      }
      options.put(arg.substring(2, equals), arg.substring(equals + 1));
    }
    new Bench(options).run();
  }

  private void run() throws IOException, InterruptedException {
    long readings = Long.parseLong(options.getOrDefault("readings", "20000000"));
    int rounds = Integer.parseInt(options.getOrDefault("rounds", "3"));
    System.out.printf(
        Locale.ROOT,
        "%d readings a run, %d rounds, %d processors, JDK %s%n",
        readings,
        rounds,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version());
    for (String name : split(options.getOrDefault("workloads", "W1,W2,W3"))) {
      run(Workload.valueOf(name), readings, rounds);
    }
  }

  private void run(Workload workload, long readings, int rounds)
      throws IOException, InterruptedException {
    Map<Entry, List<Result>> results = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (Entry entry : entries()) {
        System.err.printf("%s round %d: %s%n", workload, round + 1, entry.name());
        Result result = measure(entry, workload, readings);
        results.computeIfAbsent(entry, key -> new ArrayList<>()).add(result);
      }
    }
    print(workload, results);
  }

  private List<Entry> entries() {
    String only = options.get("only");
    return only == null
        ? ENTRIES
        : ENTRIES.stream().filter(entry -> split(only).contains(entry.name())).toList();
  }

  private Result measure(Entry entry, Workload workload, long readings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(entry.options());
    command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "-cp", classPath(entry)));
    command.addAll(List.of(BenchRun.class.getName(), PEERS + entry.type(), workload.name()));
    command.add(Long.toString(readings));
    Path log = target.resolve("bench-" + entry.type() + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = output.readLine();
      while (line != null && !line.startsWith("RESULT ")) {
        line = output.readLine();
      }
      process.waitFor();
      if (line == null) {
        throw new IOException("%s gave no result; see %s".formatted(entry.name(), log));
      }
      return result(line);
    }
  }

  private static Result result(String line) {
    List<String> parts = Arrays.asList(line.split(" ", -1));
    return new Result(
        Double.parseDouble(parts.get(1)),
        Double.parseDouble(parts.get(2)),
        String.join(" ", parts.subList(3, 6)),
        Double.parseDouble(parts.get(6)));
  }

  private String classPath(Entry entry) throws IOException {
    List<String> paths = new ArrayList<>();
    paths.add(target.resolve("classes").toString());
    String runtime = Files.readString(target.resolve("bench.classpath")).strip();
    if (!entry.flink()) {
      return paths.getFirst() + File.pathSeparator + runtime;
    }
    paths.addAll(
        split(Files.readString(target.resolve("flink.classpath")).strip(), File.pathSeparator));
    for (String path : split(runtime, File.pathSeparator)) {
      String file = Path.of(path).getFileName().toString();
      if (path.endsWith(".jar") && !file.startsWith("calcite") && !file.startsWith("avatica")) {
        paths.add(path);
      }
    }
    return String.join(File.pathSeparator, paths);
  }

  private static void print(Workload workload, Map<Entry, List<Result>> results) {
    double sedge =
        results.entrySet().stream()
            .filter(each -> each.getKey().name().equals("Sedge"))
            .mapToDouble(each -> median(each.getValue()).perSecond())
            .findFirst()
            .orElse(Double.NaN);
    System.out.printf(
        "%n%s%n%-20s %14s %14s %7s %9s  %s%n",
        workload, "", "readings/s", "Sedge is", "cores", "RSS MB", "rows, counted, mean deviation");
    results.forEach(
        (entry, runs) -> {
          Result median = median(runs);
          System.out.printf(
              Locale.ROOT,
              "%-20s %,14.0f %13.2fx %7.2f %9.0f  %s%n",
              entry.name(),
              median.perSecond(),
              sedge / median.perSecond(),
              median.cores(),
              median.residentMb(),
              runs.stream().map(Result::output).distinct().collect(Collectors.joining(" | ")));
        });
  }

  private static Result median(List<Result> runs) {
    List<Result> sorted = new ArrayList<>(runs);
    sorted.sort((a, b) -> Double.compare(a.perSecond(), b.perSecond()));
    return sorted.get(sorted.size() / 2);
  }

  private static List<String> flinkOptions() {
    List<String> options = new ArrayList<>(OPENED);
    options.add("-Xmx2g");
    return List.copyOf(options);
  }

  private static List<String> split(String list) {
    return split(list, ",");
  }

  private static List<String> split(String list, String separator) {
    return Arrays.asList(list.split(separator, -1));
  }
}
