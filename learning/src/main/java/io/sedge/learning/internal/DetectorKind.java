package io.sedge.learning.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A detector as a function: its name, what it takes, and how one is made.
 *
 * @param vectors whether a reading may be an array of numbers
 * @param timed whether the time follows the reading
 * @param parameters the constants that may follow
 * @param factory makes a detector, given a value for each parameter; throws an {@link
 *     IllegalArgumentException} if they do not fit together
 */
public record DetectorKind(
    String name,
    boolean vectors,
    boolean timed,
    List<Parameter> parameters,
    Function<double[], Detector> factory) {

  /**
   * A constant.
   *
   * @param whole whether it has no fraction
   */
  public record Parameter(
      String name, double defaultValue, double least, double most, boolean whole) {
    private String text(double value) {
      return whole ? Long.toString((long) value) : Double.toString(value);
    }
  }

  public DetectorKind {
    parameters = List.copyOf(parameters);
  }

  /** {@code EWMA_SCORE(x [, lambda])}. */
  public String signature() {
    StringBuilder text =
        new StringBuilder(name).append("(").append(vectors ? "x or ARRAY[x, y]" : "x");
    if (timed) {
      text.append(", ts");
    }
    parameters.forEach(parameter -> text.append(" [, ").append(parameter.name()));
    return text.append("]".repeat(parameters.size())).append(")").toString();
  }

  /**
   * Makes detectors with the constants of a call; the others have their defaults.
   *
   * @throws IllegalArgumentException if one is not allowed
   */
  public Supplier<Detector> detector(List<Double> given) {
    if (given.size() > parameters.size()) {
      throw new IllegalArgumentException("%s takes %s".formatted(name, signature()));
    }
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      double value = i < given.size() ? given.get(i) : parameter.defaultValue();
      boolean allowed =
          value >= parameter.least()
              && value <= parameter.most()
              && (!parameter.whole() || value == Math.rint(value));
      if (!allowed) {
        throw new IllegalArgumentException(
            "%s: %s = %s is not %s from %s to %s"
                .formatted(
                    name,
                    parameter.name(),
                    Double.isNaN(value) ? "no number" : Double.toString(value),
                    parameter.whole() ? "a whole number" : "a number",
                    parameter.text(parameter.least()),
                    parameter.text(parameter.most())));
      }
      values.add(value);
    }
    double[] all = values.stream().mapToDouble(value -> value).toArray();
    try {
      Detector _ = factory.apply(all.clone()); // Says whether they fit together.
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(name, e.getMessage()), e);
    }
    return () -> factory.apply(all.clone());
  }

  @Override
  public String toString() {
    return parameters.stream()
        .map(parameter -> parameter.name() + " = " + parameter.text(parameter.defaultValue()))
        .collect(Collectors.joining(", "));
  }
}
