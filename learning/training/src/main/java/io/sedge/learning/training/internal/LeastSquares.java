package io.sedge.learning.training.internal;

import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Linear;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.Weights;
import java.io.IOException;
import org.ejml.data.DMatrixRMaj;

/**
 * Least squares by the normal equations of scaled columns, whose means are 0, so that there is no
 * intercept in them.
 */
final class LeastSquares {
  private LeastSquares() {}

  /**
   * @param scaling of the features, then the label
   */
  static FittedModel fit(Fitting fitting, Scaling scaling, long rows)
      throws TrainingException, IOException, InterruptedException {
    int features = scaling.size() - 1;
    checkLabel(scaling);
    double[] products = fitting.ask(new Question.Products(scaling)).sums();
    DMatrixRMaj all = Matrices.symmetric(products, 0, scaling.size());
    DMatrixRMaj left = new DMatrixRMaj(features, features);
    DMatrixRMaj right = new DMatrixRMaj(features, 1);
    for (int i = 0; i < features; i++) {
      right.set(i, 0, all.get(i, features) / rows);
      for (int j = 0; j < features; j++) {
        left.set(i, j, all.get(i, j) / rows);
      }
      left.add(i, i, fitting.recipe().ridge() / rows);
    }
    double[] solved = Matrices.solve(left, right, fitting);
    double spread = scaling.spreads()[features];
    double[] weights = new double[features + 1];
    for (int i = 0; i < features; i++) {
      weights[i] = solved[i] * spread;
    }
    weights[features] = scaling.means()[features];
    return new Linear(Weights.unscaled(weights, scaling));
  }

  /**
   * @param scaling of the features, then the label
   */
  static void checkLabel(Scaling scaling) throws TrainingException {
    int label = scaling.size() - 1;
    if (scaling.spreads()[label] == 0) {
      throw new TrainingException(
          "the label is %s in every row: there is nothing to learn"
              .formatted(scaling.means()[label]));
    }
  }
}
