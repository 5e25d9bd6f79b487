package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Kind.Storage;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The comparison operators. Numbers of different kinds are compared in the wider one as Java
 * promotes them (but = and <> take a FLOAT and a DOUBLE as FLOAT, as Flink's planner does);
 * floating point follows IEEE 754 (NaN equals nothing, 0.0 equals -0.0), strings their UTF-8 bytes.
 */
public final class ComparisonFunctions {
  private ComparisonFunctions() {}

  public static void register(FunctionTable table) {
    for (Comparison comparison : Comparison.values()) {
      table.add(
          comparison.sign(), 2, (arguments, result) -> bind(comparison, comparison, arguments));
    }
    table.add("IS NOT DISTINCT FROM", 2, (arguments, result) -> bindDistinct(arguments, false));
    table.add("IS DISTINCT FROM", 2, (arguments, result) -> bindDistinct(arguments, true));
    table.add("IS NULL", 1, (arguments, result) -> nullTest(true));
    table.add("IS NOT NULL", 1, (arguments, result) -> nullTest(false));
  }

  /** In which storage two types are compared; null if they cannot be. */
  static @Nullable Storage commonStorage(Comparison comparison, Type left, Type right) {
    if (left.kind() == Kind.NULL || right.kind() == Kind.NULL) {
      return left.kind() == Kind.NULL ? right.storage() : left.storage();
    }
    if (left.kind().isNumeric() && right.kind().isNumeric()) {
      return numericStorage(comparison, left.storage(), right.storage());
    }
    boolean alike =
        left.kind() == right.kind()
            || (left.kind().isString() && right.kind().isString())
            || (left.kind().isTimestamp() && right.kind().isTimestamp());
    return alike ? left.storage() : null;
  }

  private static Storage numericStorage(Comparison comparison, Storage left, Storage right) {
    if (left == right) {
      return left;
    }
    boolean anyDecimal = left == Storage.DECIMAL || right == Storage.DECIMAL;
    boolean anyDouble = left == Storage.DOUBLE || right == Storage.DOUBLE;
    boolean anyFloat = left == Storage.FLOAT || right == Storage.FLOAT;
    boolean equality = comparison == Comparison.EQUAL || comparison == Comparison.NOT_EQUAL;
    if (anyFloat) {
      return anyDecimal || (anyDouble && !equality) ? Storage.DOUBLE : Storage.FLOAT;
    }
    if (anyDouble) {
      return Storage.DOUBLE;
    }
    return anyDecimal ? Storage.DECIMAL : Storage.LONG;
  }

  /**
   * Binds a comparison.
   *
   * @param promotion as whose operands those of {@code comparison} are promoted
   */
  private static @Nullable ScalarFunction bind(
      Comparison comparison, Comparison promotion, List<Expression> arguments) {
    Type left = arguments.getFirst().type();
    Type right = arguments.getLast().type();
    Storage storage = commonStorage(promotion, left, right);
    if (storage == null) {
      return null;
    }
    if (left.kind() == Kind.NULL || right.kind() == Kind.NULL) {
      return (columns, rows) -> Constants.nulls(Type.BOOLEAN, rows);
    }
    if (storage == Storage.STRING) {
      ScalarFunction withLiteral = bindStringLiteral(comparison, arguments);
      if (withLiteral != null) {
        return withLiteral;
      }
    }
    return (columns, rows) -> {
      boolean[] nulls = Masks.any(columns, rows);
      boolean[] values = new boolean[rows];
      compare(comparison, storage, columns.getFirst(), columns.getLast(), nulls, values, rows);
      Masks.clear(values, nulls, rows);
      return new BooleanColumn(values, nulls, rows);
    };
  }

  private static @Nullable ScalarFunction bindStringLiteral(
      Comparison comparison, List<Expression> arguments) {
    if (arguments.getLast() instanceof Expression.Literal(String constant, Type type)) {
      StringPredicate predicate = predicate(comparison, constant);
      return (columns, rows) -> test(predicate, (StringColumn) columns.getFirst(), rows);
    }
    if (arguments.getFirst() instanceof Expression.Literal(String constant, Type type)) {
      StringPredicate predicate = predicate(comparison.mirrored(), constant);
      return (columns, rows) -> test(predicate, (StringColumn) columns.getLast(), rows);
    }
    return null;
  }

  static StringPredicate predicate(Comparison comparison, String constant) {
    return switch (comparison) {
      case EQUAL -> new StringPredicate(constant::equals);
      case NOT_EQUAL -> new StringPredicate(string -> !constant.equals(string));
      default ->
          new StringPredicate(string -> comparison.holds(StringColumn.compare(string, constant)));
    };
  }

  private static BooleanColumn test(StringPredicate predicate, StringColumn column, int rows) {
    boolean[] values = new boolean[rows];
    predicate.test(column, values, rows);
    return new BooleanColumn(values, column.nulls(), rows);
  }

  private static void compare(
      Comparison comparison,
      Storage storage,
      Column left,
      Column right,
      boolean @Nullable [] nulls,
      boolean[] values,
      int rows) {
    switch (storage) {
      case DOUBLE ->
          DoubleComparisons.compare(
              comparison, Numbers.doubles(left), Numbers.doubles(right), values, rows);
      case FLOAT ->
          FloatComparisons.compare(
              comparison, Numbers.floats(left), Numbers.floats(right), values, rows);
      case LONG ->
          LongComparisons.compare(
              comparison, Numbers.longs(left), Numbers.longs(right), values, rows);
      case INT ->
          IntComparisons.compare(comparison, Numbers.ints(left), Numbers.ints(right), values, rows);
      case BOOLEAN -> compareBooleans(comparison, left, right, values, rows);
      case DECIMAL -> compareDecimals(comparison, left, right, values, rows);
      case STRING ->
          compareStrings(
              comparison, (StringColumn) left, (StringColumn) right, nulls, values, rows);
      case ARRAY, ROW -> compareNested(comparison, left, right, nulls, values, rows);
    }
  }

  private static void compareBooleans(
      Comparison comparison, Column left, Column right, boolean[] values, int rows) {
    boolean[] first = Numbers.booleans(left);
    boolean[] second = Numbers.booleans(right);
    for (int i = 0; i < rows; i++) {
      values[i] = comparison.holds(Boolean.compare(first[i], second[i]));
    }
  }

  private static void compareDecimals(
      Comparison comparison, Column left, Column right, boolean[] values, int rows) {
    @Nullable BigDecimal[] first = Numbers.decimals(left);
    @Nullable BigDecimal[] second = Numbers.decimals(right);
    for (int i = 0; i < rows; i++) {
      BigDecimal a = first[i];
      BigDecimal b = second[i];
      values[i] = a != null && b != null && comparison.holds(a.compareTo(b));
    }
  }

  private static void compareStrings(
      Comparison comparison,
      StringColumn left,
      StringColumn right,
      boolean @Nullable [] nulls,
      boolean[] values,
      int rows) {
    for (int i = 0; i < rows; i++) {
      if (nulls == null || !nulls[i]) {
        values[i] = comparison.holds(StringColumn.compare(left.string(i), right.string(i)));
      }
    }
  }

  /** Arrays and rows are equal or not; they have no order, so only = and &lt;&gt; are asked for. */
  private static void compareNested(
      Comparison comparison,
      Column left,
      Column right,
      boolean @Nullable [] nulls,
      boolean[] values,
      int rows) {
    for (int i = 0; i < rows; i++) {
      if (nulls == null || !nulls[i]) {
        values[i] = comparison.holds(Objects.equals(left.value(i), right.value(i)) ? 0 : 1);
      }
    }
  }

  private static @Nullable ScalarFunction bindDistinct(
      List<Expression> arguments, boolean distinct) {
    ScalarFunction equal = bind(Comparison.EQUAL, Comparison.LESS, arguments);
    if (equal == null) {
      return null;
    }
    return (columns, rows) -> {
      BooleanColumn compared = (BooleanColumn) equal.apply(columns, rows);
      Column left = columns.getFirst();
      Column right = columns.getLast();
      boolean[] values = new boolean[rows];
      for (int i = 0; i < rows; i++) {
        boolean same =
            compared.isNull(i) ? left.isNull(i) && right.isNull(i) : compared.values()[i];
        values[i] = same != distinct;
      }
      return new BooleanColumn(values, null, rows);
    };
  }

  private static ScalarFunction nullTest(boolean wanted) {
    return (columns, rows) -> {
      boolean[] nulls = columns.getFirst().nulls();
      boolean[] values = new boolean[rows];
      for (int i = 0; i < rows; i++) {
        values[i] = (nulls != null && nulls[i]) == wanted;
      }
      return new BooleanColumn(values, null, rows);
    };
  }
}
