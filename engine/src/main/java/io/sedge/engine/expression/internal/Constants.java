package io.sedge.engine.expression.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Columns that hold one value in every row. */
final class Constants {
  private Constants() {}

  /** A column of a value in its object form, null included. */
  static Column of(@Nullable Object value, Type type, int rows) {
    if (value == null) {
      return nulls(type, rows);
    }
    ColumnBuilder builder = ColumnBuilder.of(type);
    builder.add(Values.normalised(value, type));
    return builder.build().gather(new int[rows], rows);
  }

  /** A column of nulls. */
  static Column nulls(Type type, int rows) {
    boolean[] nulls = new boolean[rows];
    Arrays.fill(nulls, true);
    return switch (type.storage()) {
      case BOOLEAN -> new BooleanColumn(new boolean[rows], nulls, rows);
      case INT -> new IntColumn(new int[rows], nulls, rows);
      case LONG -> new LongColumn(new long[rows], nulls, rows);
      case FLOAT -> new FloatColumn(new float[rows], nulls, rows);
      case DOUBLE -> new DoubleColumn(new double[rows], nulls, rows);
      case DECIMAL -> new DecimalColumn(new java.math.BigDecimal[rows], nulls, rows);
      case STRING -> new StringColumn(new int[rows], new Dictionary(), nulls, rows);
      case ARRAY ->
          new ArrayColumn(new int[rows + 1], nulls(type.children().getFirst(), 0), nulls, rows);
      case ROW ->
          new RowColumn(
              type.children().stream().map(child -> nulls(child, rows)).toList(), nulls, rows);
    };
  }
}
