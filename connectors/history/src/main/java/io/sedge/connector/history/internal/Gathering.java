package io.sedge.connector.history.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;

/** Puts runs of rows together to a batch; one run alone is not copied. */
final class Gathering {
  private final Schema schema;
  private final List<Run> runs = new ArrayList<>();
  private int count;

  private record Run(Batch batch, int from, int to) {}

  Gathering(Schema schema) {
    this.schema = schema;
  }

  int count() {
    return count;
  }

  /** Adds rows {@code from} to {@code to - 1}. */
  void add(Batch batch, int from, int to) {
    if (to > from) {
      runs.add(new Run(batch, from, to));
      count += to - from;
    }
  }

  Batch build() {
    if (runs.size() == 1) {
      Run run = runs.getFirst();
      return run.batch().slice(run.from(), run.to());
    }
    List<Column> columns = new ArrayList<>(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      ColumnBuilder builder = ColumnBuilder.of(schema.type(i));
      for (Run run : runs) {
        copy(run.batch().column(i), run.from(), run.to(), builder);
      }
      columns.add(builder.build());
    }
    return new Batch(count, columns);
  }

  private static void copy(Column column, int from, int to, ColumnBuilder into) {
    for (int row = from; row < to; row++) {
      if (column.isNull(row)) {
        into.addNull();
        continue;
      }
      switch (column) {
        case BooleanColumn values -> into.addBoolean(values.values()[row]);
        case IntColumn values -> into.addInt(values.values()[row]);
        case LongColumn values -> into.addLong(values.values()[row]);
        case FloatColumn values -> into.addFloat(values.values()[row]);
        case DoubleColumn values -> into.addDouble(values.values()[row]);
        default -> into.add(column.value(row));
      }
    }
  }
}
