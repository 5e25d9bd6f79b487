package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Mathematical functions; those of doubles follow {@link Math}. */
public final class MathFunctions {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private MathFunctions() {}

  public static void register(FunctionTable table) {
    unary(table, "SQRT", Math::sqrt);
    unary(table, "LN", Math::log);
    unary(table, "LOG", Math::log);
    unary(table, "LOG10", Math::log10);
    unary(table, "LOG2", value -> Math.log(value) / Math.log(2));
    unary(table, "EXP", Math::exp);
    unary(table, "SIN", Math::sin);
    unary(table, "SINH", Math::sinh);
    unary(table, "COS", Math::cos);
    unary(table, "COSH", Math::cosh);
    unary(table, "TAN", Math::tan);
    unary(table, "TANH", Math::tanh);
    unary(table, "COT", value -> 1 / Math.tan(value));
    unary(table, "ASIN", Math::asin);
    unary(table, "ACOS", Math::acos);
    unary(table, "ATAN", Math::atan);
    unary(table, "DEGREES", Math::toDegrees);
    unary(table, "RADIANS", Math::toRadians);
    binary(table, "POWER", Math::pow);
    binary(table, "ATAN2", Math::atan2);
    binary(table, "LOG", (base, value) -> Math.log(value) / Math.log(base));
    RowFunctions.strict(table, "PI", "", row -> Math.PI);
    RowFunctions.strict(table, "E", "", row -> Math.E);
    RowFunctions.strict(table, "BIN", "i", row -> Long.toBinaryString(row.wide(0)));
    RowFunctions.strict(
        table, "HEX", "i", row -> Long.toHexString(row.wide(0)).toUpperCase(Locale.ROOT));
    RowFunctions.ofString(
        table, "HEX", string -> HEX.formatHex(string.getBytes(StandardCharsets.UTF_8)));
    rounding(table);
    RowFunctions.add(table, "SIGN", "n", true, (arguments, result) -> row -> sign(row.get(0)));
    RowFunctions.add(table, "GREATEST", "*+", true, (types, result) -> extreme(result, 1));
    RowFunctions.add(table, "LEAST", "*+", true, (types, result) -> extreme(result, -1));
  }

  private static void unary(FunctionTable table, String name, DoubleUnaryOperator operator) {
    table.add(
        name,
        1,
        (arguments, result) ->
            areNumbers(arguments) && result.kind() == Kind.DOUBLE
                ? (columns, rows) -> apply(operator, columns.getFirst(), rows)
                : null);
  }

  private static void binary(FunctionTable table, String name, DoubleBinaryOperator operator) {
    table.add(
        name,
        2,
        (arguments, result) ->
            areNumbers(arguments) && result.kind() == Kind.DOUBLE
                ? (columns, rows) -> apply(operator, columns, rows)
                : null);
  }

  private static boolean areNumbers(List<Expression> arguments) {
    return arguments.stream()
        .map(argument -> argument.type().kind())
        .allMatch(kind -> kind.isNumeric() || kind == Kind.NULL);
  }

  private static Column apply(DoubleUnaryOperator operator, Column column, int rows) {
    if (column instanceof BooleanColumn) {
      return Constants.nulls(Type.DOUBLE, rows);
    }
    double[] values = Numbers.doubles(column);
    double[] results = new double[rows];
    for (int i = 0; i < rows; i++) {
      results[i] = operator.applyAsDouble(values[i]);
    }
    Masks.clear(results, column.nulls(), rows);
    return new DoubleColumn(results, column.nulls(), rows);
  }

  private static Column apply(DoubleBinaryOperator operator, List<Column> columns, int rows) {
    boolean[] nulls = Masks.any(columns, rows);
    if (columns.stream().anyMatch(BooleanColumn.class::isInstance)) {
      return Constants.nulls(Type.DOUBLE, rows);
    }
    double[] left = Numbers.doubles(columns.getFirst());
    double[] right = Numbers.doubles(columns.getLast());
    double[] results = new double[rows];
    for (int i = 0; i < rows; i++) {
      results[i] = operator.applyAsDouble(left[i], right[i]);
    }
    Masks.clear(results, nulls, rows);
    return new DoubleColumn(results, nulls, rows);
  }

  private static void rounding(FunctionTable table) {
    table.add("FLOOR", 1, (arguments, result) -> whole(arguments, Math::floor, RoundingMode.FLOOR));
    for (String name : List.of("CEIL", "CEILING")) {
      table.add(name, 1, (arguments, result) -> whole(arguments, Math::ceil, RoundingMode.CEILING));
    }
    RowFunctions.add(
        table,
        "ROUND",
        "n[i]",
        true,
        (types, result) -> row -> round(row, types.getFirst(), RoundingMode.HALF_UP));
    RowFunctions.add(
        table,
        "TRUNCATE",
        "n[i]",
        true,
        (types, result) -> row -> round(row, types.getFirst(), RoundingMode.DOWN));
  }

  private static @Nullable ScalarFunction whole(
      List<Expression> arguments, DoubleUnaryOperator operator, RoundingMode mode) {
    return switch (arguments.getFirst().type().kind()) {
      case TINYINT, SMALLINT, INT, BIGINT -> (columns, rows) -> columns.getFirst();
      case DOUBLE -> (columns, rows) -> apply(operator, columns.getFirst(), rows);
      case FLOAT ->
          (columns, rows) -> {
            Column wide = apply(operator, columns.getFirst(), rows);
            return new FloatColumn(Numbers.floats(wide), wide.nulls(), rows);
          };
      case DECIMAL ->
          (columns, rows) ->
              Decimals.map((DecimalColumn) columns.getFirst(), value -> value.setScale(0, mode));
      default -> null;
    };
  }

  /** A double or float is rounded as the decimal that Java writes for it. */
  private static Object round(RowFunctions.Row row, Type type, RoundingMode mode) {
    int digits = row.size() > 1 ? row.integer(1) : 0;
    Object value = row.get(0);
    return switch (type.kind()) {
      case DOUBLE -> {
        double real = (Double) value;
        yield Double.isFinite(real)
            ? rounded(BigDecimal.valueOf(real), digits, mode).doubleValue()
            : real;
      }
      case FLOAT -> {
        float real = (Float) value;
        yield Float.isFinite(real)
            ? rounded(new BigDecimal(Float.toString(real)), digits, mode).floatValue()
            : real;
      }
      case BIGINT -> rounded(BigDecimal.valueOf((Long) value), digits, mode).longValue();
      case TINYINT, SMALLINT, INT ->
          rounded(BigDecimal.valueOf((Integer) value), digits, mode).intValue();
      default -> rounded((BigDecimal) value, digits, mode);
    };
  }

  private static BigDecimal rounded(BigDecimal value, int digits, RoundingMode mode) {
    if (digits >= value.scale()) {
      return value;
    }
    boolean vanishes = (long) value.precision() - value.scale() + digits < 0;
    return vanishes ? BigDecimal.ZERO : value.setScale(digits, mode);
  }

  private static Object sign(Object value) {
    return switch (value) {
      case BigDecimal decimal -> BigDecimal.valueOf(decimal.signum());
      case Double real -> Math.signum(real);
      case Float real -> Math.signum(real);
      case Long wide -> (long) Long.signum(wide);
      default -> Integer.signum((Integer) value);
    };
  }

  private static RowFunctions.Body extreme(Type result, int sign) {
    return row -> {
      Object best = Values.normalised(row.get(0), result);
      for (int i = 1; i < row.size(); i++) {
        Object next = Values.normalised(row.get(i), result);
        if (Values.compare(next, best) * sign > 0) {
          best = next;
        }
      }
      return best;
    };
  }
}
