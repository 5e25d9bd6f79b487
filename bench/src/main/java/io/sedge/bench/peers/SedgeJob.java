package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.site.JobRunner;
import io.sedge.site.RunOptions;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sedge: the query itself, compiled and run as {@code sedge run} does, over a connector that hands
 * out the readings; for W3 the connector decodes payloads with Sedge's json format.
 */
public final class SedgeJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    Connectors installed = Connectors.installed(SedgeJob.class.getClassLoader());
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    connectors.put(
        "bench", new SedgeBenchConnector(workload, readings, meter, batch -> result(batch, meter)));
    String time = workload == Workload.W3 ? "TO_TIMESTAMP_LTZ(ts, 3)" : "ts";
    String script =
        """
        SET 'table.local-time-zone' = 'UTC';
        CREATE TABLE readings (
          id STRING, %s, `value` DOUBLE%s,
          WATERMARK FOR %s AS %s
        ) WITH ('connector' = 'bench');
        %s;
        """
            .formatted(
                workload == Workload.W3 ? "ts BIGINT" : "ts TIMESTAMP(3)",
                workload == Workload.W3 ? ", rt AS " + time : "",
                column(workload),
                column(workload),
                Queries.windows(workload, column(workload)));
    Job job =
        new SqlCompiler(connectors, installed.formats().byName(), InstantSource.system())
            .compile("bench.sql", script, Path.of("."), Map.of());
    connectors.put(Job.TERMINAL, connectors.get("bench"));
    new JobRunner(connectors, InstantSource.system(), System::nanoTime)
        .start(job, RunOptions.in(Path.of(".")), (severity, message) -> System.err.println(message))
        .await();
  }

  private static String column(Workload workload) {
    return workload == Workload.W3 ? "rt" : "ts";
  }

  /** A batch of results: id, window_start, n, lo, hi, mean, deviation. */
  private static void result(Batch batch, Meter meter) {
    long[] counts = ((LongColumn) batch.column(2)).values();
    double[] deviations = ((DoubleColumn) batch.column(6)).values();
    for (int row = 0; row < batch.rows(); row++) {
      meter.result(counts[row], deviations[row]);
    }
  }
}
