package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.WindowResult;
import io.sedge.bench.Workload;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.JobRunner;
import io.sedge.task.RunOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sedge: the script, compiled and run as {@code sedge run} does, over a connector that hands out
 * the readings; for W3 the connector decodes payloads with Sedge's json format.
 */
public final class SedgeJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    run(
        workload,
        new SedgeBenchConnector(
            (table, _) ->
                workload.isJson()
                    ? new SedgeReaders.Payloads(readings, meter, table.schema())
                    : new SedgeReaders.Columns(readings, meter, table.schema()),
            batch -> results(batch, meter)));
  }

  @Override
  public void run(Readings readings, Pace pace) throws Exception {
    run(
        Workload.W4,
        new SedgeBenchConnector(
            (table, context) -> new SedgePacedReader(readings, pace, table.schema(), context),
            batch -> results(batch, pace)));
  }

  private static void run(Workload workload, ConnectorFactory bench) throws Exception {
    Connectors installed = Connectors.installed(SedgeJob.class.getClassLoader());
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    connectors.put(bench.name(), bench);
    String script =
        """
        SET 'table.local-time-zone' = 'UTC';
        CREATE TABLE readings (%s) WITH ('connector' = 'bench');
        CREATE TABLE results (%s) WITH ('connector' = 'bench');
        %s;
        INSERT INTO results %s;
        """
            .formatted(
                Queries.columns(workload),
                Queries.resultColumns(workload),
                Queries.filtered(),
                Queries.query(workload));
    Job job =
        new SqlCompiler(connectors, installed.formats().byName(), InstantSource.system())
            .compile("bench.sql", script, Path.of("."), Map.of());
    new JobRunner(connectors, InstantSource.system(), System::nanoTime)
        .start(job, RunOptions.in(Path.of(".")), (severity, message) -> System.err.println(message))
        .await();
  }

  /** Columns as {@link Queries#resultColumns} names them. */
  private static void results(Batch batch, Meter meter) {
    StringColumn ids = (StringColumn) batch.column(0);
    long[] ends = ((LongColumn) batch.column(1)).values();
    long[] counts = ((LongColumn) batch.column(2)).values();
    for (int row = 0; row < batch.rows(); row++) {
      meter.result(
          new WindowResult(
              ids.dictionary().get(ids.codes()[row]),
              ends[row] / 1000,
              counts[row],
              number(batch, 3, row),
              number(batch, 4, row),
              number(batch, 5, row),
              number(batch, 6, row)));
    }
  }

  private static double number(Batch batch, int column, int row) {
    return ((DoubleColumn) batch.column(column)).values()[row];
  }

  private static void results(Batch batch, Pace pace) {
    long[] numbers = ((LongColumn) batch.column(1)).values();
    double[] values = ((DoubleColumn) batch.column(2)).values();
    for (int row = 0; row < batch.rows(); row++) {
      pace.result(numbers[row], values[row]);
    }
  }
}
