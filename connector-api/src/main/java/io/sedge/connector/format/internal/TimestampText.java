package io.sedge.connector.format.internal;

import static java.time.format.DateTimeFormatter.ISO_LOCAL_DATE;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Locale;

/**
 * How the formats write timestamps: {@code SQL} is {@code 2026-01-31 12:00:00.5}, {@code ISO-8601}
 * is {@code 2026-01-31T12:00:00.5}; TIMESTAMP_LTZ has a {@code Z} at its end, or, when ISO-8601 is
 * read, another offset, which Flink does not take. What the usual form does not cover is left to
 * formatters that are built as Flink builds its own.
 */
enum TimestampText {
  SQL(' '),
  ISO('T');

  /** Length of {@code 2026-01-31 12:00:00}. */
  private static final int SECONDS_LENGTH = 19;

  private static final long MICROS_PER_SECOND = 1_000_000;

  static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .appendPattern("HH:mm:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .toFormatter(Locale.ROOT);

  private final char separator;
  private final DateTimeFormatter local;
  private final DateTimeFormatter zoned;

  TimestampText(char separator) {
    this.separator = separator;
    if (separator == 'T') {
      local = DateTimeFormatter.ISO_LOCAL_DATE_TIME;
      zoned = builder(DateTimeFormatter.ISO_LOCAL_TIME).appendLiteral('Z').toFormatter();
    } else {
      DateTimeFormatter time =
          new DateTimeFormatterBuilder()
              .appendPattern("HH:mm:ss")
              .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
              .toFormatter(Locale.ROOT);
      local = builder(time).toFormatter();
      zoned = builder(time).appendLiteral('Z').toFormatter();
    }
  }

  private DateTimeFormatterBuilder builder(DateTimeFormatter time) {
    return new DateTimeFormatterBuilder()
        .append(ISO_LOCAL_DATE)
        .appendLiteral(separator)
        .append(time);
  }

  /** The option's values, in the order of the constants. */
  static TimestampText of(String option) {
    return option.equals("SQL") ? SQL : ISO;
  }

  /**
   * Microseconds of a timestamp in its usual form, or {@link Long#MIN_VALUE} for {@link #parse} to
   * say whether it is one.
   */
  long parse(byte[] bytes, int from, int to, boolean withZone) {
    int last = withZone ? to - 1 : to;
    if (last - from < SECONDS_LENGTH
        || (withZone && bytes[last] != 'Z')
        || bytes[from + 4] != '-'
        || bytes[from + 7] != '-'
        || bytes[from + 10] != separator
        || bytes[from + 13] != ':'
        || bytes[from + 16] != ':') {
      return Long.MIN_VALUE;
    }
    int century = pair(bytes, from);
    int yearOfCentury = pair(bytes, from + 2);
    int month = pair(bytes, from + 5);
    int day = pair(bytes, from + 8);
    int hour = pair(bytes, from + 11);
    int minute = pair(bytes, from + 14);
    int second = pair(bytes, from + 17);
    if ((century | yearOfCentury | month | day | hour | minute | second) < 0
        || month < 1
        || month > 12
        || day < 1
        || (day > 28 && day > LocalDate.of(century * 100 + yearOfCentury, month, 1).lengthOfMonth())
        || hour > 23
        || minute > 59
        || second > 59) {
      return Long.MIN_VALUE;
    }
    long micros = 0;
    if (last - from > SECONDS_LENGTH) {
      micros = fraction(bytes, from + SECONDS_LENGTH, last);
      if (micros < 0) {
        return Long.MIN_VALUE;
      }
    }
    long days = epochDay(century * 100 + yearOfCentury, month, day);
    return (days * 86_400 + hour * 3_600L + minute * 60L + second) * MICROS_PER_SECOND + micros;
  }

  /**
   * Microseconds of a timestamp.
   *
   * @throws DateTimeException if it is none
   * @throws ArithmeticException if it is too far from 1970 for 64 bits
   */
  long parse(String text, boolean withZone) {
    if (withZone && this == ISO && !text.endsWith("Z")) {
      return ChronoUnit.MICROS.between(Instant.EPOCH, OffsetDateTime.parse(text));
    }
    TemporalAccessor parsed = (withZone ? zoned : local).parse(text);
    LocalDate date = parsed.query(TemporalQueries.localDate());
    LocalTime time = parsed.query(TemporalQueries.localTime());
    if (date == null || time == null) {
      throw new DateTimeException(text);
    }
    long second = LocalDateTime.of(date, time).toEpochSecond(ZoneOffset.UTC);
    return Math.addExact(
        Math.multiplyExact(second, MICROS_PER_SECOND), time.get(ChronoField.MICRO_OF_SECOND));
  }

  String format(long micros, boolean withZone) {
    LocalDateTime time =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1_000,
            ZoneOffset.UTC);
    return (withZone ? zoned : local).format(time);
  }

  /** The number that two digits give, or a negative one if they are none. */
  private static int pair(byte[] bytes, int at) {
    int tens = bytes[at] - '0';
    int ones = bytes[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }

  /** Microseconds of {@code .123456789}, what is finer cut off, or -1. */
  private static int fraction(byte[] bytes, int from, int to) {
    int digits = to - from - 1;
    if (bytes[from] != '.' || digits > 9) {
      return -1;
    }
    int micros = 0;
    for (int i = 1; i <= Math.max(6, digits); i++) {
      int digit = i <= digits ? bytes[from + i] - '0' : 0;
      if (digit < 0 || digit > 9) {
        return -1;
      }
      if (i <= 6) {
        micros = micros * 10 + digit;
      }
    }
    return micros;
  }

  /** Days since 1970-01-01 in the proleptic Gregorian calendar; years from 0. */
  private static long epochDay(int year, int month, int day) {
    int shiftedYear = month <= 2 ? year - 1 : year;
    int era = Math.floorDiv(shiftedYear, 400);
    int yearOfEra = shiftedYear - era * 400;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097L + dayOfEra - 719_468;
  }
}
