package io.sedge.bench.connectors;

import io.sedge.bench.ClassPath;
import io.sedge.bench.Directories;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Connectors beside bare clients of the same libraries, or Flink, with servers on this machine:
 * what a value costs that comes by OPC UA, Modbus or Sparkplug, rows into a database, a job from
 * topic to topic of Kafka also when its device is killed, and what connectors cost that are not
 * used.
 */
public final class ConnectorBenchmark {
  /** What can be measured, by the connectors' names; the last one is memory. */
  public static final List<String> PARTS =
      List.of("kafka", "modbus", "opc-ua", "jdbc", "sparkplug", "memory");

  private final Programs programs;
  private final Path builds;
  private final Plan plan;
  private final PrintStream progress;

  /**
   * What is to be measured.
   *
   * @param readings of Kafka's short input
   * @param rows of the short input of databases
   * @param nodes of OPC UA
   * @param kills of a device whose job is from topic to topic
   * @param seconds for which steady rates are measured
   * @param rounds how often everything is measured but kills; the median counts
   */
  public record Plan(int readings, int rows, int nodes, int kills, int seconds, int rounds) {}

  /**
   * @param project where {@code sedge} is
   * @param directory is made and removed
   */
  public ConnectorBenchmark(
      Path project, ClassPath classPath, Path directory, Plan plan, PrintStream progress) {
    this.programs =
        new Programs(
            project.resolve("sedge").toAbsolutePath(), classPath, directory.toAbsolutePath());
    this.builds = project.resolve("cli/target/builds");
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures one of {@link #PARTS}, and prints its tables. */
  public void run(String part, PrintStream out) throws IOException {
    Directories.remove(programs.directory());
    Files.createDirectories(programs.directory());
    Duration measured = Duration.ofSeconds(plan.seconds());
    switch (part) {
      case "kafka" -> kafka(out);
      case "modbus" ->
          out.println(ModbusBenchmark.measure(programs, plan.rounds(), measured, progress));
      case "opc-ua" ->
          out.println(
              OpcUaBenchmark.measure(programs, plan.nodes(), plan.rounds(), measured, progress));
      case "jdbc" ->
          out.println(new JdbcBenchmark(programs, plan.rows(), progress).measure(plan.rounds()));
      case "sparkplug" ->
          SparkplugBenchmark.measure(programs, plan.rounds(), measured, out, progress);
      case "memory" ->
          out.println(ConnectorMemory.measure(programs, builds, plan.rounds(), progress));
      default -> throw new IllegalArgumentException(part);
    }
    Directories.remove(programs.directory());
  }

  private void kafka(PrintStream out) throws IOException {
    try (KafkaBroker broker = KafkaBroker.start(programs)) {
      out.println(
          new KafkaBenchmark(programs, broker, plan.readings(), progress).measure(plan.rounds()));
      out.println(new KafkaKills(programs, broker, plan.kills(), progress).measure());
    }
  }
}
