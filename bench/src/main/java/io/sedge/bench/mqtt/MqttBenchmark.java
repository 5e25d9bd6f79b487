package io.sedge.bench.mqtt;

import io.sedge.bench.ClassPath;
import io.sedge.bench.ContenderProcess;
import io.sedge.bench.Entry;
import io.sedge.bench.Report;
import io.sedge.bench.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * MQTT, one connection, QoS 1, small JSON messages, against Mosquitto: how many messages a second
 * come out while a publisher sends as fast as the broker takes them (publisher, broker and consumer
 * share the machine); and at a steady rate how long a message takes from when it was due at the
 * publisher to its result.
 */
public final class MqttBenchmark {
  private static final long RATE = 10_000;
  private static final int FLOOD = 1_200_000;
  private static final int QUICK_FLOOD = 300_000;
  private static final int WARM_UP_SECONDS = 8;

  private static final String BROKER_CPU = "broker-cpu-nanos";

  /** A consumer's name and class. */
  private record Consumer(String name, Class<? extends MqttConsumer.Client> type) {}

  private static final List<Consumer> CONSUMERS =
      List.of(
          new Consumer("Sedge", SedgeClient.class), new Consumer("bare client", BareClient.class));

  private final ClassPath classPath;
  private final ContenderProcess processes;
  private final Path directory;
  private final int rounds;
  private final int seconds;

  /**
   * @param directory for the broker's files and logs
   * @param seconds for which the steady rate is measured
   */
  public MqttBenchmark(
      ClassPath classPath, ContenderProcess processes, Path directory, int rounds, int seconds) {
    this.classPath = classPath;
    this.processes = processes;
    this.directory = directory;
    this.rounds = rounds;
    this.seconds = seconds;
  }

  public void run(PrintStream out, PrintStream progress) throws IOException, InterruptedException {
    if (Broker.program().isEmpty()) {
      out.println("MQTT: not measured, mosquitto is not installed\n");
      return;
    }
    Table flood =
        new Table(
            "MQTT, as fast as it goes", "messages/s", "CPU us/message", "broker's CPU us/message");
    Table steady =
        new Table("MQTT, %,d/s".formatted(RATE), "p50 us", "p99 us", "p99.9 us", "CPU us/message");
    for (Consumer consumer : CONSUMERS) {
      List<Report> fast = new ArrayList<>();
      List<Report> slow = new ArrayList<>();
      for (int round = 1; round <= rounds; round++) {
        progress.printf("MQTT, round %d of %d: %s%n", round, rounds, consumer.name());
        fast.add(flood(consumer));
        slow.add(steady(consumer));
      }
      flood.row(
          consumer.name(),
          Table.number(Report.median(fast, Report.PER_SECOND)),
          Table.number(Report.median(fast, Report.CPU_NANOS) / 1e3),
          Table.number(Report.median(fast, BROKER_CPU) / 1e3));
      steady.row(
          consumer.name(),
          Table.number(Report.median(slow, Report.P50)),
          Table.number(Report.median(slow, Report.P99)),
          Table.number(Report.median(slow, Report.P999)),
          Table.number(Report.median(slow, Report.CPU_NANOS) / 1e3));
    }
    out.println(flood);
    out.println(steady);
  }

  private Report flood(Consumer consumer) throws IOException, InterruptedException {
    int count = seconds < WARM_UP_SECONDS ? QUICK_FLOOD : FLOOD;
    return live(consumer, 0, count / 2, count);
  }

  private Report steady(Consumer consumer) throws IOException, InterruptedException {
    int warmUp = (int) RATE * WARM_UP_SECONDS;
    return live(consumer, RATE, warmUp, warmUp + (int) RATE * seconds);
  }

  /** Publishes while a consumer takes; the broker keeps what comes before the consumer is there. */
  private Report live(Consumer consumer, long rate, int warmUp, int count)
      throws IOException, InterruptedException {
    try (Broker broker = Broker.start(directory)) {
      BareClient.openSession(broker.port());
      Process publisher =
          new ProcessBuilder(publisher(broker, count, rate))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("bench-mqtt-publisher.log").toFile())
              .start();
      try {
        Report report = consume(consumer, broker, warmUp, count);
        return report.with(BROKER_CPU, (double) broker.cpuNanos() / count);
      } finally {
        publisher.destroy();
      }
    }
  }

  private Report consume(Consumer consumer, Broker broker, int warmUp, int count)
      throws IOException, InterruptedException {
    List<String> command =
        Entry.sedge()
            .command(
                classPath,
                MqttConsumer.class,
                List.of(
                    consumer.type().getName(),
                    Integer.toString(broker.port()),
                    Integer.toString(warmUp),
                    Integer.toString(count)));
    return ContenderProcess.reports(processes.lines("mqtt-consumer", command)).getFirst();
  }

  private List<String> publisher(Broker broker, int count, long rate) {
    return Entry.sedge()
        .command(
            classPath,
            MqttPublisher.class,
            List.of(Integer.toString(broker.port()), Integer.toString(count), Long.toString(rate)));
  }
}
