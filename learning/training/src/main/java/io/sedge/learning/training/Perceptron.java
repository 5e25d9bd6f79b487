package io.sedge.learning.training;

import java.util.Arrays;

/**
 * Computes the score of a network, and how the weights change it, by back-propagation. Rumelhart,
 * Hinton, Williams, Nature 323, 1986. One thread: it keeps what units gave for the last row.
 */
final class Perceptron {
  private final int[] sizes;
  private final boolean tanh;

  /** What each layer's units gave for the row that was scored last. */
  private final double[][] values;

  /** How the score changes with each unit's sum. */
  private final double[][] slopes;

  Perceptron(Layers layers) {
    this.sizes = layers.sizes();
    this.tanh = layers.activation() == Layers.Activation.TANH;
    this.values = Arrays.stream(sizes).mapToObj(double[]::new).toArray(double[][]::new);
    this.slopes = Arrays.stream(sizes).mapToObj(double[]::new).toArray(double[][]::new);
  }

  /**
   * The score of a row.
   *
   * @param scaled the features
   */
  double score(double[] weights, double[] scaled) {
    System.arraycopy(scaled, 0, values[0], 0, sizes[0]);
    int at = 0;
    for (int layer = 1; layer < sizes.length; layer++) {
      double[] inputs = values[layer - 1];
      double[] units = values[layer];
      int count = units.length;
      int intercepts = at + inputs.length * count;
      System.arraycopy(weights, intercepts, units, 0, count);
      for (double input : inputs) {
        for (int unit = 0; unit < count; unit++) {
          units[unit] += input * weights[at + unit];
        }
        at += count;
      }
      at += count;
      if (layer < sizes.length - 1) {
        activate(units);
      }
    }
    return values[sizes.length - 1][0];
  }

  private void activate(double[] units) {
    for (int unit = 0; unit < units.length; unit++) {
      units[unit] = tanh ? Math.tanh(units[unit]) : Math.max(units[unit], 0);
    }
  }

  /**
   * Adds how a loss changes with each weight, for the row that was scored last.
   *
   * @param slope how the loss changes with the score
   */
  void addGradient(double[] weights, double slope, double[] gradient) {
    int last = sizes.length - 1;
    slopes[last][0] = slope;
    int end = weights.length;
    for (int layer = last; layer > 0; layer--) {
      double[] inputs = values[layer - 1];
      double[] above = slopes[layer];
      int count = above.length;
      int intercepts = end - count;
      for (int unit = 0; unit < count; unit++) {
        gradient[intercepts + unit] += above[unit];
      }
      int begin = intercepts - inputs.length * count;
      for (int input = 0; input < inputs.length; input++) {
        int at = begin + input * count;
        double value = inputs[input];
        double below = 0;
        for (int unit = 0; unit < count; unit++) {
          gradient[at + unit] += value * above[unit];
          below += weights[at + unit] * above[unit];
        }
        slopes[layer - 1][input] = below * activationSlope(value);
      }
      end = begin;
    }
  }

  /**
   * @param value what the unit gave
   */
  private double activationSlope(double value) {
    if (tanh) {
      return 1 - value * value;
    }
    return value > 0 ? 1 : 0;
  }
}
