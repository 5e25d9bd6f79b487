package io.sedge.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a contender's process has measured, by name; it travels as one line of text. Figures that a
 * run does not have are NaN.
 */
public record Report(Map<String, Double> figures) {
  public static final String PREFIX = "RESULT ";

  /** Readings a second, by the clock. */
  public static final String PER_SECOND = "per-second";

  /** Nanoseconds of processor time a reading, all threads of the process. */
  public static final String CPU_NANOS = "cpu-nanos";

  /** The greatest resident memory of the process so far, in MB. */
  static final String RESIDENT_MB = "resident-mb";

  /** Results, and two sums over them: of exact parts, and of what rounding may change. */
  static final String ROWS = "rows";

  static final String EXACT = "exact";
  static final String ROUNDED = "rounded";

  public static final String P50 = "p50-us";
  public static final String P99 = "p99-us";
  public static final String P999 = "p99.9-us";
  public static final String MAX = "max-us";

  public Report {
    figures = Map.copyOf(figures);
  }

  public double figure(String name) {
    return figures.getOrDefault(name, Double.NaN);
  }

  /** With a figure more. */
  public Report with(String name, double figure) {
    Map<String, Double> more = new LinkedHashMap<>(figures);
    more.put(name, figure);
    return new Report(more);
  }

  /** With this process's {@link #RESIDENT_MB}. */
  public Report withMemory() {
    return with(RESIDENT_MB, Memory.peakResidentMb("self"));
  }

  /** The median over runs. */
  public static double median(List<Report> runs, String figure) {
    double[] sorted = runs.stream().mapToDouble(run -> run.figure(figure)).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The microseconds that a share of sorted nanoseconds does not exceed. */
  public static double quantileMicros(int[] sorted, double share) {
    int index = (int) Math.ceil(share * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)] / 1e3;
  }

  public String line() {
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
