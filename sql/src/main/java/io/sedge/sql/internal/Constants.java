package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Evaluates what is constant in the rows of VALUES, and makes one step of them. */
final class Constants {
  private final FunctionCheck functions;

  Constants(FunctionCheck functions) {
    this.functions = functions;
  }

  /** The same rows, from one Values where the node only gives constants. */
  PlanNode folded(PlanNode node) {
    return switch (node) {
      case PlanNode.Project project -> project(project);
      case PlanNode.Union union -> union(union);
      default -> node;
    };
  }

  private PlanNode project(PlanNode.Project project) {
    PlanNode input = folded(project.input());
    if (!(input instanceof PlanNode.Values values)) {
      return new PlanNode.Project(input, project.expressions(), project.schema());
    }
    List<List<Expression.Literal>> rows = new ArrayList<>();
    for (List<Expression.Literal> row : values.rows()) {
      List<Expression.Literal> projected = new ArrayList<>();
      for (Expression expression : project.expressions()) {
        Expression value = functions.folded(Expressions.substitute(expression, List.copyOf(row)));
        if (!(value instanceof Expression.Literal literal)) {
          return new PlanNode.Project(input, project.expressions(), project.schema());
        }
        projected.add(literal);
      }
      rows.add(projected);
    }
    return new PlanNode.Values(rows, project.schema());
  }

  private PlanNode union(PlanNode.Union union) {
    List<PlanNode> inputs = union.inputs().stream().map(this::folded).toList();
    if (!inputs.stream().allMatch(PlanNode.Values.class::isInstance)) {
      return new PlanNode.Union(inputs);
    }
    List<List<Expression.Literal>> rows =
        inputs.stream()
            .flatMap(
                input ->
                    input instanceof PlanNode.Values values
                        ? values.rows().stream()
                        : Stream.<List<Expression.Literal>>empty())
            .toList();
    return new PlanNode.Values(rows, union.schema());
  }
}
