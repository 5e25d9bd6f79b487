package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.expression.ScalarFunction;
import java.util.ArrayList;
import java.util.List;

/** Expressions bound to their functions, evaluated over whole batches. */
final class Evaluation {
  private interface Step {
    Column apply(Batch batch);
  }

  private final List<Step> steps;

  Evaluation(List<Expression> expressions, FunctionRegistry functions) {
    steps = expressions.stream().map(expression -> bind(expression, functions)).toList();
  }

  List<Column> columns(Batch batch) {
    List<Column> columns = new ArrayList<>(steps.size());
    for (Step step : steps) {
      columns.add(step.apply(batch));
    }
    return columns;
  }

  Column column(Batch batch) {
    return steps.getFirst().apply(batch);
  }

  private static Step bind(Expression expression, FunctionRegistry functions) {
    return switch (expression) {
      case Expression.Input input -> batch -> batch.column(input.column());
      case Expression.Literal literal -> batch -> constant(literal, batch.rows());
      case Expression.Call call -> {
        List<Step> arguments =
            call.arguments().stream().map(argument -> bind(argument, functions)).toList();
        ScalarFunction function =
            functions
                .find(call.function(), call.arguments(), call.type())
                .orElseThrow(
                    () -> new IllegalArgumentException("no function for the call " + call));
        yield batch ->
            function.apply(
                arguments.stream().map(step -> step.apply(batch)).toList(), batch.rows());
      }
    };
  }

  private static Column constant(Expression.Literal literal, int rows) {
    ColumnBuilder builder = ColumnBuilder.of(literal.type());
    for (int i = 0; i < rows; i++) {
      builder.add(literal.value());
    }
    return builder.build();
  }
}
