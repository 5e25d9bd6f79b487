package io.sedge.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a contender's process has measured, by name; it travels as one line of text. Figures that a
 * run does not have are NaN.
 */
public record Report(Map<String, Double> figures) {
  static final String PREFIX = "RESULT ";

  /** Readings a second, by the clock. */
  static final String PER_SECOND = "per-second";

  /** Nanoseconds of processor time a reading, all threads of the process. */
  static final String CPU_NANOS = "cpu-nanos";

  /** The greatest resident memory of the process so far, in MB. */
  static final String RESIDENT_MB = "resident-mb";

  /** Results, and two sums over them: of exact parts, and of what rounding may change. */
  static final String ROWS = "rows";

  static final String EXACT = "exact";
  static final String ROUNDED = "rounded";

  static final String P50 = "p50-us";
  static final String P99 = "p99-us";
  static final String P999 = "p99.9-us";
  static final String MAX = "max-us";

  public Report {
    figures = Map.copyOf(figures);
  }

  public double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }

  String line() {
    StringBuilder line = new StringBuilder(PREFIX);
    figures.forEach((name, figure) -> line.append(name).append('=').append(figure).append(' '));
    return line.toString().strip();
  }

  static Report parse(String line) {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (String part : line.substring(PREFIX.length()).split(" ", -1)) {
      int equals = part.indexOf('=');
      figures.put(part.substring(0, equals), Double.valueOf(part.substring(equals + 1)));
    }
    return new Report(figures);
  }
}
