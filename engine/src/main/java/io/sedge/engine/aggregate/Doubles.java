package io.sedge.engine.aggregate;

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
import java.math.BigDecimal;
import java.util.Objects;

/** The numbers of selected rows side by side: the i-th is {@code values[from + i]}. */
final class Doubles {
  private final double[] values;
  private final int from;

  private Doubles(double[] values, int from) {
    this.values = values;
    this.from = from;
  }

  double[] values() {
    return values;
  }

  int from() {
    return from;
  }

  /** The rows must not be null; a column of doubles without gaps is not copied. */
  static Doubles of(Column column, Selection selection) {
    if (column instanceof DoubleColumn doubles && selection.isContiguous()) {
      return new Doubles(doubles.values(), selection.rows()[0]);
    }
    double[] gathered = new double[selection.count()];
    gather(column, selection.rows(), gathered);
    return new Doubles(gathered, 0);
  }

  private static void gather(Column column, int[] rows, double[] target) {
    switch (column) {
      case DoubleColumn doubles -> {
        double[] values = doubles.values();
        for (int i = 0; i < target.length; i++) {
          target[i] = values[rows[i]];
        }
      }
      case FloatColumn floats -> {
        float[] values = floats.values();
        for (int i = 0; i < target.length; i++) {
          target[i] = values[rows[i]];
        }
      }
      case LongColumn longs -> {
        long[] values = longs.values();
        for (int i = 0; i < target.length; i++) {
          target[i] = values[rows[i]];
        }
      }
      case IntColumn ints -> {
        int[] values = ints.values();
        for (int i = 0; i < target.length; i++) {
          target[i] = values[rows[i]];
        }
      }
      case DecimalColumn decimals -> {
        for (int i = 0; i < target.length; i++) {
          BigDecimal value = Objects.requireNonNull(decimals.values()[rows[i]]);
          target[i] = value.doubleValue();
        }
      }
      case BooleanColumn _, StringColumn _, ArrayColumn _, RowColumn _ ->
          throw new IllegalStateException("no numbers: " + column.getClass().getSimpleName());
    }
  }
}
