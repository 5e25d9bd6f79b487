package io.sedge.cli.internal.output;

import io.sedge.engine.type.Type;
import io.sedge.task.Printable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Values as people read them. Binary floating point is rounded to {@value #SIGNIFICANT_DIGITS}
 * significant digits; all else is exact. Immutable.
 */
public final class Cells {
  static final int SIGNIFICANT_DIGITS = 6;

  private static final MathContext ROUNDING = new MathContext(SIGNIFICANT_DIGITS);
  private static final double LEAST_PLAIN = 1e-4;
  private static final double GREATEST_PLAIN = 1e9;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_MICRO = 1000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final ZoneId zone;

  /**
   * @param zone in which instants (TIMESTAMP_LTZ) are shown
   */
  public Cells(ZoneId zone) {
    this.zone = zone;
  }

  /** Whether values of the type stand at the right of their column. */
  public static boolean isRightAligned(Type type) {
    return type.kind().isNumeric();
  }

  /** The text of a value in the form that {@link io.sedge.engine.column.Column#value} gives. */
  public String text(Type type, @Nullable Object value) {
    return value == null ? "NULL" : known(type, value);
  }

  private String known(Type type, Object value) {
    return switch (type.kind()) {
      case FLOAT, DOUBLE -> rounded(((Number) value).doubleValue());
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME ->
          pattern("HH:mm:ss", type.precision(), 3)
              .format(LocalTime.ofNanoOfDay((Integer) value * NANOS_PER_MILLI));
      case TIMESTAMP -> timestamp(type).format(dateTime((Long) value));
      case TIMESTAMP_LTZ ->
          timestamp(type)
              .format(
                  LocalDateTime.ofInstant(dateTime((Long) value).toInstant(ZoneOffset.UTC), zone));
      case ARRAY ->
          ((List<?>) value)
              .stream()
                  .map(element -> text(type.children().getFirst(), element))
                  .collect(Collectors.joining(", ", "[", "]"));
      case ROW -> row(type, (List<?>) value);
      case CHAR, VARCHAR -> Printable.text((String) value);
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL ->
          value.toString();
    };
  }

  private String row(Type type, List<?> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> text(type.children().get(i), values.get(i)))
        .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String rounded(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Double.toString(value);
    }
    if (value == 0) {
      return "0";
    }
    double magnitude = Math.abs(value);
    if (magnitude < LEAST_PLAIN || magnitude >= GREATEST_PLAIN) {
      return scientific(value);
    }
    BigDecimal exact = new BigDecimal(value).round(ROUNDING);
    BigDecimal whole = exact.scale() < 0 ? exact.setScale(0) : exact;
    return whole.stripTrailingZeros().scale() <= 0
        ? whole.toBigInteger().toString()
        : whole.stripTrailingZeros().toPlainString();
  }

  /** For example {@code 2.5559e10}. */
  private static String scientific(double value) {
    String text = String.format(Locale.ROOT, "%.5e", value);
    int exponent = text.indexOf('e');
    BigDecimal mantissa = new BigDecimal(text.substring(0, exponent)).stripTrailingZeros();
    return mantissa.toPlainString() + "e" + Integer.parseInt(text.substring(exponent + 1));
  }

  private static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        (int) (Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO),
        ZoneOffset.UTC);
  }

  /** The wall clock time of an instant in the zone of this. */
  public String clockTime(Instant instant) {
    return pattern("yyyy-MM-dd HH:mm:ss", 0, 0).format(LocalDateTime.ofInstant(instant, zone));
  }

  private static DateTimeFormatter timestamp(Type type) {
    return pattern("yyyy-MM-dd HH:mm:ss", type.precision(), Type.MAX_TIMESTAMP_PRECISION);
  }

  private static DateTimeFormatter pattern(String base, int precision, int limit) {
    int digits = Math.min(precision, limit);
    return DateTimeFormatter.ofPattern(
        digits == 0 ? base : base + "." + "S".repeat(digits), Locale.ROOT);
  }
}
