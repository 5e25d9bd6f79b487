package io.sedge.learning.training;

/**
 * How values become comparable: (value - mean) / spread. A column without spread becomes 0
 * everywhere.
 *
 * @param means of each column
 * @param spreads the standard deviation of each column; 0 if the column is constant
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Scaling(double[] means, double[] spreads) {
  public Scaling {
    if (means.length != spreads.length) {
      throw new IllegalArgumentException(
          "%d means and %d spreads".formatted(means.length, spreads.length));
    }
  }

  public int size() {
    return means.length;
  }

  /** The first columns of a row, scaled. */
  public double[] scaled(double[] row) {
    double[] scaled = new double[means.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = scale(i, row[i]);
    }
    return scaled;
  }

  /** A value of a column, scaled. */
  public double scale(int column, double value) {
    return spreads[column] == 0 ? 0 : (value - means[column]) / spreads[column];
  }
}
