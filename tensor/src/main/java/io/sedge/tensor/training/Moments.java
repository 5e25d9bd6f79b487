package io.sedge.tensor.training;

import io.sedge.tensor.training.data.Scaling;
import java.util.ArrayList;
import java.util.List;

/**
 * Count, mean and sum of squared distances from it of columns whose rows come in parts: Chan, Golub
 * and LeVeque, Updating Formulae and a Pairwise Algorithm for Computing Sample Variances, 1979.
 * Parts may be merged in any order. Not for several threads.
 */
final class Moments {
  private final double[] mean;
  private final double[] squares;
  private long count;

  Moments(int columns) {
    this.mean = new double[columns];
    this.squares = new double[columns];
  }

  /** Adds a part. */
  void add(long partCount, double[] partMean, double[] partSquares) {
    if (partCount == 0) {
      return;
    }
    long all = count + partCount;
    for (int i = 0; i < mean.length; i++) {
      double distance = partMean[i] - mean[i];
      mean[i] += distance * partCount / all;
      squares[i] += partSquares[i] + distance * distance * count * partCount / all;
    }
    count = all;
  }

  void add(Moments other) {
    add(other.count, other.mean, other.squares);
  }

  /** The scaling of some columns, as {@link Scaling#of} has it. */
  Scaling scaling(int from, int to) {
    List<Double> means = new ArrayList<>();
    List<Double> deviations = new ArrayList<>();
    for (int i = from; i < to; i++) {
      double spread = Math.sqrt(squares[i] / Math.max(1, count));
      means.add(mean[i]);
      deviations.add(spread > 1e-12 * Math.abs(mean[i]) ? spread : 1.0);
    }
    return new Scaling(means, deviations);
  }
}
