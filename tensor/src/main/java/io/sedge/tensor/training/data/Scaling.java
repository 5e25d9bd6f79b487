package io.sedge.tensor.training.data;

import java.util.Arrays;
import java.util.List;

/**
 * How each column is brought to mean 0 and deviation 1: {@code (value - mean) / deviation}, with
 * the population's deviation. Kept with the model, since what it is asked later must be scaled
 * alike. The lists are as long as there are columns; a deviation is greater than 0.
 */
public record Scaling(List<Double> mean, List<Double> deviation) {
  /** Checks and copies. */
  public Scaling {
    mean = List.copyOf(mean);
    deviation = List.copyOf(deviation);
    if (mean.size() != deviation.size()) {
      throw new IllegalArgumentException(
          "a scaling has as many means as deviations, not %d and %d"
              .formatted(mean.size(), deviation.size()));
    }
    for (double value : deviation) {
      if (!(value > 0) || Double.isInfinite(value)) {
        throw new IllegalArgumentException("a deviation is greater than 0, not " + value);
      }
    }
  }

  /** Leaves every value as it is. */
  public static Scaling none(int columns) {
    Double[] ones = new Double[columns];
    Arrays.fill(ones, 1.0);
    Double[] zeros = new Double[columns];
    Arrays.fill(zeros, 0.0);
    return new Scaling(List.of(zeros), List.of(ones));
  }

  /**
   * Of columns of a table. A column that never changes says nothing: it becomes 0 everywhere.
   *
   * @throws DataException if a column is missing
   */
  public static Scaling of(Table table, List<String> columns) {
    Double[] mean = new Double[columns.size()];
    Double[] deviation = new Double[columns.size()];
    for (int i = 0; i < columns.size(); i++) {
      int column = table.column(columns.get(i));
      double sum = 0;
      for (int row = 0; row < table.rows(); row++) {
        sum += table.value(row, column);
      }
      double middle = sum / table.rows();
      double squares = 0;
      for (int row = 0; row < table.rows(); row++) {
        double distance = table.value(row, column) - middle;
        squares += distance * distance;
      }
      double spread = Math.sqrt(squares / table.rows());
      mean[i] = middle;
      // Rounding leaves a trace of a deviation where a column is constant.
      deviation[i] = spread > 1e-12 * Math.abs(middle) ? spread : 1.0;
    }
    return new Scaling(List.of(mean), List.of(deviation));
  }

  /** How many columns are scaled. */
  public int size() {
    return mean.size();
  }

  /** A value of a column, scaled. */
  public double scale(int column, double value) {
    return (value - mean.get(column)) / deviation.get(column);
  }

  /** The value of a column whose scaled value is given. */
  public double unscale(int column, double scaled) {
    return scaled * deviation.get(column) + mean.get(column);
  }
}
