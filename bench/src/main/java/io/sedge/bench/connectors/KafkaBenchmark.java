package io.sedge.bench.connectors;

import io.sedge.bench.Entry;
import io.sedge.bench.Table;
import io.sedge.bench.parts.Rounds;
import io.sedge.bench.parts.SedgeProcess;
import io.sedge.bench.peers.FlinkScript;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * JSON from a topic, windows, JSON to a topic, exactly once: Sedge and Flink SQL with the same
 * script, Flink with an instance for each processor. A long run less a short one counts, so that
 * the start does not.
 */
final class KafkaBenchmark {
  /** How much longer the long input is than the short one. */
  private static final int FACTOR = 4;

  private static final String FEW = "few";
  private static final String MANY = "many";

  private final Programs programs;
  private final KafkaBroker broker;
  private final int readings;
  private final PrintStream progress;
  private int runs;

  /** Starts a job that writes into a topic. */
  private interface Contender {
    SedgeProcess start(String from, String to) throws IOException;
  }

  /** What a run took. */
  private record Taken(double seconds, Duration cpu) {}

  /** Of each reading. */
  private record Cost(double nanos, double cpuNanos) {}

  /**
   * @param readings of the short input
   */
  KafkaBenchmark(Programs programs, KafkaBroker broker, int readings, PrintStream progress) {
    this.programs = programs;
    this.broker = broker;
    this.readings = readings;
    this.progress = progress;
  }

  Table measure(int rounds) throws IOException {
    progress.printf("Kafka, %,d readings are written%n", readings * (1 + FACTOR));
    KafkaReadings.write(broker, FEW, readings);
    KafkaReadings.write(broker, MANY, readings * FACTOR);
    List<Cost> sedge = new ArrayList<>();
    List<Cost> flink = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      progress.printf("Kafka, round %d of %d%n", round, rounds);
      sedge.add(cost(this::sedge));
      flink.add(cost(this::flink));
    }
    Table table =
        new Table(
            "Kafka, JSON in, windows, JSON out, exactly once",
            "readings/s",
            "CPU ns/reading",
            "Sedge's readings/s are");
    row(table, "Sedge", sedge, sedge);
    row(table, "FlinkSQL", flink, sedge);
    return table;
  }

  private static void row(Table table, String name, List<Cost> costs, List<Cost> sedge) {
    table.row(
        name,
        Table.number(1e9 / nanos(costs)),
        Table.number(Rounds.median(costs.stream().map(Cost::cpuNanos).toList())),
        Table.number(nanos(costs) / nanos(sedge)) + "x");
  }

  private static double nanos(List<Cost> costs) {
    return Rounds.median(costs.stream().map(Cost::nanos).toList());
  }

  private Cost cost(Contender contender) throws IOException {
    Taken few = run(contender, FEW, readings);
    Taken many = run(contender, MANY, readings * FACTOR);
    double difference = readings * (FACTOR - 1.0);
    return new Cost(
        (many.seconds() - few.seconds()) * 1e9 / difference,
        many.cpu().minus(few.cpu()).toNanos() / difference);
  }

  private Taken run(Contender contender, String from, int count) throws IOException {
    String to = "results-" + runs++;
    broker.create(to, KafkaReadings.PARTITIONS);
    long begin = System.nanoTime();
    Taken taken;
    try (SedgeProcess process = contender.start(from, to)) {
      process.awaitEnd();
      taken = new Taken((System.nanoTime() - begin) / 1e9, process.cpu());
    }
    KafkaReadings.check(broker, to, count);
    return taken;
  }

  private SedgeProcess sedge(String from, String to) throws IOException {
    return programs.run("kafka-sedge", script(from, to));
  }

  private SedgeProcess flink(String from, String to) throws IOException {
    Path script = programs.directory().resolve("kafka-flink.sql");
    Files.writeString(script, script(from, to));
    int processors = Runtime.getRuntime().availableProcessors();
    return programs.start(
        "kafka-flink",
        Entry.flinkSql()
            .command(
                programs.classPath(),
                FlinkScript.class,
                List.of(Integer.toString(processors), script.toString())));
  }

  private String script(String from, String to) {
    return String.join(";\n", KafkaReadings.script(broker, from, to)) + ";\n";
  }
}
