package io.sedge.tensor.training;

import io.sedge.tensor.training.Layer.Conv1D;
import io.sedge.tensor.training.Layer.Dense;
import io.sedge.tensor.training.Layer.Flatten;
import java.util.ArrayList;
import java.util.List;

/**
 * What a model computes: the shape of its input, its layers, and what it is for. Says nothing of
 * where its variables are or of their values. Immutable.
 *
 * <p>Its variables are named {@code layer_0/kernel}, {@code layer_0/bias} and so on; those of the
 * last layer, which the head adds, {@code head/kernel} and {@code head/bias}. Kernels begin at
 * random values within Glorot's bounds, which the seed decides; biases at 0.
 *
 * @param window rows of an example; 1 for an example that is one row
 * @param features numbers in a row
 * @param layers before the head's; none for a linear model
 * @param head what it is for
 * @param targets numbers that a regression gives; 1 for classes, 0 for a reconstruction
 * @param precision of all its numbers
 * @param seed of the values that variables begin with
 */
public record Model(
    int window,
    int features,
    List<Layer> layers,
    Head head,
    int targets,
    Precision precision,
    long seed) {
  /** How exact a model's numbers are. */
  public enum Precision {
    /** 4 bytes, 7 digits. */
    FLOAT32,
    /** 8 bytes, 15 digits. */
    FLOAT64
  }

  /**
   * A variable of a model.
   *
   * @param fanIn numbers that go into one sum; 0 where the variable begins at 0
   * @param fanOut sums that one number goes into
   */
  record Weight(String name, List<Integer> shape, int fanIn, int fanOut) {
    int size() {
      return shape.stream().mapToInt(Integer::intValue).reduce(1, Math::multiplyExact);
    }
  }

  /** Checks that every layer can take what the one before it gives. */
  public Model {
    layers = List.copyOf(layers);
    if (window < 1 || features < 1) {
      throw new IllegalArgumentException(
          "an example of %d rows of %d numbers; both are 1 or more".formatted(window, features));
    }
    int expected =
        switch (head) {
          case Head.Regression ignored -> Math.max(1, targets);
          case Head.Binary ignored -> 1;
          case Head.MultiClass ignored -> 1;
          case Head.Reconstruction ignored -> 0;
        };
    if (targets != expected) {
      throw new IllegalArgumentException(
          "%d targets, but %s needs %s"
              .formatted(
                  targets,
                  describe(head),
                  head instanceof Head.Regression ? "1 or more" : String.valueOf(expected)));
    }
    weights(window, features, layers, outputs(window, features, head, targets));
  }

  /** A model of one row an example, in 4-byte numbers, with seed 1. */
  public static Model of(int features, List<Layer> layers, Head head) {
    return new Model(
        1,
        features,
        layers,
        head,
        head instanceof Head.Reconstruction ? 0 : 1,
        Precision.FLOAT32,
        1);
  }

  /** The same with another precision. */
  public Model withPrecision(Precision other) {
    return new Model(window, features, layers, head, targets, other, seed);
  }

  /** The same with another seed. */
  public Model withSeed(long other) {
    return new Model(window, features, layers, head, targets, precision, other);
  }

  /** How many numbers it gives for an example. */
  public int outputs() {
    return outputs(window, features, head, targets);
  }

  /** How many numbers all its variables have. */
  public long parameters() {
    return weights().stream().mapToLong(Weight::size).sum();
  }

  /** Its variables, in the order in which its layers use them. */
  List<Weight> weights() {
    return weights(window, features, layers, outputs());
  }

  private static int outputs(int window, int features, Head head, int targets) {
    return switch (head) {
      case Head.Regression ignored -> targets;
      case Head.Binary ignored -> 1;
      case Head.MultiClass multi -> multi.classes();
      case Head.Reconstruction ignored -> Math.multiplyExact(window, features);
    };
  }

  private static String describe(Head head) {
    return "a head for " + head.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
  }

  /** Follows the shape through the layers; {@code rows} 0 stands for flat. */
  private static List<Weight> weights(int window, int features, List<Layer> layers, int outputs) {
    List<Weight> weights = new ArrayList<>();
    int rows = window == 1 ? 0 : window;
    int numbers = features;
    for (int i = 0; i < layers.size(); i++) {
      String name = "layer_" + i;
      switch (layers.get(i)) {
        case Dense dense -> {
          if (rows != 0) {
            throw new IllegalArgumentException(
                "%s is dense and needs a flat example, not one of %d rows of %d numbers: put a"
                        .formatted(name, rows, numbers)
                    + " flatten layer before it");
          }
          addWeights(weights, name, List.of(numbers, dense.units()), numbers, dense.units());
          numbers = dense.units();
        }
        case Conv1D conv -> {
          int after = rows == 0 ? 0 : rowsAfter(conv, rows);
          if (after < 1) {
            throw new IllegalArgumentException(
                "%s is a convolution over %d rows and gets an example of %s: make the window longer"
                        .formatted(name, conv.kernel(), rows == 0 ? "one row" : rows + " rows")
                    + ", or the kernel shorter");
          }
          addWeights(
              weights,
              name,
              List.of(1, conv.kernel(), numbers, conv.filters()),
              Math.multiplyExact(conv.kernel(), numbers),
              Math.multiplyExact(conv.kernel(), conv.filters()));
          rows = after;
          numbers = conv.filters();
        }
        case Flatten ignored -> {
          numbers = Math.multiplyExact(Math.max(1, rows), numbers);
          rows = 0;
        }
      }
    }
    int flat = Math.multiplyExact(Math.max(1, rows), numbers);
    addWeights(weights, "head", List.of(flat, outputs), flat, outputs);
    return weights;
  }

  private static int rowsAfter(Conv1D conv, int rows) {
    return conv.padded()
        ? (rows + conv.stride() - 1) / conv.stride()
        : (rows - conv.kernel()) / conv.stride() + (rows < conv.kernel() ? 0 : 1);
  }

  private static void addWeights(
      List<Weight> weights, String name, List<Integer> shape, int fanIn, int fanOut) {
    weights.add(new Weight(name + "/kernel", shape, fanIn, fanOut));
    weights.add(new Weight(name + "/bias", List.of(shape.getLast()), 0, 0));
  }
}
