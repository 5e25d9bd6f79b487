package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.internal.RowFunctions.Body;
import io.sedge.engine.expression.internal.RowFunctions.Row;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Times from strings and numbers, and strings from times, by patterns of letters. */
public final class TimeFormatFunctions {
  private static final String DEFAULT_PATTERN = "yyyy-MM-dd HH:mm:ss";
  private static final int SECONDS = 0;
  private static final long FIRST_MICROS = Times.micros(LocalDate.of(0, 1, 1).atStartOfDay());
  private static final long LAST_MICROS =
      Times.micros(LocalDate.of(10_000, 1, 1).atStartOfDay()) - 1;

  private TimeFormatFunctions() {}

  public static void register(FunctionTable table, ZoneId zone) {
    dateFormat(table, zone);
    RowFunctions.add(
        table, "TO_DATE", "s[s]", true, TimeFormatFunctions::legacy, (types, result) -> toDate());
    RowFunctions.add(
        table,
        "TO_TIMESTAMP",
        "s[s]",
        true,
        TimeFormatFunctions::patternAndZone,
        (types, result) -> toTimestamp(result));
    RowFunctions.add(
        table,
        "TO_TIMESTAMP_LTZ",
        "n[i]",
        true,
        constants -> {
          var _ = precision(constants);
        },
        (types, result) ->
            types.getFirst().kind() == Kind.NULL ? null : row -> cutIfAny(ofNumber(row), result));
    RowFunctions.add(
        table,
        "TO_TIMESTAMP_LTZ",
        "s[s][s]",
        true,
        TimeFormatFunctions::patternAndZone,
        (types, result) -> toInstant(result));
    RowFunctions.add(
        table,
        "FROM_UNIXTIME",
        "i[s]",
        true,
        TimeFormatFunctions::legacy,
        (types, result) -> {
          LegacyFormats formats = new LegacyFormats();
          return row -> formats.format(row.wide(0) * 1_000, pattern(row, 1), zone);
        });
    RowFunctions.add(
        table,
        "UNIX_TIMESTAMP",
        "s[s]",
        true,
        TimeFormatFunctions::legacy,
        (types, result) -> {
          LegacyFormats formats = new LegacyFormats();
          return row -> {
            Long millis = formats.parse(row.text(0), pattern(row, 1), zone);
            return millis == null ? (Long) Long.MIN_VALUE : (Long) (millis / 1_000);
          };
        });
    RowFunctions.add(table, "CONVERT_TZ", "sss", true, (types, result) -> convertZone());
  }

  private static String pattern(Row row, int index) {
    return row.size() > index ? row.text(index) : DEFAULT_PATTERN;
  }

  /** Of times by the patterns of java.time, of strings by those of older functions, as in Flink. */
  private static void dateFormat(FunctionTable table, ZoneId zone) {
    RowFunctions.add(
        table,
        "DATE_FORMAT",
        "ds",
        true,
        constants -> {
          if (constants.has(1)) {
            format(0, formatter(constants.text(1)), constants);
          }
        },
        (types, result) -> dateFormat(types.getFirst(), zone));
    RowFunctions.add(
        table,
        "DATE_FORMAT",
        "ss",
        true,
        TimeFormatFunctions::legacy,
        (types, result) -> {
          LegacyFormats formats = new LegacyFormats();
          return row -> {
            Long millis = formats.parse(row.text(0), DEFAULT_PATTERN, ZoneOffset.UTC);
            return millis == null ? null : formats.format(millis, row.text(1), ZoneOffset.UTC);
          };
        });
  }

  private static @Nullable Body dateFormat(Type from, ZoneId zone) {
    Cache<DateTimeFormatter> formatters = new Cache<>(TimeFormatFunctions::formatter);
    return switch (from.kind()) {
      case TIMESTAMP -> row -> format(row.wide(0), formatters.get(row.text(1)), row);
      case TIMESTAMP_LTZ ->
          row -> format(Times.toLocal(row.wide(0), zone), formatters.get(row.text(1)), row);
      default -> null;
    };
  }

  /** A pattern of the older functions, where it is constant. */
  private static void legacy(Row constants) {
    if (constants.has(1)) {
      var _ = new LegacyFormats().format(0, constants.text(1), ZoneOffset.UTC);
    }
  }

  private static void patternAndZone(Row constants) {
    if (constants.has(1)) {
      var _ = formatter(constants.text(1));
    }
    if (constants.has(2)) {
      var _ = zone(constants.text(2));
    }
  }

  private static String format(long micros, DateTimeFormatter formatter, Row row) {
    try {
      return Times.dateTime(micros).format(formatter);
    } catch (DateTimeException unfit) {
      throw new EvaluationException(
          "DATE_FORMAT with '%s': %s; allowed are letters of dates and times of day"
              .formatted(row.text(1), unfit.getMessage()),
          unfit);
    }
  }

  private static DateTimeFormatter formatter(String pattern) {
    try {
      return DateTimeFormatter.ofPattern(pattern, Locale.US);
    } catch (IllegalArgumentException malformed) {
      throw new EvaluationException(
          "'%s' is not a pattern of a time such as 'yyyy-MM-dd HH:mm:ss.SSS': %s"
              .formatted(pattern, malformed.getMessage()),
          malformed);
    }
  }

  private static Body toDate() {
    LegacyFormats formats = new LegacyFormats();
    return row -> {
      if (row.size() == 1) {
        return Times.parseDate(row.text(0));
      }
      Long millis = formats.parse(row.text(0), row.text(1), ZoneOffset.UTC);
      return millis == null
          ? null
          : (Integer) (int) Math.floorDiv(millis, (long) Times.MILLIS_PER_DAY);
    };
  }

  private static Body toTimestamp(Type result) {
    Cache<DateTimeFormatter> formatters = new Cache<>(TimeFormatFunctions::formatter);
    return row -> {
      Long micros =
          row.size() == 1
              ? Times.parseTimestamp(row.text(0))
              : parse(row.text(0), formatters.get(row.text(1)));
      return cutIfAny(micros, result);
    };
  }

  private static Body toInstant(Type result) {
    Cache<DateTimeFormatter> formatters = new Cache<>(TimeFormatFunctions::formatter);
    Cache<ZoneId> zones = new Cache<>(TimeFormatFunctions::zone);
    return row -> {
      if (row.size() == 1) {
        Long micros = Times.parseTimestamp(row.text(0));
        if (micros == null) {
          throw new EvaluationException(
              "TO_TIMESTAMP_LTZ('%s'): a timestamp is yyyy-MM-dd HH:mm:ss.SSS; with a pattern as second argument one that does not fit is NULL"
                  .formatted(row.text(0)));
        }
        return cut(micros, result);
      }
      Long micros = parse(row.text(0), formatters.get(row.text(1)));
      if (micros == null) {
        return null;
      }
      ZoneId zone = row.size() > 2 ? zones.get(row.text(2)) : ZoneOffset.UTC;
      return Times.toInstant(cut(micros, result), zone);
    };
  }

  private static @Nullable Long cutIfAny(@Nullable Long micros, Type result) {
    return micros == null ? null : (Long) cut(micros, result);
  }

  private static long cut(long micros, Type result) {
    long step = result.precision() <= 3 ? Times.MICROS_PER_MILLI : 1;
    return Math.floorDiv(micros, step) * step;
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      throw new EvaluationException(
          "'%s' is not a time zone; allowed are names such as Europe/Berlin and offsets such as +01:00"
              .formatted(name),
          unknown);
    }
  }

  /**
   * A number of units of ten to the minus precision seconds: seconds for 0, milliseconds for 3;
   * null if that is outside the years 0 to 9999.
   */
  private static @Nullable Long ofNumber(Row row) {
    int precision = precision(row);
    Object value = row.get(0);
    if (value instanceof Double || value instanceof Float) {
      double real = row.real(0);
      return precision == SECONDS
          ? scaled((long) (real * 1_000), 3)
          : scaled((long) real, precision);
    }
    return scaled(
        value instanceof BigDecimal decimal ? decimal.longValue() : row.wide(0), precision);
  }

  private static int precision(Row row) {
    int precision = row.has(1) ? row.integer(1) : 3;
    if (precision < 0 || precision > 9) {
      throw new EvaluationException(
          "TO_TIMESTAMP_LTZ with precision %d: allowed are 0 to 9".formatted(precision));
    }
    return precision;
  }

  private static @Nullable Long scaled(long value, int precision) {
    long factor = 1;
    for (int i = Math.min(precision, 6); i < Math.max(precision, 6); i++) {
      factor *= 10;
    }
    if (precision <= 6 && (value < FIRST_MICROS / factor || value > LAST_MICROS / factor)) {
      return null;
    }
    long micros = precision <= 6 ? value * factor : Math.floorDiv(value, factor);
    return micros < FIRST_MICROS || micros > LAST_MICROS ? null : (Long) micros;
  }

  /**
   * What a pattern leaves out is the begin of 1970, or of the part that it names. What does not fit
   * it may still be of the form {@code yyyy-MM-dd HH:mm:ss}, as in Flink.
   */
  private static @Nullable Long parse(String text, DateTimeFormatter formatter) {
    TemporalAccessor parsed;
    try {
      parsed = formatter.parse(text);
    } catch (DateTimeParseException unfit) {
      return Times.parseTimestamp(text.strip());
    }
    LocalDate date =
        LocalDate.of(
            field(parsed, ChronoField.YEAR, 1970),
            field(parsed, ChronoField.MONTH_OF_YEAR, 1),
            field(parsed, ChronoField.DAY_OF_MONTH, 1));
    long seconds =
        (field(parsed, ChronoField.HOUR_OF_DAY, 0) * 60L
                    + field(parsed, ChronoField.MINUTE_OF_HOUR, 0))
                * 60
            + field(parsed, ChronoField.SECOND_OF_MINUTE, 0);
    return date.toEpochDay() * Times.MICROS_PER_DAY
        + seconds * Times.MICROS_PER_SECOND
        + field(parsed, ChronoField.MICRO_OF_SECOND, 0);
  }

  private static int field(TemporalAccessor parsed, ChronoField field, int absent) {
    return parsed.isSupported(field) ? parsed.get(field) : absent;
  }

  private static Body convertZone() {
    LegacyFormats formats = new LegacyFormats();
    return row -> {
      Long millis = formats.parse(row.text(0), DEFAULT_PATTERN, LegacyFormats.zone(row.text(1)));
      return millis == null
          ? null
          : formats.format(millis, DEFAULT_PATTERN, LegacyFormats.zone(row.text(2)));
    };
  }

  /** What patterns and names were prepared last; emptied when it is full. */
  private static final class Cache<T> {
    private static final int CAPACITY = 64;

    private final Function<String, T> factory;
    private final java.util.Map<String, T> known = new java.util.HashMap<>();

    Cache(Function<String, T> factory) {
      this.factory = factory;
    }

    T get(String key) {
      T found = known.get(key);
      if (found == null) {
        found = factory.apply(key);
        if (known.size() == CAPACITY) {
          known.clear();
        }
        known.put(key, found);
      }
      return found;
    }
  }
}
