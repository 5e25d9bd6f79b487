package io.sedge.learning.training.internal;

import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Logistic;
import io.sedge.learning.training.Question;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.Statistic;
import io.sedge.learning.training.TrainingException;
import io.sedge.learning.training.Weights;
import java.io.IOException;
import org.ejml.data.DMatrixRMaj;

/**
 * Logistic regression by Newton's method, which is iteratively reweighted least squares, with a
 * ridge on the weights of scaled features (not on the intercept). The step is halved where the loss
 * grows. Hosmer, Lemeshow, "Applied Logistic Regression", 2000; le Cessie, van Houwelingen, Applied
 * Statistics 41, 1992.
 */
final class Newton {
  private static final int MOST_ROUNDS = 60;
  private static final double SMALL_STEP = 1e-9;

  private final Fitting fitting;
  private final Scaling scaling;

  private Newton(Fitting fitting, Scaling scaling) {
    this.fitting = fitting;
    this.scaling = scaling;
  }

  /**
   * @param scaling of the features
   * @param totals with how often the label is 0, and 1
   */
  static FittedModel fit(Fitting fitting, Scaling scaling, Statistic totals)
      throws TrainingException, IOException, InterruptedException {
    return new Newton(fitting, scaling).descend(Classes.logOdds(fitting.recipe(), totals));
  }

  private FittedModel descend(double intercept)
      throws TrainingException, IOException, InterruptedException {
    int size = scaling.size() + 1;
    double[] weights = new double[size];
    weights[size - 1] = intercept;
    Statistic slopes = slopes(weights);
    for (int round = 0; round < MOST_ROUNDS; round++) {
      double[] step = step(slopes, weights);
      double[] next = minus(weights, step, 1);
      Statistic there = slopes(next);
      for (double part = 0.5; isWorse(there, next, slopes, weights) && part > 1e-6; part /= 2) {
        next = minus(weights, step, part);
        there = slopes(next);
      }
      if (isWorse(there, next, slopes, weights)) {
        break; // Not even a small step makes it better: it is the best there is, but for rounding.
      }
      double largest = 0;
      for (int i = 0; i < size; i++) {
        largest = Math.max(largest, Math.abs(next[i] - weights[i]));
      }
      weights = next;
      slopes = there;
      if (largest < SMALL_STEP) {
        return new Logistic(Weights.unscaled(weights, scaling));
      }
    }
    if (length(step(slopes, weights)) > Math.sqrt(SMALL_STEP)) {
      fitting.note(
          "it had not settled after %d rounds: if the label follows from a feature without exception, set 'ridge' higher"
              .formatted(MOST_ROUNDS));
    }
    return new Logistic(Weights.unscaled(weights, scaling));
  }

  private Statistic slopes(double[] weights)
      throws TrainingException, IOException, InterruptedException {
    return fitting.ask(new Question.Slopes(scaling, weights));
  }

  /** The loss and what the weights cost. */
  private double cost(Statistic slopes, double[] weights) {
    double cost = slopes.sums()[0];
    for (int i = 0; i < scaling.size(); i++) {
      cost += fitting.recipe().ridge() / 2 * weights[i] * weights[i];
    }
    return cost;
  }

  private boolean isWorse(Statistic there, double[] next, Statistic here, double[] weights) {
    double before = cost(here, weights);
    return !(cost(there, next) <= before + 1e-12 * Math.abs(before));
  }

  private double[] step(Statistic slopes, double[] weights) throws TrainingException {
    int size = weights.length;
    DMatrixRMaj curvature = Matrices.symmetric(slopes.sums(), 1 + size, size);
    DMatrixRMaj slope = new DMatrixRMaj(size, 1);
    for (int i = 0; i < size; i++) {
      double ridge = i < size - 1 && scaling.spreads()[i] > 0 ? fitting.recipe().ridge() : 0;
      slope.set(i, 0, slopes.sums()[1 + i] + ridge * weights[i]);
      curvature.add(i, i, ridge);
    }
    return Matrices.solve(curvature, slope, fitting);
  }

  private static double[] minus(double[] weights, double[] step, double part) {
    double[] next = weights.clone();
    for (int i = 0; i < next.length; i++) {
      next[i] -= part * step[i];
    }
    return next;
  }

  private static double length(double[] vector) {
    double squares = 0;
    for (double value : vector) {
      squares += value * value;
    }
    return Math.sqrt(squares);
  }
}
