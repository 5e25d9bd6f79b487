package io.sedge.bench.connectors;

import io.sedge.bench.Table;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * OPC UA: as many nodes as the goal gives one core, each with a new value every second, subscribed
 * and counted by Sedge and by the bare client.
 */
final class OpcUaBenchmark {
  private static final int SERVER_HEAP_MB = 1_024;
  private static final int CLIENT_HEAP_MB = 512;
  private static final Duration WARM_UP = Duration.ofSeconds(20);

  private OpcUaBenchmark() {}

  static Table measure(
      Programs programs, int nodes, int rounds, Duration measured, PrintStream progress)
      throws IOException {
    try (SedgeProcess server =
        programs.java(
            "opc-ua-server", OpcUaServer.class, SERVER_HEAP_MB, Integer.toString(nodes))) {
      String line = server.awaitLine(OpcUaServer.SERVES);
      String url = line.substring(line.indexOf("opc.tcp"));
      return new SteadyTable(
              "OPC UA, %,d nodes at 1 Hz".formatted(nodes),
              "value",
              new SteadyRun.Plan(nodes, true, WARM_UP, measured))
          .with("Sedge", name -> programs.run(name, script(url)))
          .with(
              "bare Milo",
              name ->
                  programs.java(
                      name, OpcUaClientBare.class, CLIENT_HEAP_MB, url, Integer.toString(nodes)))
          .measure(programs, rounds, progress);
    }
  }

  private static String script(String url) {
    return """
    CREATE TABLE levels (
      line STRING, sensor STRING, level DOUBLE, ts TIMESTAMP_LTZ(3) METADATA FROM 'source-timestamp',
      WATERMARK FOR ts AS ts
    ) WITH ('connector' = 'opc-ua', 'url' = '%s', 'nodes' = 'nsu=%s;s={line}.{sensor}');
    SELECT COUNT(level) AS n, window_end
    FROM TABLE(TUMBLE(TABLE levels, DESCRIPTOR(ts), INTERVAL '1' SECOND))
    GROUP BY window_start, window_end;
    """
        .formatted(url, OpcUaServer.NAMESPACE);
  }
}
