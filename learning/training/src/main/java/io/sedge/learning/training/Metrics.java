package io.sedge.learning.training;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How good a model is on rows that it was not found from.
 *
 * @param rows how many; with 0 there are no values
 * @param error what two models are compared by: the lower is the better; NaN if it is not known
 * @param values by name, for people
 */
public record Metrics(long rows, double error, Map<String, Double> values) {
  /** Where no row was held out. */
  public static final Metrics UNKNOWN = new Metrics(0, Double.NaN, Map.of());

  public Metrics {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Whether it is known to be better. */
  public boolean isBetterThan(Metrics other) {
    return error < other.error; // Never where one is NaN.
  }
}
