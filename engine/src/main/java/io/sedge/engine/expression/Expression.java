package io.sedge.engine.expression;

import io.sedge.engine.type.Type;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A scalar expression over the columns of a batch, as data. Types are settled when it is made: the
 * arguments of a call already have the types that the function takes (casts are explicit calls).
 */
public sealed interface Expression {
  Type type();

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
   * @param function the name in upper case, as in Flink's documentation ({@code UPPER}), or the
   *     operator sign ({@code +}, {@code <=}, {@code IS NULL})
   */
  record Call(String function, List<Expression> arguments, Type type) implements Expression {
    public Call {
      arguments = List.copyOf(arguments);
    }

    @Override
    public String toString() {
      return arguments.stream()
          .map(Expression::toString)
          .collect(Collectors.joining(", ", function + "(", ")"));
    }
  }
}
