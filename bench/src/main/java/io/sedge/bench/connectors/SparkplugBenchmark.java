package io.sedge.bench.connectors;

import io.sedge.bench.Table;
import io.sedge.bench.mqtt.Broker;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Sparkplug B: messages of many metrics from a Mosquitto, decoded by Sedge and by Tahu's decoder
 * behind a bare client of MQTT; and Tahu's decoder alone, in memory.
 */
final class SparkplugBenchmark {
  private static final int MESSAGES_A_SECOND = 500;
  private static final int HEAP_MB = 128;
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private SparkplugBenchmark() {}

  static void measure(
      Programs programs, int rounds, Duration measured, PrintStream out, PrintStream progress)
      throws IOException {
    if (Broker.program().isEmpty()) {
      out.println("Sparkplug: not measured, mosquitto is not installed\n");
      return;
    }
    int perSecond = MESSAGES_A_SECOND * SparkplugNode.METRICS;
    SteadyTable decoders =
        new SteadyTable(
            "Sparkplug, %,d metrics/s, %d a message".formatted(perSecond, SparkplugNode.METRICS),
            "metric",
            new SteadyRun.Plan(perSecond, false, WARM_UP, measured));
    try (Broker broker = Broker.start(programs.directory());
        SedgeProcess _ =
            programs.java(
                "sparkplug-node",
                SparkplugNode.class,
                HEAP_MB,
                Integer.toString(broker.port()),
                Integer.toString(MESSAGES_A_SECOND))) {
      Table table =
          decoders
              .with("Sedge", name -> programs.run(name, script(broker.port())))
              .with(
                  "MQTT client and Tahu",
                  name ->
                      programs.java(
                          name,
                          TahuDecoder.class,
                          HEAP_MB,
                          "--port",
                          Integer.toString(broker.port())))
              .measure(programs, rounds, progress);
      out.println(table);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    try (SedgeProcess alone =
        programs.java(
            "tahu", TahuDecoder.class, HEAP_MB, Long.toString(2 * measured.toSeconds()))) {
      alone.awaitEnd();
      String line = alone.awaitLine(TahuDecoder.COST);
      double micros = Double.parseDouble(line.substring(TahuDecoder.COST.length())) / 1e3;
      out.printf(
          "Tahu's decoder alone, in memory: %s CPU us/metric; Sedge, with MQTT, takes %sx%n%n",
          Table.number(micros), Table.number(decoders.sedgeMicros() / micros));
    }
  }

  private static String script(int port) {
    return """
    CREATE TABLE metrics (
      `value` DOUBLE, arrival TIMESTAMP_LTZ(3) METADATA, message_type STRING METADATA,
      WATERMARK FOR arrival AS arrival
    ) WITH ('connector' = 'sparkplug', 'url' = 'mqtt://127.0.0.1:%d', 'group' = '%s', 'edge-node' = '%s');
    SELECT COUNT(`value`) AS n, window_end
    FROM TABLE(TUMBLE(TABLE metrics, DESCRIPTOR(arrival), INTERVAL '1' SECOND))
    WHERE message_type = 'NDATA'
    GROUP BY window_start, window_end;
    """
        .formatted(port, SparkplugNode.GROUP, SparkplugNode.NAME);
  }
}
