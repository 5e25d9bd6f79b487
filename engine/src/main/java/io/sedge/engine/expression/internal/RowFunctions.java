package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Functions that are written for one row, on values in their object form. Where all arguments but
 * one string are constants, the function is computed once per distinct string; else per row.
 *
 * <p>A signature has one letter per argument: {@code s} string, {@code i} integer, {@code n}
 * number, {@code b} boolean, {@code d} date or timestamp, {@code a} array, {@code *} anything. A
 * letter in brackets is optional, a {@code +} at the end means that the last letter may repeat.
 */
final class RowFunctions {
  /** A function of one row; null is NULL. */
  @FunctionalInterface
  interface Body {
    @Nullable Object apply(Row row);
  }

  /** Makes a body for the types of a call; null if there is none. */
  @FunctionalInterface
  interface BodyFactory {
    @Nullable Body of(List<Type> arguments, Type result);
  }

  /**
   * Throws an {@link io.sedge.engine.expression.EvaluationException} where no row could have a
   * result, whatever the other arguments are.
   */
  @FunctionalInterface
  interface ConstantCheck {
    /** Given the constants of a call; an argument that varies is null, as is NULL. */
    void check(Row constants);
  }

  private RowFunctions() {}

  /** Adds a function that is NULL where any argument is. */
  static void strict(FunctionTable table, String name, String signature, Body body) {
    add(table, name, signature, true, (arguments, result) -> body);
  }

  /** Adds a function that looks at NULL arguments itself. */
  static void lenient(FunctionTable table, String name, String signature, Body body) {
    add(table, name, signature, false, (arguments, result) -> body);
  }

  /** Adds a function from a string, NULL where that is. */
  static void ofString(
      FunctionTable table, String name, Function<String, @Nullable Object> function) {
    strict(table, name, "s", row -> function.apply(row.text(0)));
  }

  /** Adds a function whose body depends on the types of a call. */
  static void add(
      FunctionTable table, String name, String signature, boolean strict, BodyFactory factory) {
    add(table, name, signature, strict, constants -> {}, factory);
  }

  /** Adds a function that cannot be bound to some constants. */
  static void add(
      FunctionTable table,
      String name,
      String signature,
      boolean strict,
      ConstantCheck check,
      BodyFactory factory) {
    Signature parsed = Signature.parse(signature);
    table.add(
        name,
        parsed.fewest(),
        parsed.most(),
        (arguments, result) -> {
          List<Type> types = arguments.stream().map(Expression::type).toList();
          Body body = parsed.accepts(types) ? factory.of(types, result) : null;
          if (body == null) {
            return null;
          }
          check.check(constants(arguments));
          return bind(arguments, result, strict, body);
        });
  }

  private static Row constants(List<Expression> arguments) {
    @Nullable Object[] values = new Object[arguments.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = arguments.get(i) instanceof Expression.Literal literal ? literal.value() : null;
    }
    return new Row(values);
  }

  private static ScalarFunction bind(
      List<Expression> arguments, Type result, boolean strict, Body body) {
    int varying = onlyVaryingString(arguments);
    if (varying < 0) {
      return (columns, rows) -> perRow(columns, rows, result, strict, body);
    }
    Row row = constants(arguments);
    for (int i = 0; i < row.size(); i++) {
      if (strict && i != varying && row.isNull(i)) {
        return (columns, rows) -> Constants.nulls(result, rows);
      }
    }
    StringMemo memo =
        new StringMemo(
            string -> {
              row.values[varying] = string;
              return body.apply(row);
            },
            result);
    if (!strict) {
      return (columns, rows) ->
          columns.get(varying).nulls() == null
              ? memo.apply((StringColumn) columns.get(varying), rows)
              : perRow(columns, rows, result, false, body);
    }
    return (columns, rows) -> memo.apply((StringColumn) columns.get(varying), rows);
  }

  /** The argument that is a string and not constant, if all others are constant; else -1. */
  private static int onlyVaryingString(List<Expression> arguments) {
    int varying = -1;
    for (int i = 0; i < arguments.size(); i++) {
      if (!(arguments.get(i) instanceof Expression.Literal)) {
        if (varying >= 0 || !arguments.get(i).type().kind().isString()) {
          return -1;
        }
        varying = i;
      }
    }
    return varying;
  }

  private static Column perRow(
      List<Column> columns, int rows, Type result, boolean strict, Body body) {
    @Nullable Object[] results = new Object[rows];
    @Nullable Object[] values = new Object[columns.size()];
    Row row = new Row(values);
    for (int i = 0; i < rows; i++) {
      boolean anyNull = false;
      for (int j = 0; j < values.length; j++) {
        Object value = columns.get(j).value(i);
        values[j] = value;
        anyNull |= value == null;
      }
      results[i] = strict && anyNull ? null : body.apply(row);
    }
    return Columns.of(results, result, rows);
  }

  /** The arguments of one row. */
  static final class Row {
    private final @Nullable Object[] values;

    Row(@Nullable Object[] values) {
      this.values = values;
    }

    int size() {
      return values.length;
    }

    @Nullable Object value(int index) {
      return values[index];
    }

    /** The argument, which is not null. */
    Object get(int index) {
      Object value = values[index];
      if (value == null) {
        throw new IllegalStateException("argument " + index + " is null");
      }
      return value;
    }

    boolean isNull(int index) {
      return values[index] == null;
    }

    /** Whether there is such an argument, and it is not null. */
    boolean has(int index) {
      return index < values.length && values[index] != null;
    }

    String text(int index) {
      return (String) get(index);
    }

    int integer(int index) {
      return ((Number) get(index)).intValue();
    }

    long wide(int index) {
      return ((Number) get(index)).longValue();
    }

    double real(int index) {
      return ((Number) get(index)).doubleValue();
    }

    List<?> list(int index) {
      return (List<?>) get(index);
    }
  }

  /** The kinds of arguments that a function takes. */
  private record Signature(List<Character> letters, int fewest, boolean repeats) {
    static Signature parse(String text) {
      List<Character> letters = new ArrayList<>();
      int fewest = 0;
      boolean optional = false;
      for (int i = 0; i < text.length(); i++) {
        char letter = text.charAt(i);
        switch (letter) {
          case '[' -> optional = true;
          case ']' -> optional = false;
          case '+' -> {}
          default -> {
            letters.add(letter);
            fewest += optional ? 0 : 1;
          }
        }
      }
      return new Signature(letters, fewest, text.endsWith("+"));
    }

    int most() {
      return repeats ? FunctionTable.ANY : letters.size();
    }

    boolean accepts(List<Type> types) {
      for (int i = 0; i < types.size(); i++) {
        if (!accepts(letters.get(Math.min(i, letters.size() - 1)), types.get(i).kind())) {
          return false;
        }
      }
      return true;
    }

    private static boolean accepts(char letter, Kind kind) {
      return kind == Kind.NULL
          || switch (letter) {
            case 's' -> kind.isString();
            case 'i' -> kind.isInteger();
            case 'n' -> kind.isNumeric();
            case 'b' -> kind == Kind.BOOLEAN;
            case 'd' -> kind.isTimestamp() || kind == Kind.DATE;
            case 'a' -> kind == Kind.ARRAY;
            default -> true;
          };
    }
  }
}
