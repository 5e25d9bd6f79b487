package io.sedge.learning.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;

/** Numbers of a column, as detectors and models take them. */
public final class Numbers {
  /** What is greater is no reading: its square, summed, would not be finite. As in training. */
  public static final double MOST = 1e100;

  private Numbers() {}

  /** The value of a row; NaN where it is NULL or no number. */
  public static double value(Column column, int row) {
    if (column.isNull(row)) {
      return Double.NaN;
    }
    return switch (column) {
      case DoubleColumn doubles -> doubles.values()[row];
      case FloatColumn floats -> floats.values()[row];
      case LongColumn longs -> (double) longs.values()[row];
      case IntColumn ints -> ints.values()[row];
      default -> column.value(row) instanceof Number number ? number.doubleValue() : Double.NaN;
    };
  }

  /** Whether it is a number that can be counted with: not NaN, infinite or beyond {@link #MOST}. */
  public static boolean isUsable(double value) {
    return Math.abs(value) <= MOST;
  }
}
