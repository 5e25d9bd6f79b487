package io.sedge.learning.training;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A network of units (a multilayer perceptron), whose score is a number, or says how likely a label
 * of 1 is.
 *
 * @param algorithm one of the two whose models these are
 * @param scaling of the features
 * @param mean of the label; 0 if the score is a likelihood
 * @param spread of the label; 1 if the score is a likelihood
 * @param weights of scaled features, for a scaled label; as {@link Layers} has them
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Network(
    Algorithm algorithm,
    Layers layers,
    Scaling scaling,
    double mean,
    double spread,
    double[] weights)
    implements FittedModel {
  public Network {
    if (!algorithm.isNetwork() || scaling.size() != layers.features()) {
      throw new IllegalArgumentException(
          "a network of algorithm %s over %d features".formatted(algorithm, scaling.size()));
    }
    if (weights.length != layers.weights()) {
      throw new IllegalArgumentException(
          "%d weights, not %d".formatted(weights.length, layers.weights()));
    }
  }

  static Network of(Algorithm algorithm, int features, double[] numbers) {
    Numbers read = new Numbers(numbers);
    Layers layers = Layers.of(features, read);
    Scaling scaling = new Scaling(read.next(features), read.next(features));
    double[] label = read.next(2);
    return new Network(algorithm, layers, scaling, label[0], label[1], read.next(read.rest(1)));
  }

  @Override
  public int features() {
    return layers.features();
  }

  @Override
  public double[] numbers() {
    return Numbers.joined(
        layers.numbers(), scaling.means(), scaling.spreads(), new double[] {mean, spread}, weights);
  }

  @Override
  public int measures() {
    return algorithm.classes() ? Logistic.MEASURES : Linear.MEASURES;
  }

  @Override
  public double[] score(double[] row) {
    double sum = sum(row);
    return new double[] {algorithm.classes() ? Logistic.likelihood(sum) : sum};
  }

  /** The score of a row in the units of the label; if it is a likelihood, before the sigmoid. */
  private double sum(double[] row) {
    return new Perceptron(layers).score(weights, scaling.scaled(row)) * spread + mean;
  }

  @Override
  public void measure(double[] row, Scaling unit, double[] sums) {
    double label = row[features()];
    if (algorithm.classes()) {
      Logistic.measure(sum(row), label, sums);
    } else {
      Linear.measure(sum(row), mean, label, sums);
    }
  }

  @Override
  public Metrics metrics(Statistic heldOut) {
    return algorithm.classes() ? Logistic.judged(heldOut) : Linear.judged(heldOut);
  }

  /**
   * How many weights there are; and of each feature how large its weights to the first layer are
   * (root of the mean square), which tells what the network does not look at.
   */
  @Override
  public Map<String, Double> parameters(List<String> features) {
    Map<String, Double> named = new LinkedHashMap<>();
    named.put("weights", (double) weights.length);
    int units = layers.hidden().getFirst();
    for (int i = 0; i < features.size(); i++) {
      double squares =
          Arrays.stream(weights, i * units, (i + 1) * units).map(weight -> weight * weight).sum();
      named.put("size of weights: " + features.get(i), Math.sqrt(squares / units));
    }
    return named;
  }
}
