package io.sedge.engine.expression;

import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scalar expression over the columns of a batch, as data. Types are settled when it is made: the
 * arguments of a call already have the types that the function takes (casts are explicit calls).
 */
public sealed interface Expression {
  Type type();

  /**
   * A place in a script.
   *
   * @param line 1 is the first
   * @param column 1 is the first
   */
  record Place(int line, int column) {
    @Override
    public String toString() {
      return "line %d:%d".formatted(line, column);
    }
  }

  /** The value of a column of the input. */
  record Input(int column, Type type) implements Expression {
    @Override
    public String toString() {
      return "$" + column;
    }
  }

  /** A constant in the object form that {@link io.sedge.engine.column.Column#value} gives. */
  record Literal(@Nullable Object value, Type type) implements Expression {
    @Override
    public String toString() {
      return value instanceof String ? "'" + value + "'" : String.valueOf(value);
    }
  }

  /**
   * A function call.
   *
   * <p>Where it was written is no part of what it is: equal calls in two places are computed once,
   * and state stays that of its plan when lines are put before a query.
   *
   * @param function the name in upper case, as in Flink's documentation ({@code UPPER}), or the
   *     operator sign ({@code +}, {@code <=}, {@code IS NULL})
   * @param place where it was written, for messages; null if nobody knows
   */
  record Call(String function, List<Expression> arguments, Type type, @Nullable Place place)
      implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    /** A call that was written nowhere. */
    public Call(String function, List<Expression> arguments, Type type) {
      this(function, arguments, type, null);
    }

    /** The same call of other arguments. */
    public Call withArguments(List<Expression> newArguments) {
      return new Call(function, newArguments, type, place);
    }

    /** The same call, written at {@code newPlace}. */
    public Call at(@Nullable Place newPlace) {
      return new Call(function, arguments, type, newPlace);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Call call
          && function.equals(call.function)
          && arguments.equals(call.arguments)
          && type.equals(call.type);
    }

    @Override
    public int hashCode() {
      return Objects.hash(function, arguments, type);
    }

    @Override
    public String toString() {
      return arguments.stream()
          .map(Expression::toString)
          .collect(Collectors.joining(", ", function + "(", ")"));
    }
  }
}
