package io.sedge.tensor.training;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Tensor;

/**
 * The values of a model's variables, by name, row after row. Immutable.
 *
 * @param values as many numbers for each as {@link Model#parameters} counts
 */
public record Weights(Map<String, List<Double>> values) {
  /** Copies. */
  public Weights {
    Map<String, List<Double>> copy = new LinkedHashMap<>();
    values.forEach((name, numbers) -> copy.put(name, List.copyOf(numbers)));
    values = java.util.Collections.unmodifiableMap(copy);
  }

  static Weights of(Model model, Numbers<?> numbers, Map<String, Tensor> tensors) {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (Model.Weight weight : model.weights()) {
      Tensor tensor = tensors.get(weight.name());
      if (tensor == null) {
        throw new IllegalArgumentException("no values of '" + weight.name() + "'");
      }
      values.put(weight.name(), java.util.Arrays.stream(numbers.read(tensor)).boxed().toList());
    }
    return new Weights(values);
  }

  /**
   * The numbers of a variable.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public double[] of(String name) {
    List<Double> numbers = values.get(name);
    if (numbers == null) {
      throw new IllegalArgumentException(
          "no variable '" + name + "'; there are " + values.keySet());
    }
    return numbers.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
