package io.sedge.engine.expression.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.column.StringColumn;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Null masks: absent where no row is null. */
final class Masks {
  private Masks() {}

  /** Null where either is. May return one of its arguments, which nobody may write to. */
  static boolean @Nullable [] either(
      boolean @Nullable [] left, boolean @Nullable [] right, int rows) {
    if (left == null) {
      return right;
    }
    if (right == null) {
      return left;
    }
    boolean[] result = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      boolean isNull = left[i];
      isNull |= right[i];
      result[i] = isNull;
    }
    return result;
  }

  /** Null where any column is. */
  static boolean @Nullable [] any(List<Column> columns, int rows) {
    boolean[] result = null;
    for (Column column : columns) {
      result = either(result, column.nulls(), rows);
    }
    return result;
  }

  /** The mask, or null if no row of it is set. */
  static boolean @Nullable [] trimmed(boolean[] nulls, int rows) {
    for (int i = 0; i < rows; i++) {
      if (nulls[i]) {
        return nulls;
      }
    }
    return null;
  }

  static void clear(int[] values, boolean @Nullable [] nulls, int rows) {
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        values[i] = nulls[i] ? 0 : values[i];
      }
    }
  }

  static void clear(long[] values, boolean @Nullable [] nulls, int rows) {
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        values[i] = nulls[i] ? 0 : values[i];
      }
    }
  }

  static void clear(float[] values, boolean @Nullable [] nulls, int rows) {
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        values[i] = nulls[i] ? 0 : values[i];
      }
    }
  }

  static void clear(double[] values, boolean @Nullable [] nulls, int rows) {
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        values[i] = nulls[i] ? 0 : values[i];
      }
    }
  }

  static void clear(boolean[] values, boolean @Nullable [] nulls, int rows) {
    if (nulls != null) {
      for (int i = 0; i < rows; i++) {
        values[i] &= !nulls[i];
      }
    }
  }

  /** A column with the same values and another mask. */
  static Column with(Column column, boolean @Nullable [] nulls) {
    int rows = column.size();
    return switch (column) {
      case BooleanColumn booleans -> new BooleanColumn(booleans.values(), nulls, rows);
      case IntColumn ints -> new IntColumn(ints.values(), nulls, rows);
      case LongColumn longs -> new LongColumn(longs.values(), nulls, rows);
      case FloatColumn floats -> new FloatColumn(floats.values(), nulls, rows);
      case DoubleColumn doubles -> new DoubleColumn(doubles.values(), nulls, rows);
      case DecimalColumn decimals -> new DecimalColumn(decimals.values(), nulls, rows);
      case StringColumn strings ->
          new StringColumn(strings.codes(), strings.dictionary(), nulls, rows);
      case ArrayColumn arrays -> new ArrayColumn(arrays.offsets(), arrays.elements(), nulls, rows);
      case RowColumn structs -> {
        List<Column> fields =
            IntStream.range(0, structs.fieldCount()).mapToObj(structs::field).toList();
        yield new RowColumn(fields, nulls, rows);
      }
    };
  }
}
