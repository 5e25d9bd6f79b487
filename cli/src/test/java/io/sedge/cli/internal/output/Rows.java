package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.sql.RowKeys;

/** Rows for tests of outputs. */
final class Rows {
  static final Schema SENSORS =
      Schema.builder()
          .add("at", Type.timestamp(0))
          .add("sensor", Type.STRING)
          .add("n", Type.BIGINT)
          .add("mean", Type.DOUBLE)
          .build();

  private final BatchBuilder builder;

  Rows(Schema schema) {
    builder = new BatchBuilder(schema);
  }

  static RowOutput.Query query(Schema schema, boolean updating) {
    PlanNode scan = new PlanNode.Scan("t", schema);
    return new RowOutput.Query(0, "query-1", schema, updating, RowKeys.of(scan, schema));
  }

  Rows add(Object... values) {
    builder.addRow(values);
    return this;
  }

  Rows change(ChangeKind change, Object... values) {
    for (int i = 0; i < values.length; i++) {
      builder.column(i).add(values[i]);
    }
    builder.endRow(change);
    return this;
  }

  Batch build() {
    return builder.build();
  }
}
