package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Flink SQL: the same script, over tables that give and take Flink's own rows; one parallel
 * instance, object reuse. Mini-batches and two-phase aggregation, which Flink's documentation
 * recommends, are always on for window functions.
 */
public final class FlinkSqlJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    run(workload, FlinkInput.environment(workload, readings, meter, null));
  }

  @Override
  public void run(Readings readings, Pace pace) throws Exception {
    run(Workload.W4, FlinkInput.environment(Workload.W4, readings, null, pace));
  }

  private static void run(Workload workload, StreamExecutionEnvironment environment)
      throws Exception {
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().set("table.local-time-zone", "UTC");
    tables.executeSql(
        "CREATE TABLE readings (%s) WITH ('connector' = 'bench')"
            .formatted(Queries.columns(workload)));
    tables.executeSql(
        "CREATE TABLE results (%s) WITH ('connector' = 'bench')"
            .formatted(Queries.resultColumns(workload)));
    tables.executeSql(Queries.filtered());
    tables.executeSql("INSERT INTO results " + Queries.query(workload)).await();
  }
}
