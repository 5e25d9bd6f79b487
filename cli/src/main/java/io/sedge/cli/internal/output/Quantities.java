package io.sedge.cli.internal.output;

import java.time.Duration;
import java.util.Locale;

/** Durations and sizes as people read them. */
public final class Quantities {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

  private Quantities() {}

  /** For example {@code 1.2 MB}, in powers of 1000. */
  public static String bytes(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(
        Locale.ROOT, unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
  }

  /** For example {@code 0:07} or {@code 1:02:03}. */
  public static String clock(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < 3600
        ? "%d:%02d".formatted(seconds / 60, seconds % 60)
        : "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
  }

  /** For example {@code 850 ms}, {@code 7.3 s} or {@code 2 min 5 s}. */
  public static String duration(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    long seconds = duration.toSeconds();
    return seconds < 3600
        ? "%d min %d s".formatted(seconds / 60, seconds % 60)
        : "%d h %d min".formatted(seconds / 3600, seconds / 60 % 60);
  }
}
