package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * EXTRACT and the functions named after a field, FLOOR and CEIL to a unit. The unit is a constant
 * string. A timestamp with a local zone is taken in the session's. Before 1970, EXTRACT divides
 * towards zero, as Flink does, so that hours, minutes and seconds come out negative.
 */
public final class TimeFieldFunctions {
  private static final long MILLIS_PER_DAY = Times.MILLIS_PER_DAY;

  private static final Map<String, ToLongFunction<LocalDate>> DATE_FIELDS =
      Map.ofEntries(
          Map.entry("YEAR", LocalDate::getYear),
          Map.entry("ISOYEAR", date -> date.get(IsoFields.WEEK_BASED_YEAR)),
          Map.entry("QUARTER", date -> date.get(IsoFields.QUARTER_OF_YEAR)),
          Map.entry("MONTH", LocalDate::getMonthValue),
          Map.entry("WEEK", date -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
          Map.entry("DAY", LocalDate::getDayOfMonth),
          Map.entry("DOY", LocalDate::getDayOfYear),
          Map.entry("DOW", date -> date.get(ChronoField.DAY_OF_WEEK) % 7 + 1),
          Map.entry("ISODOW", date -> date.get(ChronoField.DAY_OF_WEEK)),
          Map.entry("DECADE", date -> Math.floorDiv(date.getYear(), 10)),
          Map.entry("CENTURY", date -> Math.floorDiv(date.getYear() + 99, 100)),
          Map.entry("MILLENNIUM", date -> Math.floorDiv(date.getYear() + 999, 1000)));

  /** Milliseconds of the day to the field. */
  private static final Map<String, LongUnaryOperator> DAY_FIELDS =
      Map.of(
          "HOUR", millis -> millis / 3_600_000,
          "MINUTE", millis -> millis / 60_000 % 60,
          "SECOND", millis -> millis / 1_000 % 60,
          "MILLISECOND", millis -> millis % 1_000,
          "MICROSECOND", millis -> millis % 1_000 * 1_000,
          "NANOSECOND", millis -> millis % 1_000 * 1_000_000);

  private static final Map<String, String> NAMED =
      Map.of(
          "YEAR", "YEAR",
          "QUARTER", "QUARTER",
          "MONTH", "MONTH",
          "WEEK", "WEEK",
          "DAYOFYEAR", "DOY",
          "DAYOFMONTH", "DAY",
          "DAYOFWEEK", "DOW",
          "HOUR", "HOUR",
          "MINUTE", "MINUTE",
          "SECOND", "SECOND");

  private TimeFieldFunctions() {}

  public static void register(FunctionTable table, ZoneId zone) {
    table.add(
        "EXTRACT",
        2,
        (arguments, result) -> {
          String unit = unit(arguments.getFirst());
          return unit == null ? null : extract(unit, arguments.getLast().type(), 1, result, zone);
        });
    NAMED.forEach(
        (name, unit) ->
            table.add(
                name,
                1,
                (arguments, result) ->
                    extract(unit, arguments.getFirst().type(), 0, result, zone)));
    table.add("FLOOR", 2, (arguments, result) -> bindRound(arguments, false, zone));
    table.add("CEIL", 2, (arguments, result) -> bindRound(arguments, true, zone));
    table.add("CEILING", 2, (arguments, result) -> bindRound(arguments, true, zone));
  }

  /** The unit that a constant names; null if the expression is no constant string. */
  static @Nullable String unit(Expression expression) {
    return expression instanceof Expression.Literal(Object value, Type type)
            && value instanceof String unit
        ? unit.strip()
        : null;
  }

  private static @Nullable ScalarFunction extract(
      String unit, Type from, int argument, Type result, ZoneId zone) {
    LongUnaryOperator operator = field(unit, from, zone);
    if (operator == null) {
      return null;
    }
    boolean narrow = result.storage() == Kind.Storage.INT;
    return (columns, rows) -> {
      Column column = columns.get(argument);
      long[] values = map(Numbers.longs(column), operator, rows);
      Masks.clear(values, column.nulls(), rows);
      LongColumn wide = new LongColumn(values, column.nulls(), rows);
      return narrow ? new IntColumn(Numbers.ints(wide), wide.nulls(), rows) : wide;
    };
  }

  private static long[] map(long[] from, LongUnaryOperator operator, int rows) {
    long[] values = new long[rows];
    for (int i = 0; i < rows; i++) {
      values[i] = operator.applyAsLong(from[i]);
    }
    return values;
  }

  private static @Nullable LongUnaryOperator field(String unit, Type from, ZoneId zone) {
    ToLongFunction<LocalDate> dateField = DATE_FIELDS.get(unit);
    LongUnaryOperator dayField = DAY_FIELDS.get(unit);
    boolean epoch = unit.equals("EPOCH");
    return switch (from.kind()) {
      case DATE -> {
        if (epoch) {
          yield days -> days * (MILLIS_PER_DAY / 1_000);
        }
        // Flink takes the number of days for one of milliseconds.
        yield dateField != null ? new DateField(dateField) : dayField;
      }
      case TIME -> epoch ? millis -> millis / 1_000 : dayField;
      case TIMESTAMP -> ofTimestamp(dateField, dayField, epoch);
      case TIMESTAMP_LTZ -> {
        LongUnaryOperator field = ofTimestamp(dateField, dayField, epoch);
        yield field == null ? null : micros -> field.applyAsLong(Times.toLocal(micros, zone));
      }
      case INTERVAL_DAY_TIME -> ofDayTime(unit, dayField);
      case INTERVAL_YEAR_MONTH -> ofYearMonth(unit);
      default -> null;
    };
  }

  private static @Nullable LongUnaryOperator ofTimestamp(
      @Nullable ToLongFunction<LocalDate> dateField,
      @Nullable LongUnaryOperator dayField,
      boolean epoch) {
    if (epoch) {
      return micros -> millis(micros) / 1_000;
    }
    if (dateField != null) {
      DateField field = new DateField(dateField);
      return micros -> field.applyAsLong(millis(micros) / MILLIS_PER_DAY);
    }
    return dayField == null
        ? null
        : micros -> dayField.applyAsLong(millis(micros) % MILLIS_PER_DAY);
  }

  private static long millis(long micros) {
    return Math.floorDiv(micros, Times.MICROS_PER_MILLI);
  }

  private static @Nullable LongUnaryOperator ofDayTime(
      String unit, @Nullable LongUnaryOperator dayField) {
    if (unit.equals("DAY")) {
      return micros -> micros / Times.MICROS_PER_DAY;
    }
    return dayField == null
        ? null
        : micros -> dayField.applyAsLong(micros / Times.MICROS_PER_MILLI % MILLIS_PER_DAY);
  }

  private static @Nullable LongUnaryOperator ofYearMonth(String unit) {
    return switch (unit) {
      case "YEAR" -> months -> months / 12;
      case "QUARTER" -> months -> months % 12 / 3 + 1;
      case "MONTH" -> months -> months % 12;
      default -> null;
    };
  }

  /**
   * A field of a date, by its day; knows that of the last day, since rows near one another share
   * it.
   */
  private static final class DateField implements LongUnaryOperator {
    private final ToLongFunction<LocalDate> field;
    private long lastDay = Long.MIN_VALUE;
    private long lastValue;

    DateField(ToLongFunction<LocalDate> field) {
      this.field = field;
    }

    @Override
    public long applyAsLong(long day) {
      if (day != lastDay) {
        lastValue = field.applyAsLong(LocalDate.ofEpochDay(day));
        lastDay = day;
      }
      return lastValue;
    }
  }

  /** FLOOR and CEIL take the time first or the unit first. */
  private static @Nullable ScalarFunction bindRound(
      List<Expression> arguments, boolean up, ZoneId zone) {
    int time = unit(arguments.getLast()) != null ? 0 : 1;
    String unit = unit(arguments.get(1 - time));
    LongUnaryOperator round =
        unit == null ? null : up ? TimeUnits.ceil(unit) : TimeUnits.floor(unit);
    if (round == null) {
      return null;
    }
    return switch (arguments.get(time).type().kind()) {
      case TIMESTAMP -> longs(time, round);
      case TIMESTAMP_LTZ ->
          longs(
              time,
              micros -> {
                // The offset is that of the time, not of what it is rounded to, as in Flink.
                long offset = Times.toLocal(micros, zone) - micros;
                return round.applyAsLong(micros + offset) - offset;
              });
      case DATE -> ints(time, round, Times.MICROS_PER_DAY);
      case TIME -> ints(time, round, Times.MICROS_PER_MILLI);
      default -> null;
    };
  }

  private static ScalarFunction longs(int argument, LongUnaryOperator operator) {
    return (columns, rows) -> {
      Column column = columns.get(argument);
      long[] values = map(Numbers.longs(column), operator, rows);
      Masks.clear(values, column.nulls(), rows);
      return new LongColumn(values, column.nulls(), rows);
    };
  }

  /** An operator on microseconds, for values that are a number of so many microseconds. */
  private static ScalarFunction ints(int argument, LongUnaryOperator operator, long unitMicros) {
    return (columns, rows) -> {
      Column column = columns.get(argument);
      int[] from = Numbers.ints(column);
      int[] values = new int[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = (int) (operator.applyAsLong(from[i] * unitMicros) / unitMicros);
      }
      Masks.clear(values, column.nulls(), rows);
      return new IntColumn(values, column.nulls(), rows);
    };
  }
}
