package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Small operations on expressions. */
final class Expressions {
  private Expressions() {}

  /** The expression with each input replaced. */
  static Expression replaceInputs(Expression expression, IntFunction<Expression> replacement) {
    return switch (expression) {
      case Expression.Input input -> replacement.apply(input.column());
      case Expression.Literal literal -> literal;
      case Expression.Call call ->
          call.withArguments(
              call.arguments().stream()
                  .map(argument -> replaceInputs(argument, replacement))
                  .toList());
    };
  }

  static Expression substitute(Expression expression, List<Expression> inputs) {
    return replaceInputs(expression, inputs::get);
  }

  /** The expression with its inputs moved to other positions. */
  static Expression move(Expression expression, int[] newColumns) {
    return switch (expression) {
      case Expression.Input input -> new Expression.Input(newColumns[input.column()], input.type());
      case Expression.Literal literal -> literal;
      case Expression.Call call ->
          call.withArguments(
              call.arguments().stream().map(argument -> move(argument, newColumns)).toList());
    };
  }

  /** Adds the columns that the expression reads. */
  static void collectInputs(Expression expression, BitSet columns) {
    switch (expression) {
      case Expression.Input input -> columns.set(input.column());
      case Expression.Literal literal -> {}
      case Expression.Call call ->
          call.arguments().forEach(argument -> collectInputs(argument, columns));
    }
  }

  /** How often the expression reads a column. */
  static int uses(Expression expression, int column) {
    return switch (expression) {
      case Expression.Input input -> input.column() == column ? 1 : 0;
      case Expression.Literal literal -> 0;
      case Expression.Call call ->
          call.arguments().stream().mapToInt(argument -> uses(argument, column)).sum();
    };
  }

  static List<Expression> identity(Schema schema) {
    List<Expression> inputs = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      inputs.add(new Expression.Input(i, schema.type(i)));
    }
    return inputs;
  }

  /** The parts of a condition that are joined by AND. */
  static List<Expression> conjuncts(Expression condition) {
    if (condition instanceof Expression.Call call && call.function().equals("AND")) {
      return call.arguments().stream().flatMap(argument -> conjuncts(argument).stream()).toList();
    }
    return List.of(condition);
  }

  /** The parts joined by AND; null if there are none. */
  static @Nullable Expression and(List<Expression> conjuncts) {
    if (conjuncts.size() <= 1) {
      return conjuncts.isEmpty() ? null : conjuncts.getFirst();
    }
    boolean nullable = conjuncts.stream().anyMatch(conjunct -> conjunct.type().nullable());
    return new Expression.Call(
        "AND", conjuncts, io.sedge.engine.type.Type.BOOLEAN.withNullable(nullable));
  }

  /** Whether the expression is a bare column or constant, which may be repeated at no cost. */
  static boolean isTrivial(Expression expression) {
    return !(expression instanceof Expression.Call);
  }

  /** Whether it has the scores of a model that is watched for drift. */
  static boolean isWatched(Expression expression) {
    return expression instanceof Expression.Call call
        && (DeclaredModel.isWatched(call.function())
            || call.arguments().stream().anyMatch(Expressions::isWatched));
  }
}
