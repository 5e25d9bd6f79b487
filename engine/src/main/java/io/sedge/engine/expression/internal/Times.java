package io.sedge.engine.expression.internal;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import org.jspecify.annotations.Nullable;

/** Times as the engine keeps them: microseconds, milliseconds of the day, days. */
final class Times {
  static final long MICROS_PER_MILLI = 1_000;
  static final long MICROS_PER_SECOND = 1_000_000;
  static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
  static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
  static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;
  static final int MILLIS_PER_DAY = 86_400_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private Times() {}

  static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO,
        ZoneOffset.UTC);
  }

  static long micros(LocalDateTime time) {
    long seconds = time.toEpochSecond(ZoneOffset.UTC);
    return seconds * MICROS_PER_SECOND + time.get(ChronoField.MICRO_OF_SECOND);
  }

  /** The local time at an instant. */
  static long toLocal(long instantMicros, ZoneId zone) {
    return instantMicros + offsetMicros(instantMicros, zone);
  }

  private static long offsetMicros(long instantMicros, ZoneId zone) {
    Instant instant = Instant.ofEpochSecond(Math.floorDiv(instantMicros, MICROS_PER_SECOND));
    return zone.getRules().getOffset(instant).getTotalSeconds() * MICROS_PER_SECOND;
  }

  /**
   * The instant of a local time: the earlier one where a clock was turned back, as much later as it
   * was turned on where the time was skipped.
   */
  static long toInstant(long localMicros, ZoneId zone) {
    LocalDateTime local = dateTime(localMicros);
    int offset = local.atZone(zone).getOffset().getTotalSeconds();
    ZoneOffset valid = zone.getRules().getOffset(local);
    int used = zone.getRules().getValidOffsets(local).isEmpty() ? valid.getTotalSeconds() : offset;
    return localMicros - used * MICROS_PER_SECOND;
  }

  static int dayOf(long micros) {
    return (int) Math.floorDiv(micros, MICROS_PER_DAY);
  }

  static long microsOfDay(long micros) {
    return Math.floorMod(micros, MICROS_PER_DAY);
  }

  static LocalDate date(int days) {
    return LocalDate.ofEpochDay(days);
  }

  /** Cuts digits off, below milliseconds towards the past, above them towards 1970, as Flink. */
  static long truncated(long micros, int precision) {
    if (precision >= 6) {
      return micros;
    }
    if (precision >= 3) {
      long step = precision == 5 ? 10 : precision == 4 ? 100 : MICROS_PER_MILLI;
      return Math.floorDiv(micros, step) * step;
    }
    long millis = Math.floorDiv(micros, MICROS_PER_MILLI);
    long step = precision == 2 ? 10 : precision == 1 ? 100 : 1_000;
    return millis / step * step * MICROS_PER_MILLI;
  }

  /** {@code yyyy-MM-dd HH:mm:ss} and as many digits of the fraction. */
  static String text(long micros, int digits) {
    StringBuilder text = new StringBuilder(26);
    LocalDateTime time = dateTime(micros);
    date(text, time.toLocalDate());
    text.append(' ');
    pad(text, time.getHour(), 2).append(':');
    pad(text, time.getMinute(), 2).append(':');
    pad(text, time.getSecond(), 2);
    if (digits > 0) {
      StringBuilder fraction = new StringBuilder();
      pad(fraction, time.get(ChronoField.MICRO_OF_SECOND), 6);
      text.append('.').append(fraction, 0, digits);
    }
    return text.toString();
  }

  static String dateText(int days) {
    return date(new StringBuilder(10), date(days)).toString();
  }

  /** {@code HH:mm:ss} and the digits of the fraction without zeros at the end. */
  static String timeText(int millis, int digits) {
    StringBuilder text = new StringBuilder(12);
    pad(text, millis / 3_600_000, 2).append(':');
    pad(text, millis / 60_000 % 60, 2).append(':');
    pad(text, millis / 1_000 % 60, 2);
    int fraction = millis % 1_000;
    if (digits > 0 && fraction > 0) {
      StringBuilder shown = new StringBuilder();
      pad(shown, fraction, 3);
      String cut = shown.substring(0, Math.min(digits, 3));
      int end = cut.length();
      while (end > 0 && cut.charAt(end - 1) == '0') {
        end--;
      }
      text.append(end > 0 ? "." : "").append(cut, 0, end);
    }
    return text.toString();
  }

  private static StringBuilder date(StringBuilder text, LocalDate date) {
    pad(text, date.getYear(), 4).append('-');
    pad(text, date.getMonthValue(), 2).append('-');
    return pad(text, date.getDayOfMonth(), 2);
  }

  static StringBuilder pad(StringBuilder text, int value, int width) {
    String digits = Integer.toString(value);
    for (int i = digits.length(); i < width; i++) {
      text.append('0');
    }
    return text.append(digits);
  }

  /** Days of {@code yyyy[-MM[-dd]]}, what follows a space is left aside; null if it is no date. */
  static @Nullable Integer parseDate(String string) {
    String text = Texts.trim(string);
    int space = text.indexOf(' ');
    String[] parts = (space < 0 ? text : text.substring(0, space)).split("-", -1);
    if (parts.length > 3) {
      return null;
    }
    int[] numbers = {0, 1, 1};
    for (int i = 0; i < parts.length; i++) {
      int number = number(parts[i], i == 0 ? 4 : 2);
      if (number < 0) {
        return null;
      }
      numbers[i] = number;
    }
    boolean exists =
        numbers[1] >= 1
            && numbers[1] <= 12
            && numbers[2] >= 1
            && numbers[2] <= LocalDate.of(numbers[0], numbers[1], 1).lengthOfMonth();
    return exists ? (int) LocalDate.of(numbers[0], numbers[1], numbers[2]).toEpochDay() : null;
  }

  /** Milliseconds of {@code HH[:mm[:ss[.fff]]]}; null if it is no time. */
  static @Nullable Integer parseTime(String string) {
    int point = string.indexOf('.');
    String[] parts = (point < 0 ? string : string.substring(0, point)).split(":", -1);
    if (parts.length > 3 || (point >= 0 && parts.length < 3)) {
      return null;
    }
    int[] numbers = {0, 0, 0};
    for (int i = 0; i < parts.length; i++) {
      numbers[i] = number(parts[i], 2);
      if (numbers[i] < 0 || numbers[i] > (i == 0 ? 23 : 59)) {
        return null;
      }
    }
    long fraction = point < 0 ? 0 : fraction(string.substring(point + 1));
    return fraction < 0
        ? null
        : ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1_000
            + (int) (fraction / MICROS_PER_MILLI);
  }

  /**
   * Microseconds of {@code yyyy-MM-dd[ HH:mm:ss[.fraction]]}; null if it is no timestamp. A day
   * after the month's last, up to 31, is its last; 24:00:00 is the next day's begin.
   */
  static @Nullable Long parseTimestamp(String text) {
    int space = text.indexOf(' ');
    String[] date = (space < 0 ? text : text.substring(0, space)).split("-", -1);
    if (date.length != 3 || date[0].length() != 4) {
      return null;
    }
    int year = number(date[0], 4);
    int month = number(date[1], 2);
    int day = number(date[2], 2);
    if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) {
      return null;
    }
    LocalDate first = LocalDate.of(year, month, 1);
    long days = first.withDayOfMonth(Math.min(day, first.lengthOfMonth())).toEpochDay();
    Long time = space < 0 ? (Long) 0L : parseMicrosOfDay(text.substring(space + 1));
    return time == null ? null : days * MICROS_PER_DAY + time;
  }

  private static @Nullable Long parseMicrosOfDay(String text) {
    int point = text.indexOf('.');
    String[] parts = (point < 0 ? text : text.substring(0, point)).split(":", -1);
    if (parts.length != 3) {
      return null;
    }
    int hour = number(parts[0], 2);
    int minute = number(parts[1], 2);
    int second = number(parts[2], 2);
    long fraction = point < 0 ? 0 : fraction(text.substring(point + 1));
    if (hour == 24 && minute == 0 && second == 0 && fraction == 0) {
      return MICROS_PER_DAY;
    }
    if (hour < 0
        || hour > 23
        || minute < 0
        || minute > 59
        || second < 0
        || second > 59
        || fraction < 0) {
      return null;
    }
    return ((hour * 60L + minute) * 60 + second) * MICROS_PER_SECOND + fraction;
  }

  /** The first six digits of a fraction of at most nine; -1 if it is none. */
  private static long fraction(String digits) {
    if (number(digits, 9) < 0) {
      return -1;
    }
    return Long.parseLong((digits + "000000").substring(0, 6));
  }

  /** A number of at most so many digits; -1 if it is none. */
  private static int number(String text, int width) {
    if (text.isEmpty() || text.length() > width) {
      return -1;
    }
    int value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
