package io.sedge.learning.training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A weighted sum of the features. */
public record Linear(Weights weights) implements FittedModel {
  private static final int SQUARED_ERRORS = 0;
  private static final int LABELS = 1;
  private static final int SQUARED_LABELS = 2;

  /** How many sums {@link #measure(double, double, double, double[])} adds to. */
  static final int MEASURES = 3;

  static Linear of(int features, double[] numbers) {
    return new Linear(Weights.of(features, numbers));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.LINEAR;
  }

  @Override
  public int features() {
    return weights.each().length;
  }

  @Override
  public double[] numbers() {
    return weights.numbers();
  }

  @Override
  public double[] score(double[] row) {
    return new double[] {weights.sum(row)};
  }

  @Override
  public int measures() {
    return MEASURES;
  }

  @Override
  public void measure(double[] row, Scaling unit, double[] sums) {
    measure(weights.sum(row), weights.sum(unit.means()), row[features()], sums);
  }

  /**
   * Adds how far a number is off.
   *
   * @param middle of the model's scores: labels are measured from it, so that their squares cancel
   *     little
   */
  static void measure(double score, double middle, double label, double[] sums) {
    double error = label - score;
    double distance = label - middle;
    sums[SQUARED_ERRORS] += error * error;
    sums[LABELS] += distance;
    sums[SQUARED_LABELS] += distance * distance;
  }

  @Override
  public Metrics metrics(Statistic heldOut) {
    return judged(heldOut);
  }

  /** How good numbers are, from what was measured. */
  static Metrics judged(Statistic heldOut) {
    if (heldOut.rows() == 0) {
      return Metrics.UNKNOWN;
    }
    double[] sums = heldOut.sums();
    double rmse = Math.sqrt(sums[SQUARED_ERRORS] / heldOut.rows());
    double squares = sums[SQUARED_LABELS] - sums[LABELS] * sums[LABELS] / heldOut.rows();
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("RMSE", rmse);
    if (squares > 0) {
      values.put("R²", 1 - sums[SQUARED_ERRORS] / squares);
    }
    return new Metrics(heldOut.rows(), rmse, values);
  }

  @Override
  public Map<String, Double> parameters(List<String> features) {
    return weights.named(features);
  }
}
