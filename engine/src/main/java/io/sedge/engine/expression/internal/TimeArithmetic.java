package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Times plus and minus intervals, differences of times, TIMESTAMPADD and TIMESTAMPDIFF. A timestamp
 * with a local zone is reckoned in UTC, months included, as in Flink.
 */
public final class TimeArithmetic {
  private TimeArithmetic() {}

  public static void register(FunctionTable table) {
    table.add("+", 2, (arguments, result) -> plus(arguments, result, 1));
    table.add("-", 2, (arguments, result) -> plus(arguments, result, -1));
    table.add("*", 2, TimeArithmetic::times);
    table.add("/", 2, TimeArithmetic::divided);
    table.add("TIMESTAMPADD", 3, TimeArithmetic::add);
    table.add("TIMESTAMPDIFF", 3, TimeArithmetic::difference);
  }

  private static boolean isInterval(Type type) {
    return type.kind() == Kind.INTERVAL_DAY_TIME || type.kind() == Kind.INTERVAL_YEAR_MONTH;
  }

  private static boolean isTime(Type type) {
    return type.kind().isTimestamp() || type.kind() == Kind.DATE || type.kind() == Kind.TIME;
  }

  private static @Nullable ScalarFunction plus(List<Expression> arguments, Type result, int sign) {
    Type left = arguments.getFirst().type();
    Type right = arguments.getLast().type();
    if (isInterval(left) && isInterval(right) && left.kind() == right.kind()) {
      return binary(result, 0, 1, (a, b) -> a + sign * b);
    }
    if (isTime(left) && isTime(right) && isInterval(result) && sign < 0) {
      return minus(left, right, result);
    }
    if (isTime(left) && isInterval(right)) {
      return shifted(left, right.kind(), result, 0, 1, sign);
    }
    return isInterval(left) && isTime(right) && sign > 0
        ? shifted(right, left.kind(), result, 1, 0, sign)
        : null;
  }

  private static ScalarFunction minus(Type left, Type right, Type result) {
    LongUnaryOperator leftMicros = toMicros(left);
    LongUnaryOperator rightMicros = toMicros(right);
    return result.kind() == Kind.INTERVAL_DAY_TIME
        ? binary(result, 0, 1, (a, b) -> leftMicros.applyAsLong(a) - rightMicros.applyAsLong(b))
        : binary(
            result,
            0,
            1,
            (a, b) ->
                TimeUnits.monthsBetween(rightMicros.applyAsLong(b), leftMicros.applyAsLong(a)));
  }

  private static @Nullable ScalarFunction shifted(
      Type time, Kind interval, Type result, int timeAt, int intervalAt, int sign) {
    LongUnaryOperator from = toMicros(time);
    LongUnaryOperator to = fromMicros(result);
    if (interval == Kind.INTERVAL_YEAR_MONTH) {
      return time.kind() == Kind.TIME
          ? null
          : binary(
              result,
              timeAt,
              intervalAt,
              (a, months) ->
                  to.applyAsLong(TimeUnits.plusMonths(from.applyAsLong(a), sign * months)));
    }
    if (time.kind() == Kind.DATE && result.kind() == Kind.DATE) {
      return binary(
          result, timeAt, intervalAt, (days, b) -> days + sign * (b / Times.MICROS_PER_DAY));
    }
    if (time.kind().isTimestamp() && result.kind().isTimestamp()) {
      return wide(timeAt, intervalAt, sign > 0 ? LongKernels::add : LongKernels::subtract);
    }
    return binary(
        result, timeAt, intervalAt, (a, b) -> to.applyAsLong(from.applyAsLong(a) + sign * b));
  }

  private static @Nullable ScalarFunction times(List<Expression> arguments, Type result) {
    Type left = arguments.getFirst().type();
    Type right = arguments.getLast().type();
    boolean scaled =
        (isInterval(left) && right.kind().isInteger())
            || (isInterval(right) && left.kind().isInteger());
    return scaled && isInterval(result) ? binary(result, 0, 1, (a, b) -> a * b) : null;
  }

  private static @Nullable ScalarFunction divided(List<Expression> arguments, Type result) {
    Type right = arguments.getLast().type();
    return isInterval(arguments.getFirst().type()) && right.kind().isInteger()
        ? binary(result, 0, 1, TimeArithmetic::divide)
        : null;
  }

  private static long divide(long interval, long divisor) {
    if (divisor == 0) {
      throw new EvaluationException(
          "division by zero: an interval / 0; guard it with NULLIF(divisor, 0) or CASE");
    }
    return interval / divisor;
  }

  private static @Nullable ScalarFunction add(List<Expression> arguments, Type result) {
    String unit = TimeFieldFunctions.unit(arguments.getFirst());
    Type count = arguments.get(1).type();
    Type time = arguments.getLast().type();
    if (unit == null || !(count.kind().isInteger() || isInterval(count)) || !isTime(time)) {
      return null;
    }
    LongUnaryOperator from = toMicros(time);
    LongUnaryOperator to = fromMicros(result);
    int months = TimeUnits.months(unit);
    if (months > 0) {
      return binary(
          result,
          2,
          1,
          (a, b) -> to.applyAsLong(TimeUnits.plusMonths(from.applyAsLong(a), b * months)));
    }
    long step = TimeUnits.micros(unit);
    return step == 0
        ? null
        : binary(result, 2, 1, (a, b) -> to.applyAsLong(from.applyAsLong(a) + b * step));
  }

  private static @Nullable ScalarFunction difference(List<Expression> arguments, Type result) {
    String unit = TimeFieldFunctions.unit(arguments.getFirst());
    Type begin = arguments.get(1).type();
    Type end = arguments.getLast().type();
    if (unit == null || !isTime(begin) || !isTime(end)) {
      return null;
    }
    LongUnaryOperator from = toMicros(begin);
    LongUnaryOperator to = toMicros(end);
    int months = TimeUnits.months(unit);
    if (months > 0) {
      return binary(
          result,
          1,
          2,
          (a, b) -> TimeUnits.monthsBetween(from.applyAsLong(a), to.applyAsLong(b)) / months);
    }
    long step = TimeUnits.micros(unit);
    if (step == 0) {
      return null;
    }
    // Flink counts the units below a second from whole seconds.
    long whole = Math.max(step, Times.MICROS_PER_SECOND);
    return binary(
        result, 1, 2, (a, b) -> (to.applyAsLong(b) - from.applyAsLong(a)) / whole * (whole / step));
  }

  /** A time in microseconds: of a clock without a zone, or in UTC. */
  private static LongUnaryOperator toMicros(Type type) {
    return switch (type.kind()) {
      case DATE -> days -> days * Times.MICROS_PER_DAY;
      case TIME -> millis -> millis * Times.MICROS_PER_MILLI;
      default -> LongUnaryOperator.identity();
    };
  }

  private static LongUnaryOperator fromMicros(Type type) {
    return switch (type.kind()) {
      case DATE -> micros -> Math.floorDiv(micros, Times.MICROS_PER_DAY);
      case TIME -> micros -> Times.microsOfDay(micros) / Times.MICROS_PER_MILLI;
      default -> LongUnaryOperator.identity();
    };
  }

  /** Microseconds with microseconds: what every watermark does, so a loop of its own. */
  private static ScalarFunction wide(int first, int second, LongKernels.Kernel kernel) {
    return (columns, rows) -> {
      Column left = columns.get(first);
      Column right = columns.get(second);
      long[] values = new long[rows];
      kernel.run(Numbers.longs(left), Numbers.longs(right), values, rows);
      return new LongColumn(values, Masks.either(left.nulls(), right.nulls(), rows), rows);
    };
  }

  private static ScalarFunction binary(
      Type result, int first, int second, LongBinaryOperator operator) {
    boolean narrow = result.storage() == Kind.Storage.INT;
    return (columns, rows) -> {
      Column left = columns.get(first);
      Column right = columns.get(second);
      long[] a = Numbers.longs(left);
      long[] b = Numbers.longs(right);
      boolean[] nulls = Masks.either(left.nulls(), right.nulls(), rows);
      long[] values = new long[rows];
      for (int i = 0; i < rows; i++) {
        if (nulls == null || !nulls[i]) {
          values[i] = operator.applyAsLong(a[i], b[i]);
        }
      }
      LongColumn wide = new LongColumn(values, nulls, rows);
      return narrow ? new IntColumn(Numbers.ints(wide), nulls, rows) : wide;
    };
  }
}
