package io.sedge.learning.training;

import java.util.Map;

/** A model that was found, by its numbers. Immutable; in the units of the columns. */
public sealed interface FittedModel permits Linear, Logistic, Clusters, Components, Network {
  Algorithm algorithm();

  /** How many features a row has. */
  int features();

  /** All that there is to it, from which {@link #of} makes it again. */
  double[] numbers();

  /** How many columns a score has. */
  default int outputs() {
    return 1;
  }

  /**
   * The score of a row, as the model's file gives it.
   *
   * @param row the features, and perhaps more
   * @return a value for each column of the score
   */
  double[] score(double[] row);

  /** How many sums {@link #measure} adds to. */
  int measures();

  /**
   * Adds how far the model is off for a row to sums.
   *
   * @param row the features, then the label if the algorithm has one
   * @param unit of the features
   */
  void measure(double[] row, Scaling unit, double[] sums);

  /** What was measured over all rows held out. */
  Metrics metrics(Statistic heldOut);

  /** What people are shown, by name. */
  Map<String, Double> parameters(java.util.List<String> features);

  /**
   * Makes a model of its numbers.
   *
   * @throws IllegalArgumentException if they are none of such a model
   */
  static FittedModel of(Algorithm algorithm, int features, double[] numbers) {
    return switch (algorithm) {
      case LINEAR -> Linear.of(features, numbers);
      case LOGISTIC -> Logistic.of(features, numbers);
      case KMEANS -> Clusters.of(features, numbers);
      case PCA -> Components.of(features, numbers);
      case MLP, MLP_LOGISTIC -> Network.of(algorithm, features, numbers);
    };
  }
}
