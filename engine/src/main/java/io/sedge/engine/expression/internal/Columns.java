package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Columns from values in their object form. */
final class Columns {
  private Columns() {}

  /** A column of the values, which must be of the class that the type's storage has. */
  static Column of(@Nullable Object[] values, Type type, int rows) {
    boolean[] nulls = new boolean[rows];
    boolean any = false;
    for (int i = 0; i < rows; i++) {
      nulls[i] = values[i] == null;
      any |= nulls[i];
    }
    boolean[] mask = any ? nulls : null;
    return switch (type.storage()) {
      case BOOLEAN -> booleans(values, mask, rows);
      case INT ->
          new IntColumn(
              ArithmeticFunctions.narrow(ints(values, rows), type.kind(), rows), mask, rows);
      case LONG -> longs(values, mask, rows);
      case FLOAT -> floats(values, mask, rows);
      case DOUBLE -> doubles(values, mask, rows);
      case DECIMAL -> decimals(values, type, rows);
      case STRING -> strings(values, rows);
      case ARRAY, ROW -> nested(values, type, rows);
    };
  }

  private static BooleanColumn booleans(
      @Nullable Object[] values, boolean @Nullable [] nulls, int rows) {
    boolean[] result = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] instanceof Boolean value && value;
    }
    return new BooleanColumn(result, nulls, rows);
  }

  private static int[] ints(@Nullable Object[] values, int rows) {
    int[] result = new int[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] instanceof Number value ? value.intValue() : 0;
    }
    return result;
  }

  private static LongColumn longs(@Nullable Object[] values, boolean @Nullable [] nulls, int rows) {
    long[] result = new long[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] instanceof Number value ? value.longValue() : 0;
    }
    return new LongColumn(result, nulls, rows);
  }

  private static FloatColumn floats(
      @Nullable Object[] values, boolean @Nullable [] nulls, int rows) {
    float[] result = new float[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] instanceof Number value ? value.floatValue() : 0;
    }
    return new FloatColumn(result, nulls, rows);
  }

  private static DoubleColumn doubles(
      @Nullable Object[] values, boolean @Nullable [] nulls, int rows) {
    double[] result = new double[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = values[i] instanceof Number value ? value.doubleValue() : 0;
    }
    return new DoubleColumn(result, nulls, rows);
  }

  private static DecimalColumn decimals(@Nullable Object[] values, Type type, int rows) {
    @Nullable BigDecimal[] result = new BigDecimal[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = (BigDecimal) values[i];
    }
    return Numbers.decimalColumn(result, type, rows);
  }

  private static StringColumn strings(@Nullable Object[] values, int rows) {
    @Nullable String[] result = new String[rows];
    for (int i = 0; i < rows; i++) {
      result[i] = (String) values[i];
    }
    return StringColumn.of(result, rows);
  }

  private static Column nested(@Nullable Object[] values, Type type, int rows) {
    ColumnBuilder builder = ColumnBuilder.of(type);
    for (int i = 0; i < rows; i++) {
      builder.add(values[i]);
    }
    return builder.build();
  }
}
