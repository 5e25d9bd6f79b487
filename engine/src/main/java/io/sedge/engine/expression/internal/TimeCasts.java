package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.time.ZoneId;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Casts between times, and between times and strings. */
final class TimeCasts {
  private TimeCasts() {}

  static CastFunctions.@Nullable Conversion conversion(Type from, Type to, ZoneId zone) {
    LongUnaryOperator local =
        switch (from.kind()) {
          case TIMESTAMP -> LongUnaryOperator.identity();
          case TIMESTAMP_LTZ -> micros -> Times.toLocal(micros, zone);
          case DATE -> days -> days * Times.MICROS_PER_DAY;
          case TIME -> millis -> millis * Times.MICROS_PER_MILLI;
          default -> null;
        };
    if (local == null) {
      return null;
    }
    if (from.kind() == to.kind()) {
      return sameKind(from, to);
    }
    return switch (to.kind()) {
      case TIMESTAMP -> longs(micros -> Times.truncated(local.applyAsLong(micros), to.precision()));
      case TIMESTAMP_LTZ ->
          longs(
              micros ->
                  Times.toInstant(
                      Times.truncated(local.applyAsLong(micros), to.precision()), zone));
      case DATE ->
          switch (from.kind()) {
            case TIME -> null;
            case TIMESTAMP_LTZ -> ints(micros -> Times.dayOf(local.applyAsLong(micros)));
            default -> ints(micros -> wholeDays(local.applyAsLong(micros)));
          };
      case TIME ->
          from.kind() == Kind.DATE
              ? null
              : ints(micros -> timeOfDay(local.applyAsLong(micros), to.precision()));
      default -> null;
    };
  }

  private static CastFunctions.Conversion sameKind(Type from, Type to) {
    if (from.precision() <= to.precision()) {
      return (column, rows) -> column;
    }
    return from.kind() == Kind.TIME
        ? ints(millis -> timeOfDay(millis * Times.MICROS_PER_MILLI, to.precision()))
        : longs(micros -> Times.truncated(micros, to.precision()));
  }

  /** Whole days towards 1970: Flink divides a TIMESTAMP so, though not a TIMESTAMP_LTZ. */
  private static long wholeDays(long micros) {
    return Math.floorDiv(micros, Times.MICROS_PER_MILLI) / Times.MILLIS_PER_DAY;
  }

  private static long timeOfDay(long micros, int precision) {
    return Times.truncated(Times.microsOfDay(micros), Math.min(precision, 3))
        / Times.MICROS_PER_MILLI;
  }

  private static CastFunctions.Conversion longs(LongUnaryOperator operator) {
    return (column, rows) -> {
      long[] from = Numbers.longs(column);
      long[] values = new long[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = operator.applyAsLong(from[i]);
      }
      Masks.clear(values, column.nulls(), rows);
      return new LongColumn(values, column.nulls(), rows);
    };
  }

  private static CastFunctions.Conversion ints(LongUnaryOperator operator) {
    return (column, rows) -> {
      long[] from = Numbers.longs(column);
      int[] values = new int[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = (int) operator.applyAsLong(from[i]);
      }
      Masks.clear(values, column.nulls(), rows);
      return new IntColumn(values, column.nulls(), rows);
    };
  }

  static StringMemo.@Nullable Body parser(Type to, ZoneId zone) {
    return switch (to.kind()) {
      case DATE -> text -> found(Times.parseDate(text), text, to, "a date is yyyy-MM-dd");
      case TIME ->
          text ->
              (int)
                  timeOfDay(
                      found(Times.parseTime(text), text, to, "a time is HH:mm:ss")
                          * Times.MICROS_PER_MILLI,
                      to.precision());
      case TIMESTAMP -> text -> timestamp(text, to);
      case TIMESTAMP_LTZ -> text -> Times.toInstant(timestamp(text, to), zone);
      default -> null;
    };
  }

  private static long timestamp(String text, Type to) {
    long micros =
        found(Times.parseTimestamp(text), text, to, "a timestamp is yyyy-MM-dd HH:mm:ss.SSS");
    long step = 1;
    for (int digits = Math.min(to.precision(), 6); digits < 6; digits++) {
      step *= 10;
    }
    return Math.floorDiv(micros, step) * step;
  }

  private static <T> T found(@Nullable T value, String text, Type to, String format) {
    if (value == null) {
      throw Texts.unfit(text, to, format);
    }
    return value;
  }

  static CastFunctions.@Nullable TextOf textOf(Type from, ZoneId zone) {
    int digits = from.precision();
    return switch (from.kind()) {
      case DATE -> (column, row) -> Times.dateText(integer(column, row));
      case TIME -> (column, row) -> Times.timeText(integer(column, row), digits);
      case TIMESTAMP -> (column, row) -> Times.text(wide(column, row), digits);
      case TIMESTAMP_LTZ ->
          (column, row) -> Times.text(Times.toLocal(wide(column, row), zone), digits);
      case INTERVAL_DAY_TIME -> (column, row) -> dayTime(wide(column, row));
      case INTERVAL_YEAR_MONTH -> (column, row) -> yearMonth(integer(column, row));
      default -> null;
    };
  }

  private static int integer(Column column, int row) {
    return ((IntColumn) column).values()[row];
  }

  private static long wide(Column column, int row) {
    return ((LongColumn) column).values()[row];
  }

  private static String dayTime(long micros) {
    long size = Math.abs(micros);
    int millis = (int) (size % Times.MICROS_PER_DAY / Times.MICROS_PER_MILLI);
    StringBuilder text = new StringBuilder();
    text.append(micros < 0 ? '-' : '+').append(size / Times.MICROS_PER_DAY).append(' ');
    text.append(Times.timeText(millis, 0)).append('.');
    return Times.pad(text, millis % 1_000, 3).toString();
  }

  private static String yearMonth(int months) {
    int size = Math.abs(months);
    StringBuilder text = new StringBuilder();
    text.append(months < 0 ? '-' : '+').append(size / 12).append('-');
    return Times.pad(text, size % 12, 2).toString();
  }
}
