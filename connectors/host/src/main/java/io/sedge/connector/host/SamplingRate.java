package io.sedge.connector.host;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sampling rates as people write them: {@code 10 Hz}, {@code 0.5Hz}, {@code 100 ms}. */
final class SamplingRate {
  /** The lowest rate: a reading in ten seconds. */
  static final double MIN_HZ = 0.1;

  /** The highest that {@code max.sampling.rate} may allow. */
  static final double CEILING_HZ = 1000;

  private static final Pattern FORM = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([a-z]+)");
  private static final Map<String, Double> SECONDS =
      Map.of("us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0);

  private SamplingRate() {}

  /** The rate in hertz, unlimited as yet; empty if it is not written as a rate or a period. */
  static Optional<Double> parse(String text) {
    Matcher matcher = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    double number = Double.parseDouble(matcher.group(1));
    String unit = matcher.group(2);
    if (number == 0) {
      return Optional.empty();
    }
    return unit.equals("hz")
        ? Optional.of(number)
        : Optional.ofNullable(SECONDS.get(unit)).map(seconds -> 1 / (number * seconds));
  }

  static double clamp(double hertz, double maxHz) {
    return Math.max(MIN_HZ, Math.min(hertz, maxHz));
  }

  static long periodNanos(double hertz) {
    return Math.round(1e9 / hertz);
  }

  /** For messages: {@code 12.5 Hz}. */
  static String show(double hertz) {
    return BigDecimal.valueOf(Math.round(hertz * 1000), 3).stripTrailingZeros().toPlainString()
        + " Hz";
  }
}
