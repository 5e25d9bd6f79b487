package io.sedge.center.store.internal;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;

/**
 * Dates and times as SQL writes them, whose order as text is their order in time. It remembers the
 * day that it has written last, since rows follow each other in time. One thread.
 */
final class TimeText {
  /** The first day of year 1 and the last of year 9999, as days since 1970. */
  private static final long FIRST_DAY = LocalDate.of(1, 1, 1).toEpochDay();

  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long MICROS_PER_DAY = TimeUnit.DAYS.toMicros(1);
  private static final int MICROS_PER_SECOND = 1_000_000;
  private static final int MILLIS_PER_SECOND = 1_000;
  private static final int MICRO_DIGITS = 6;
  private static final int MILLI_DIGITS = 3;
  private static final int DATE_LENGTH = 10;

  private final Repairs repairs;

  /** A date, a blank, a time and its fraction. */
  private final byte[] text = "0000-00-00 00:00:00.000000".getBytes(StandardCharsets.US_ASCII);

  private long day = Long.MIN_VALUE;

  TimeText(Repairs repairs) {
    this.repairs = repairs;
  }

  /** {@code YYYY-MM-DD}. */
  String date(long days) {
    writeDate(repairs.clamp(days, FIRST_DAY, LAST_DAY));
    return string(0, DATE_LENGTH);
  }

  /**
   * {@code YYYY-MM-DD HH:MM:SS} and the fraction.
   *
   * @param digits of the fraction, 0 to 6
   */
  String timestamp(long micros, int digits) {
    long fitting =
        repairs.clamp(micros, FIRST_DAY * MICROS_PER_DAY, (LAST_DAY + 1) * MICROS_PER_DAY - 1);
    writeDate(Math.floorDiv(fitting, MICROS_PER_DAY));
    long ofDay = Math.floorMod(fitting, MICROS_PER_DAY);
    return string(
        0,
        writeTime(
            (int) (ofDay / MICROS_PER_SECOND),
            (int) (ofDay % MICROS_PER_SECOND),
            MICRO_DIGITS,
            digits));
  }

  /** {@code HH:MM:SS} and the fraction. */
  String time(int millis, int digits) {
    int end =
        writeTime(millis / MILLIS_PER_SECOND, millis % MILLIS_PER_SECOND, MILLI_DIGITS, digits);
    return string(DATE_LENGTH + 1, end);
  }

  private String string(int from, int to) {
    return new String(text, from, to - from, StandardCharsets.US_ASCII);
  }

  private void writeDate(long newDay) {
    if (newDay == day) {
      return;
    }
    day = newDay;
    LocalDate date = LocalDate.ofEpochDay(newDay);
    digits(0, date.getYear(), 4);
    digits(5, date.getMonthValue(), 2);
    digits(8, date.getDayOfMonth(), 2);
  }

  /** Writes a time and returns where it ends. */
  private int writeTime(int secondOfDay, int fraction, int fractionDigits, int wanted) {
    int at = DATE_LENGTH + 1;
    digits(at, secondOfDay / 3_600, 2);
    digits(at + 3, secondOfDay / 60 % 60, 2);
    digits(at + 6, secondOfDay % 60, 2);
    digits(at + 9, fraction, fractionDigits);
    int shown = Math.min(wanted, fractionDigits);
    return shown == 0 ? at + 8 : at + 9 + shown;
  }

  private void digits(int at, int value, int count) {
    int rest = value;
    for (int i = at + count - 1; i >= at; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }
}
