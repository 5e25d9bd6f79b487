package io.sedge.learning.training;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A weight for each feature, and what is added to their sum.
 *
 * @param each by feature, in the units of the features
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Weights(double[] each, double intercept) {
  /**
   * Those of scaled features, for features as they are.
   *
   * @param scaled by feature, then the intercept
   */
  public static Weights unscaled(double[] scaled, Scaling scaling) {
    int features = scaled.length - 1;
    double[] each = new double[features];
    double intercept = scaled[features];
    for (int i = 0; i < features; i++) {
      each[i] = scaling.spreads()[i] == 0 ? 0 : scaled[i] / scaling.spreads()[i];
      intercept -= each[i] * scaling.means()[i];
    }
    return new Weights(each, intercept);
  }

  static Weights of(int features, double[] numbers) {
    if (numbers.length != features + 1) {
      throw new IllegalArgumentException(
          "%d weights for %d features".formatted(numbers.length, features));
    }
    return new Weights(Arrays.copyOf(numbers, features), numbers[features]);
  }

  double sum(double[] row) {
    double sum = intercept;
    for (int i = 0; i < each.length; i++) {
      sum += each[i] * row[i];
    }
    return sum;
  }

  /** Each, then the intercept. */
  double[] numbers() {
    double[] numbers = Arrays.copyOf(each, each.length + 1);
    numbers[each.length] = intercept;
    return numbers;
  }

  Map<String, Double> named(List<String> features) {
    Map<String, Double> named = new LinkedHashMap<>();
    for (int i = 0; i < each.length; i++) {
      named.put(features.get(i), each[i]);
    }
    named.put("intercept", intercept);
    return named;
  }
}
