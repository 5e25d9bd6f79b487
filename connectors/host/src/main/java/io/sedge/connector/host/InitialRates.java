package io.sedge.connector.host;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The sampling rates that a table begins with: one for all, others for some prefixes. */
final class InitialRates implements ToDoubleFunction<Quantity> {
  private final double all;
  private final Map<String, Double> byPrefix = new TreeMap<>();

  InitialRates(double all) {
    this.all = all;
  }

  /** Sets the rate of the quantity of that name and of those whose names go on with a point. */
  void add(String prefix, double hertz) {
    byPrefix.put(prefix, hertz);
  }

  /** The rate of the longest prefix that fits. */
  @Override
  public double applyAsDouble(Quantity quantity) {
    double hertz = all;
    int longest = -1;
    for (Map.Entry<String, Double> entry : byPrefix.entrySet()) {
      String prefix = entry.getKey();
      boolean fits = quantity.name().equals(prefix) || quantity.name().startsWith(prefix + ".");
      if (fits && prefix.length() > longest) {
        longest = prefix.length();
        hertz = entry.getValue();
      }
    }
    return hertz;
  }
}
