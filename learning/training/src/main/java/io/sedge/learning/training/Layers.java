package io.sedge.learning.training;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The layers of a network of units: the features, the hidden layers, and one unit whose sum is the
 * score. Immutable.
 *
 * <p>Weights are one after the other. Of each layer those of its first input to all of its units,
 * then those of its second input, and so on; then what is added to each unit's sum.
 *
 * @param hidden how many units each hidden layer has, the one next to the features first
 */
public record Layers(int features, List<Integer> hidden, Activation activation) {
  /** A network with more neither fits into a message nor is it for a gateway. */
  public static final int MOST_WEIGHTS = 8_000;

  static final int MOST_HIDDEN = 3;

  /** What a hidden unit makes of its sum. */
  public enum Activation {
    /** The sum, or 0 if it is negative. */
    RELU,
    /** The hyperbolic tangent of the sum. */
    TANH
  }

  public Layers {
    hidden = List.copyOf(hidden);
    if (features < 1
        || hidden.isEmpty()
        || hidden.size() > MOST_HIDDEN
        || hidden.stream().anyMatch(units -> units < 1 || units > MOST_WEIGHTS)) {
      throw new IllegalArgumentException(
          "hidden layers of %s units over %d features".formatted(units(hidden), features));
    }
    if (weights(features, hidden) > MOST_WEIGHTS) {
      throw new IllegalArgumentException(
          "hidden layers of %s units over %d features have %,d weights; %,d are allowed"
              .formatted(units(hidden), features, weights(features, hidden), MOST_WEIGHTS));
    }
  }

  private static String units(List<Integer> hidden) {
    return hidden.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private static long weights(int features, List<Integer> hidden) {
    long weights = 0;
    long inputs = features;
    for (int units : hidden) {
      weights += (inputs + 1) * units;
      inputs = units;
    }
    return weights + inputs + 1;
  }

  /** How many weights there are. */
  public int weights() {
    return (int) weights(features, hidden);
  }

  /** How many values each layer has: the features, the hidden units, the score. */
  public int[] sizes() {
    int[] sizes = new int[hidden.size() + 2];
    sizes[0] = features;
    for (int i = 0; i < hidden.size(); i++) {
      sizes[i + 1] = hidden.get(i);
    }
    sizes[sizes.length - 1] = 1;
    return sizes;
  }

  /** How many hidden layers there are, their units, and the activation's number. */
  double[] numbers() {
    double[] numbers = new double[hidden.size() + 2];
    numbers[0] = hidden.size();
    for (int i = 0; i < hidden.size(); i++) {
      numbers[i + 1] = hidden.get(i);
    }
    numbers[numbers.length - 1] = activation == Activation.TANH ? 1 : 0;
    return numbers;
  }

  static Layers of(int features, Numbers numbers) {
    int count = numbers.whole(MOST_HIDDEN);
    List<Integer> hidden = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hidden.add(numbers.whole(MOST_WEIGHTS));
    }
    return new Layers(features, hidden, numbers.whole(1) == 1 ? Activation.TANH : Activation.RELU);
  }
}
