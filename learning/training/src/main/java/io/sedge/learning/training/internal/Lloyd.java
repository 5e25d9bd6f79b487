package io.sedge.learning.training.internal;

import io.sedge.learning.training.Clusters;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.TrainingException;
import java.io.IOException;
import java.util.Arrays;

/**
 * Lloyd's k-means of scaled columns. It begins with centres along the direction in which the rows
 * spread most, so that it needs no row to begin with, and gives the same each time. Lloyd, IEEE
 * Transactions on Information Theory 28, 1982; Su, Dy, Intelligent Data Analysis 11, 2007.
 */
final class Lloyd {
  private static final int MOST_ROUNDS = 100;
  private static final double SMALL_STEP = 1e-9;

  /** The outermost centres are so many deviations from the middle. */
  private static final double REACH = 1.5;

  private Lloyd() {}

  static FittedModel fit(Fitting fitting, Scaling scaling, long rows)
      throws TrainingException, IOException, InterruptedException {
    Matrices.Eigen eigen = PrincipalComponents.eigen(fitting, scaling, rows);
    double deviation = Math.sqrt(Math.max(eigen.values()[0], 0));
    int count = fitting.recipe().clusters();
    double[][] centres = new double[count][scaling.size()];
    for (int i = 0; i < count; i++) {
      double along = REACH * deviation * (2.0 * i / (count - 1) - 1);
      for (int j = 0; j < scaling.size(); j++) {
        centres[i][j] = along * eigen.vectors()[0][j];
      }
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
      double[] sums = fitting.ask(new Question.Nearest(scaling, centres)).sums();
      double[][] next = middles(sums, centres.length, scaling.size());
      if (next.length == 0) {
        throw new TrainingException(
            "no device has rows enough of any kind ('train.least-rows'): fewer 'clusters', or more"
                + " history");
      }
      if (next.length == centres.length && distance(centres, next) < SMALL_STEP) {
        return found(fitting, scaling, next, count);
      }
      centres = next;
    }
    fitting.note("the kinds had not settled after %d rounds".formatted(MOST_ROUNDS));
    return found(fitting, scaling, centres, count);
  }

  private static FittedModel found(
      Fitting fitting, Scaling scaling, double[][] centres, int wanted) {
    if (centres.length < wanted) {
      fitting.note(
          "only %d of %d kinds have rows, at least 'train.least-rows' = '%d' of a device"
              .formatted(centres.length, wanted, fitting.recipe().leastRows()));
    }
    return new Clusters(scaling, centres);
  }

  /** Those of kinds that have rows. */
  private static double[][] middles(double[] sums, int centres, int columns) {
    double[][] middles = new double[centres][];
    int count = 0;
    for (int i = 0; i < centres; i++) {
      int at = i * (1 + columns);
      if (sums[at] > 0) {
        double[] middle = Arrays.copyOfRange(sums, at + 1, at + 1 + columns);
        for (int j = 0; j < columns; j++) {
          middle[j] /= sums[at];
        }
        middles[count++] = middle;
      }
    }
    return Arrays.copyOf(middles, count);
  }

  private static double distance(double[][] left, double[][] right) {
    double largest = 0;
    for (int i = 0; i < left.length; i++) {
      for (int j = 0; j < left[i].length; j++) {
        largest = Math.max(largest, Math.abs(left[i][j] - right[i][j]));
      }
    }
    return largest;
  }
}
