package io.sedge.engine.expression.internal;

import java.time.LocalDate;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Units of time as steps along the microseconds of a clock without a zone. */
final class TimeUnits {
  private TimeUnits() {}

  /** The length of a unit that has one, in microseconds; else 0. */
  static long micros(String unit) {
    return switch (unit) {
      case "MICROSECOND" -> 1;
      case "MILLISECOND" -> Times.MICROS_PER_MILLI;
      case "SECOND" -> Times.MICROS_PER_SECOND;
      case "MINUTE" -> Times.MICROS_PER_MINUTE;
      case "HOUR" -> Times.MICROS_PER_HOUR;
      case "DAY" -> Times.MICROS_PER_DAY;
      case "WEEK" -> 7 * Times.MICROS_PER_DAY;
      default -> 0;
    };
  }

  /** The length of a unit of whole months, in months; else 0. */
  static int months(String unit) {
    return switch (unit) {
      case "MONTH" -> 1;
      case "QUARTER" -> 3;
      case "YEAR" -> 12;
      case "DECADE" -> 120;
      case "CENTURY" -> 1_200;
      case "MILLENNIUM" -> 12_000;
      default -> 0;
    };
  }

  /**
   * The begin of the unit that a time lies in; weeks begin on Sunday. Null if there is no such
   * unit.
   */
  static @Nullable LongUnaryOperator floor(String unit) {
    return switch (unit) {
      case "WEEK" -> byDate(date -> date.minusDays(date.getDayOfWeek().getValue() % 7));
      case "MONTH" -> byDate(date -> date.withDayOfMonth(1));
      case "QUARTER" ->
          byDate(date -> LocalDate.of(date.getYear(), (date.getMonthValue() - 1) / 3 * 3 + 1, 1));
      case "YEAR" -> byDate(date -> date.withDayOfYear(1));
      case "DECADE" -> byDate(date -> LocalDate.of(Math.floorDiv(date.getYear(), 10) * 10, 1, 1));
      case "CENTURY" ->
          byDate(date -> LocalDate.of(Math.floorDiv(date.getYear() - 1, 100) * 100 + 1, 1, 1));
      case "MILLENNIUM" ->
          byDate(date -> LocalDate.of(Math.floorDiv(date.getYear() - 1, 1000) * 1000 + 1, 1, 1));
      default -> {
        long step = micros(unit);
        yield step == 0 ? null : micros -> Math.floorDiv(micros, step) * step;
      }
    };
  }

  /**
   * The begin of the unit that a time lies in if the time is that, else of the next one. For weeks
   * and more the time of the day does not count, as in Flink.
   */
  static @Nullable LongUnaryOperator ceil(String unit) {
    LongUnaryOperator floor = floor(unit);
    if (floor == null) {
      return null;
    }
    int months = months(unit);
    long step = micros(unit);
    boolean byDate = months > 0 || unit.equals("WEEK");
    return micros -> {
      long time = byDate ? dayTowards1970(micros) * Times.MICROS_PER_DAY : micros;
      long below = floor.applyAsLong(time);
      if (below == time) {
        return time;
      }
      return months > 0 ? plusMonths(below, months) : below + step;
    };
  }

  private static LongUnaryOperator byDate(UnaryOperator<LocalDate> operator) {
    return micros ->
        operator.apply(LocalDate.ofEpochDay(dayTowards1970(micros))).toEpochDay()
            * Times.MICROS_PER_DAY;
  }

  /** The day by Flink's division, which for times before 1970 gives the day after. */
  private static long dayTowards1970(long micros) {
    return Math.floorDiv(micros, Times.MICROS_PER_MILLI) / Times.MILLIS_PER_DAY;
  }

  /** A time so many months later; a day that the month lacks is its last. */
  static long plusMonths(long micros, long months) {
    LocalDate date = Times.date(Times.dayOf(micros)).plusMonths(months);
    return date.toEpochDay() * Times.MICROS_PER_DAY + Times.microsOfDay(micros);
  }

  /** The whole months from one time to another, negative if that is before it. */
  static long monthsBetween(long from, long to) {
    int fromDay = Times.dayOf(from);
    int toDay = Times.dayOf(to);
    if (toDay < fromDay) {
      long months = -monthsBetweenDays(toDay, fromDay);
      return reaches(toDay, fromDay, months) && Times.microsOfDay(to) < Times.microsOfDay(from)
          ? months - 1
          : months;
    }
    long months = monthsBetweenDays(fromDay, toDay);
    return reaches(toDay, fromDay, months) && Times.microsOfDay(to) < Times.microsOfDay(from)
        ? months - 1
        : months;
  }

  private static boolean reaches(int toDay, int fromDay, long months) {
    return Times.date(fromDay).plusMonths(months).toEpochDay() == toDay;
  }

  /** The most months that may be added to a day without passing another, which is not before it. */
  private static long monthsBetweenDays(int fromDay, int toDay) {
    LocalDate from = Times.date(fromDay);
    long months = ((long) toDay - fromDay) / 31;
    while (from.plusMonths(months + 1).toEpochDay() <= toDay) {
      months++;
    }
    return months;
  }
}
