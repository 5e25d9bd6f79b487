package io.sedge.learning.training;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How likely a label of 1 is: 1 / (1 + exp(-sum)), of a weighted sum of the features. */
public record Logistic(Weights weights) implements FittedModel {
  /** Likelihoods are counted in so many equal steps, for the area under the curve. */
  private static final int STEPS = 500;

  private static final int LOSS = 0;
  private static final int RIGHT = 1;
  private static final int FIRST_OF_ZEROS = 2;
  private static final int FIRST_OF_ONES = FIRST_OF_ZEROS + STEPS;

  /** How many sums {@link #measure(double, double, double[])} adds to. */
  static final int MEASURES = FIRST_OF_ONES + STEPS;

  static Logistic of(int features, double[] numbers) {
    return new Logistic(Weights.of(features, numbers));
  }

  static double likelihood(double score) {
    return 1 / (1 + Math.exp(-score));
  }

  /** Minus the logarithm of how likely the label was; exact where the likelihood is near 0 or 1. */
  static double loss(double score, double label) {
    return Math.max(score, 0) - score * label + Math.log1p(Math.exp(-Math.abs(score)));
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.LOGISTIC;
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
    return new double[] {likelihood(weights.sum(row))};
  }

  @Override
  public int measures() {
    return MEASURES;
  }

  @Override
  public void measure(double[] row, Scaling unit, double[] sums) {
    measure(weights.sum(row), row[features()], sums);
  }

  /**
   * Adds how far a likelihood is off.
   *
   * @param score before the sigmoid
   */
  static void measure(double score, double label, double[] sums) {
    if (label != 0 && label != 1) {
      return; // In no class: whoever asks finds that classes have fewer rows than there are.
    }
    double likelihood = likelihood(score);
    sums[LOSS] += loss(score, label);
    sums[RIGHT] += (likelihood >= 0.5) == (label == 1) ? 1 : 0;
    int step = Math.clamp((int) (likelihood * STEPS), 0, STEPS - 1);
    sums[(label == 1 ? FIRST_OF_ONES : FIRST_OF_ZEROS) + step]++;
  }

  @Override
  public Metrics metrics(Statistic heldOut) {
    return judged(heldOut);
  }

  /** How good likelihoods are, from what was measured. */
  static Metrics judged(Statistic heldOut) {
    if (heldOut.rows() == 0) {
      return Metrics.UNKNOWN;
    }
    double loss = heldOut.sums()[LOSS] / heldOut.rows();
    Map<String, Double> values = new LinkedHashMap<>();
    values.put("log loss", loss);
    double area = area(heldOut.sums());
    if (!Double.isNaN(area)) {
      values.put("AUC", area);
    }
    values.put("accuracy", heldOut.sums()[RIGHT] / heldOut.rows());
    return new Metrics(heldOut.rows(), loss, values);
  }

  /** How many rows were of one of the two classes: their label is 0 or 1. */
  public static long classed(Statistic heldOut) {
    return (long) Arrays.stream(heldOut.sums(), FIRST_OF_ZEROS, MEASURES).sum();
  }

  /**
   * How often a row with label 1 has a higher likelihood than one with label 0, ties for half; NaN
   * if there are rows of one label only.
   */
  private static double area(double[] sums) {
    double zeros = 0;
    double ones = 0;
    double pairs = 0;
    for (int step = 0; step < STEPS; step++) {
      double ofZeros = sums[FIRST_OF_ZEROS + step];
      double ofOnes = sums[FIRST_OF_ONES + step];
      pairs += ofOnes * (zeros + ofZeros / 2);
      zeros += ofZeros;
      ones += ofOnes;
    }
    return pairs / (zeros * ones);
  }

  @Override
  public Map<String, Double> parameters(List<String> features) {
    return weights.named(features);
  }
}
