package io.sedge.connector;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Parses the values of options as Flink does; every parser throws IllegalArgumentException. */
final class OptionValues {
  private static final Map<String, ChronoUnit> TIME_UNITS =
      Map.ofEntries(
          Map.entry("", ChronoUnit.MILLIS),
          Map.entry("d", ChronoUnit.DAYS),
          Map.entry("day", ChronoUnit.DAYS),
          Map.entry("days", ChronoUnit.DAYS),
          Map.entry("h", ChronoUnit.HOURS),
          Map.entry("hour", ChronoUnit.HOURS),
          Map.entry("hours", ChronoUnit.HOURS),
          Map.entry("m", ChronoUnit.MINUTES),
          Map.entry("min", ChronoUnit.MINUTES),
          Map.entry("minute", ChronoUnit.MINUTES),
          Map.entry("minutes", ChronoUnit.MINUTES),
          Map.entry("s", ChronoUnit.SECONDS),
          Map.entry("sec", ChronoUnit.SECONDS),
          Map.entry("secs", ChronoUnit.SECONDS),
          Map.entry("second", ChronoUnit.SECONDS),
          Map.entry("seconds", ChronoUnit.SECONDS),
          Map.entry("ms", ChronoUnit.MILLIS),
          Map.entry("milli", ChronoUnit.MILLIS),
          Map.entry("millis", ChronoUnit.MILLIS),
          Map.entry("millisecond", ChronoUnit.MILLIS),
          Map.entry("milliseconds", ChronoUnit.MILLIS),
          Map.entry("µs", ChronoUnit.MICROS),
          Map.entry("micro", ChronoUnit.MICROS),
          Map.entry("micros", ChronoUnit.MICROS),
          Map.entry("microsecond", ChronoUnit.MICROS),
          Map.entry("microseconds", ChronoUnit.MICROS),
          Map.entry("ns", ChronoUnit.NANOS),
          Map.entry("nano", ChronoUnit.NANOS),
          Map.entry("nanos", ChronoUnit.NANOS),
          Map.entry("nanosecond", ChronoUnit.NANOS),
          Map.entry("nanoseconds", ChronoUnit.NANOS));

  /** The power of two of each unit of size. */
  private static final Map<String, Integer> SIZE_UNITS =
      Map.ofEntries(
          Map.entry("", 0),
          Map.entry("b", 0),
          Map.entry("bytes", 0),
          Map.entry("k", 10),
          Map.entry("kb", 10),
          Map.entry("kibibytes", 10),
          Map.entry("m", 20),
          Map.entry("mb", 20),
          Map.entry("mebibytes", 20),
          Map.entry("g", 30),
          Map.entry("gb", 30),
          Map.entry("gibibytes", 30),
          Map.entry("t", 40),
          Map.entry("tb", 40),
          Map.entry("tebibytes", 40));

  private OptionValues() {}

  /** Parses a value or throws IllegalArgumentException or ArithmeticException. */
  @FunctionalInterface
  interface Parser<T> {
    T parse(String value);
  }

  /** What is wrong with a value of an option, as the end of a sentence; empty if nothing is. */
  static Optional<String> problem(Option option, String value) {
    try {
      switch (option.kind()) {
        case STRING, FILE -> {}
        case INTEGER -> integer(value);
        case DECIMAL -> decimal(value);
        case BOOLEAN -> bool(value);
        case DURATION -> duration(value);
        case BYTES -> bytes(value);
        case CHOICE -> {
          if (option.choices().stream().noneMatch(value::equalsIgnoreCase)) {
            return Optional.of(expectation(option));
          }
        }
      }
      return Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException e) {
      return Optional.of(expectation(option));
    }
  }

  /** What to say of a value that does not fit an option. */
  static String expectation(Option option) {
    return switch (option.kind()) {
      case STRING, FILE -> "is not allowed";
      case INTEGER -> "is not a whole number";
      case DECIMAL -> "is not a number";
      case BOOLEAN -> "is not one of true, false";
      case DURATION -> "is not a duration; write it as 500 ms, 5 s, 1 min, 2 h or 7 d";
      case BYTES -> "is not a size; write it as 512 b, 64 kb, 16 mb or 1 gb";
      case CHOICE -> "is not one of " + String.join(", ", option.choices());
    };
  }

  static long integer(String value) {
    return Long.parseLong(value.trim());
  }

  static BigDecimal decimal(String value) {
    return new BigDecimal(value.trim());
  }

  static boolean bool(String value) {
    return switch (value.trim().toUpperCase(Locale.ROOT)) {
      case "TRUE" -> true;
      case "FALSE" -> false;
      default -> throw new IllegalArgumentException(value);
    };
  }

  /** Up to what fits into 64 bits of nanoseconds, 292 years, so that nobody need mind overflow. */
  static Duration duration(String value) {
    Duration duration = parseDuration(value.trim());
    if (duration.isNegative() || duration.toNanos() < 0) {
      throw new IllegalArgumentException(value);
    }
    return duration;
  }

  private static Duration parseDuration(String trimmed) {
    if (trimmed.startsWith("P") || trimmed.startsWith("p")) {
      try {
        return Duration.parse(trimmed);
      } catch (DateTimeParseException e) {
        throw new IllegalArgumentException(trimmed, e);
      }
    }
    int digits = digits(trimmed);
    ChronoUnit unit = TIME_UNITS.get(unit(trimmed, digits));
    if (unit == null) {
      throw new IllegalArgumentException(trimmed);
    }
    return Duration.of(Long.parseLong(trimmed.substring(0, digits)), unit);
  }

  static long bytes(String value) {
    String trimmed = value.trim();
    int digits = digits(trimmed);
    Integer power = SIZE_UNITS.get(unit(trimmed, digits));
    if (power == null) {
      throw new IllegalArgumentException(value);
    }
    return Math.multiplyExact(Long.parseLong(trimmed.substring(0, digits)), 1L << power);
  }

  private static int digits(String value) {
    int digits = 0;
    while (digits < value.length() && value.charAt(digits) >= '0' && value.charAt(digits) <= '9') {
      digits++;
    }
    return digits;
  }

  private static String unit(String value, int digits) {
    return value.substring(digits).trim().toLowerCase(Locale.ROOT);
  }
}
