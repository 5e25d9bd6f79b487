package io.sedge.tensor.training;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.family.TFloating;

/**
 * The operations of a model from scaled features to its last layer's sums, and from those to the
 * loss and to what it predicts.
 *
 * @param <T> the type of its numbers
 */
final class Forward<T extends TFloating> {
  private final Ops ops;
  private final Model model;
  private final Numbers<T> numbers;
  private final Function<Model.Weight, Operand<T>> weights;

  /**
   * Operations in a graph.
   *
   * @param weights the value of a variable; asked once for each
   */
  Forward(Ops ops, Model model, Numbers<T> numbers, Function<Model.Weight, Operand<T>> weights) {
    this.ops = ops;
    this.model = model;
    this.numbers = numbers;
    this.weights = weights;
  }

  /** The sums of the last layer: {@code [examples, outputs]}. */
  Operand<T> sums(Operand<T> features) {
    Operand<T> value = features;
    List<Model.Weight> all = model.weights();
    int next = 0;
    for (Layer layer : model.layers()) {
      switch (layer) {
        case Layer.Dense dense -> {
          value = activate(dense(value, all.get(next), all.get(next + 1)), dense.activation());
          next += 2;
        }
        case Layer.Conv1D conv -> {
          Operand<T> sums = convolve(value, conv, all.get(next), all.get(next + 1));
          value = activate(sums, conv.activation());
          next += 2;
        }
        case Layer.Flatten ignored -> value = flat(value);
      }
    }
    return dense(flat(value), all.get(next), all.get(next + 1));
  }

  private Operand<T> dense(Operand<T> value, Model.Weight kernel, Model.Weight bias) {
    return ops.nn.biasAdd(ops.linalg.matMul(value, weights.apply(kernel)), weights.apply(bias));
  }

  /** There is no 1-D convolution in TensorFlow: a 2-D one over a height of 1. */
  private Operand<T> convolve(
      Operand<T> value, Layer.Conv1D conv, Model.Weight kernel, Model.Weight bias) {
    Operand<T> image = ops.expandDims(value, ops.constant(1));
    Operand<T> sums =
        ops.nn.conv2d(
            image,
            weights.apply(kernel),
            List.of(1L, 1L, (long) conv.stride(), 1L),
            conv.padded() ? "SAME" : "VALID");
    return ops.squeeze(
        ops.nn.biasAdd(sums, weights.apply(bias)),
        org.tensorflow.op.core.Squeeze.axis(List.of(1L)));
  }

  private Operand<T> flat(Operand<T> value) {
    long[] dimensions = value.asOutput().shape().asArray();
    if (dimensions.length == 2) {
      return value;
    }
    int size = (int) Arrays.stream(dimensions).skip(1).reduce(1, Math::multiplyExact);
    return ops.reshape(value, ops.constant(new int[] {-1, size}));
  }

  private Operand<T> activate(Operand<T> value, Activation activation) {
    return switch (activation) {
      case LINEAR -> value;
      case RELU -> ops.nn.relu(value);
      case TANH -> ops.math.tanh(value);
      case SIGMOID -> ops.math.sigmoid(value);
      case ELU -> ops.nn.elu(value);
      case SOFTPLUS -> ops.math.softplus(value);
    };
  }

  /** What the model says, in the scale of the targets: {@code [examples, outputs]}. */
  Operand<T> predictions(Operand<T> sums) {
    return switch (model.head()) {
      case Head.Regression ignored -> sums;
      case Head.Reconstruction ignored -> sums;
      case Head.Binary ignored -> ops.math.sigmoid(sums);
      case Head.MultiClass ignored -> ops.nn.softmax(sums);
    };
  }

  /** The losses of all examples, added. */
  Operand<T> lossSum(Operand<T> sums, Operand<T> targets) {
    return ops.sum(losses(sums, targets), ops.constant(0));
  }

  private Operand<T> losses(Operand<T> sums, Operand<T> targets) {
    return switch (model.head()) {
      case Head.Regression head -> mean(distance(head.distance(), sums, targets));
      case Head.Reconstruction head -> mean(distance(head.distance(), sums, flat(targets)));
      // ln(1 + e^z) - y z: the cross-entropy of sigmoid(z), exact for any z.
      case Head.Binary ignored ->
          mean(ops.math.sub(ops.math.softplus(sums), ops.math.mul(sums, targets)));
      case Head.MultiClass head -> {
        Operand<TInt32> classes =
            ops.dtypes.cast(
                ops.squeeze(targets, org.tensorflow.op.core.Squeeze.axis(List.of(1L))),
                TInt32.class);
        Operand<T> labels =
            ops.oneHot(
                classes,
                ops.constant(head.classes()),
                numbers.constant(ops, 1),
                numbers.constant(ops, 0));
        yield ops.nn.softmaxCrossEntropyWithLogits(sums, labels).loss();
      }
    };
  }

  private Operand<T> mean(Operand<T> values) {
    return ops.math.mean(values, ops.constant(1));
  }

  private Operand<T> distance(Head.Distance distance, Operand<T> left, Operand<T> right) {
    Operand<T> difference = ops.math.sub(left, right);
    return switch (distance) {
      case SQUARED -> ops.math.square(difference);
      case ABSOLUTE -> ops.math.abs(difference);
      case HUBER -> {
        Operand<T> size = ops.math.abs(difference);
        Operand<T> small = ops.math.minimum(size, numbers.constant(ops, 1));
        Operand<T> square = ops.math.mul(numbers.constant(ops, 0.5), ops.math.square(small));
        yield ops.math.add(square, ops.math.sub(size, small));
      }
    };
  }
}
