package io.sedge.tensor.training;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;

/**
 * What variables begin with: the same for the same seed, wherever they are and however they are
 * cut. Kernels are drawn from Glorot's uniform distribution (Glorot and Bengio, 2010): within
 * {@code sqrt(6 / (fanIn + fanOut))}.
 */
final class InitialValues implements AutoCloseable {
  private final Map<String, Tensor> values = new LinkedHashMap<>();

  <T extends TFloating> InitialValues(TrainingGraph<T> graph) {
    Model model = graph.model();
    for (Model.Weight weight : model.weights()) {
      values.put(
          weight.name(),
          graph.numbers().tensor(draw(weight, model.seed()), TrainingGraph.shape(weight)));
    }
    graph
        .variables()
        .all()
        .forEach(
            variable -> {
              Double fill = graph.fills().get(variable.name());
              if (fill != null) {
                values.put(variable.name(), filled(graph.numbers(), variable.shape(), fill));
              }
            });
    values.put(TrainingGraph.GLOBAL_STEP, TInt64.scalarOf(0));
  }

  private static Tensor filled(Numbers<?> numbers, Shape shape, double fill) {
    double[] same = new double[Math.toIntExact(shape.size())];
    java.util.Arrays.fill(same, fill);
    return numbers.tensor(same, shape);
  }

  static double[] draw(Model.Weight weight, long seed) {
    double[] drawn = new double[weight.size()];
    if (weight.fanIn() > 0) {
      double bound = Math.sqrt(6.0 / (weight.fanIn() + weight.fanOut()));
      SplittableRandom random = new SplittableRandom(seed ^ (weight.name().hashCode() * 31L));
      for (int i = 0; i < drawn.length; i++) {
        drawn[i] = (2 * random.nextDouble() - 1) * bound;
      }
    }
    return drawn;
  }

  Map<String, Tensor> byName() {
    return values;
  }

  @Override
  public void close() {
    values.values().forEach(Tensor::close);
  }
}
