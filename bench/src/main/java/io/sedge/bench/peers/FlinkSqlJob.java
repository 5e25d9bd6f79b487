package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Flink SQL: the query itself over the same stream, one parallel instance, object reuse. */
public final class FlinkSqlJob implements Contender {
  @Override
  public void run(Workload workload, Readings readings, Meter meter) throws Exception {
    StreamExecutionEnvironment environment = FlinkInput.environment(workload, readings, meter);
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().set("table.local-time-zone", "UTC");
    tables.createTemporaryView(
        "readings",
        FlinkInput.readings(environment),
        Schema.newBuilder()
            .column("id", DataTypes.STRING())
            .column("value", DataTypes.DOUBLE())
            .columnByMetadata("rt", DataTypes.TIMESTAMP_LTZ(3), "rowtime")
            .watermark("rt", "SOURCE_WATERMARK()")
            .build());
    CloseableIterator<Row> rows = tables.executeSql(Queries.windows(workload, "rt")).collect();
    while (rows.hasNext()) {
      Row row = rows.next();
      meter.result(row.<Long>getFieldAs(2), row.<Double>getFieldAs(6));
    }
    rows.close();
  }
}
