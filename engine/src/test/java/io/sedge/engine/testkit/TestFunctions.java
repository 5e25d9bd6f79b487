package io.sedge.engine.testkit;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Optional;

/** Two functions over BIGINT and timestamps, for tests of operators that need no more. */
public final class TestFunctions {
  /** {@code >} and {@code -} of 64-bit columns. */
  public static final FunctionRegistry REGISTRY =
      (name, _, _) ->
          switch (name) {
            case ">" -> Optional.of(TestFunctions::greater);
            case "-" -> Optional.<ScalarFunction>of(TestFunctions::minus);
            default -> Optional.empty();
          };

  private TestFunctions() {}

  public static Expression input(int column, Type type) {
    return new Expression.Input(column, type);
  }

  /** {@code left > right}. */
  public static Expression greaterThan(Expression left, Expression right) {
    return new Expression.Call(">", List.of(left, right), Type.BOOLEAN);
  }

  /** {@code column > constant}. */
  public static Expression greaterThan(int column, long constant) {
    return greaterThan(
        input(column, Type.BIGINT), new Expression.Literal(constant, Type.BIGINT.notNull()));
  }

  /** {@code column - micros}. */
  public static Expression minus(int column, Type type, long micros) {
    return new Expression.Call(
        "-",
        List.of(input(column, type), new Expression.Literal(micros, Type.intervalDayTime())),
        type);
  }

  private static Column greater(List<Column> arguments, int rows) {
    boolean[] values = new boolean[rows];
    boolean[] nulls = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      Long left = (Long) arguments.get(0).value(i);
      Long right = (Long) arguments.get(1).value(i);
      nulls[i] = left == null || right == null;
      values[i] = left != null && right != null && left > right;
    }
    return new BooleanColumn(values, nulls, rows);
  }

  private static Column minus(List<Column> arguments, int rows) {
    long[] values = new long[rows];
    boolean[] nulls = new boolean[rows];
    for (int i = 0; i < rows; i++) {
      Long left = (Long) arguments.get(0).value(i);
      Long right = (Long) arguments.get(1).value(i);
      nulls[i] = left == null || right == null;
      values[i] = left == null || right == null ? 0 : left - right;
    }
    return new LongColumn(values, nulls, rows);
  }
}
