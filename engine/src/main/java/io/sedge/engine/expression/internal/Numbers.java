package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The values of numeric columns in the storage that a kernel computes in, converted as Java (and so
 * Flink) converts primitives. No copy where the column has that storage already.
 */
final class Numbers {
  private Numbers() {}

  static double[] doubles(Column column) {
    if (column instanceof DoubleColumn doubles) {
      return doubles.values();
    }
    int rows = column.size();
    double[] result = new double[rows];
    if (column instanceof IntColumn ints) {
      int[] values = ints.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else if (column instanceof LongColumn longs) {
      long[] values = longs.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else if (column instanceof FloatColumn floats) {
      float[] values = floats.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else if (column instanceof DecimalColumn decimals) {
      @Nullable BigDecimal[] values = decimals.values();
      for (int i = 0; i < rows; i++) {
        BigDecimal value = values[i];
        result[i] = value == null ? 0 : value.doubleValue();
      }
    } else {
      throw notNumeric(column);
    }
    return result;
  }

  static float[] floats(Column column) {
    if (column instanceof FloatColumn floats) {
      return floats.values();
    }
    int rows = column.size();
    float[] result = new float[rows];
    if (column instanceof IntColumn ints) {
      int[] values = ints.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else if (column instanceof LongColumn longs) {
      long[] values = longs.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else {
      double[] values = doubles(column);
      for (int i = 0; i < rows; i++) {
        result[i] = (float) values[i];
      }
    }
    return result;
  }

  static long[] longs(Column column) {
    if (column instanceof LongColumn longs) {
      return longs.values();
    }
    int rows = column.size();
    long[] result = new long[rows];
    if (column instanceof IntColumn ints) {
      int[] values = ints.values();
      for (int i = 0; i < rows; i++) {
        result[i] = values[i];
      }
    } else if (column instanceof FloatColumn floats) {
      float[] values = floats.values();
      for (int i = 0; i < rows; i++) {
        result[i] = (long) values[i];
      }
    } else if (column instanceof DecimalColumn decimals) {
      @Nullable BigDecimal[] values = decimals.values();
      for (int i = 0; i < rows; i++) {
        BigDecimal value = values[i];
        result[i] = value == null ? 0 : value.longValue();
      }
    } else {
      double[] values = doubles(column);
      for (int i = 0; i < rows; i++) {
        result[i] = (long) values[i];
      }
    }
    return result;
  }

  static int[] ints(Column column) {
    if (column instanceof IntColumn ints) {
      return ints.values();
    }
    int rows = column.size();
    int[] result = new int[rows];
    if (column instanceof LongColumn || column instanceof DecimalColumn) {
      long[] values = longs(column);
      for (int i = 0; i < rows; i++) {
        result[i] = (int) values[i];
      }
    } else {
      double[] values = doubles(column);
      for (int i = 0; i < rows; i++) {
        result[i] = (int) values[i];
      }
    }
    return result;
  }

  /** As decimals, of whatever scale; null rows hold null. */
  static @Nullable BigDecimal[] decimals(Column column) {
    if (column instanceof DecimalColumn decimals) {
      return decimals.values();
    }
    int rows = column.size();
    @Nullable BigDecimal[] result = new BigDecimal[rows];
    if (column instanceof IntColumn || column instanceof LongColumn) {
      long[] values = longs(column);
      for (int i = 0; i < rows; i++) {
        result[i] = column.isNull(i) ? null : BigDecimal.valueOf(values[i]);
      }
    } else if (column instanceof FloatColumn || column instanceof DoubleColumn) {
      double[] values = doubles(column);
      for (int i = 0; i < rows; i++) {
        result[i] =
            column.isNull(i) || !Double.isFinite(values[i]) ? null : BigDecimal.valueOf(values[i]);
      }
    } else {
      throw notNumeric(column);
    }
    return result;
  }

  static boolean[] booleans(Column column) {
    return ((BooleanColumn) column).values();
  }

  /**
   * A column of decimals of a type: rows that do not fit become null.
   *
   * @param values given up by the caller
   */
  static DecimalColumn decimalColumn(@Nullable BigDecimal[] values, Type type, int rows) {
    boolean[] nulls = new boolean[rows];
    boolean any = false;
    for (int i = 0; i < rows; i++) {
      BigDecimal value = values[i];
      if (value != null) {
        values[i] = type.fit(value);
      }
      nulls[i] = values[i] == null;
      any |= nulls[i];
    }
    return new DecimalColumn(values, any ? nulls : null, rows);
  }

  private static IllegalArgumentException notNumeric(Column column) {
    return new IllegalArgumentException(
        column.getClass().getSimpleName() + " is not a column of numbers");
  }
}
