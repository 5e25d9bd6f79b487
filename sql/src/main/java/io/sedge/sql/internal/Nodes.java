package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes plan nodes, in their simplest form. */
final class Nodes {
  private Nodes() {}

  /** A projection; merged with one below where that repeats no work; none where it does nothing. */
  static PlanNode project(PlanNode input, List<Expression> expressions, Schema schema) {
    if (expressions.equals(Expressions.identity(input.schema())) && schema.equals(input.schema())) {
      return input;
    }
    if (input instanceof PlanNode.Project below && mergeable(below, expressions)) {
      return project(
          below.input(),
          expressions.stream()
              .map(expression -> Expressions.substitute(expression, below.expressions()))
              .toList(),
          schema);
    }
    return new PlanNode.Project(input, expressions, schema);
  }

  private static boolean mergeable(PlanNode.Project below, List<Expression> expressions) {
    if (isShared(below)) {
      return false;
    }
    for (int i = 0; i < below.expressions().size(); i++) {
      if (!Expressions.isTrivial(below.expressions().get(i))) {
        int column = i;
        int uses =
            expressions.stream().mapToInt(expression -> Expressions.uses(expression, column)).sum();
        if (uses > 1) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether it has scores that are given to two sinks, and computed once only as they are. */
  static boolean isShared(PlanNode.Project project) {
    return project.expressions().stream().anyMatch(Expressions::isWatched);
  }

  /** A filter; pushed below a projection of bare columns, joined with a filter below. */
  static PlanNode filter(PlanNode input, Expression condition) {
    return switch (input) {
      case PlanNode.Filter below -> {
        List<Expression> parts = new ArrayList<>(Expressions.conjuncts(below.condition()));
        parts.addAll(Expressions.conjuncts(condition));
        Expression both = Expressions.and(parts);
        yield new PlanNode.Filter(below.input(), both == null ? condition : both);
      }
      case PlanNode.Project below when !isShared(below) && reads(condition, below) ->
          new PlanNode.Project(
              filter(below.input(), Expressions.substitute(condition, below.expressions())),
              below.expressions(),
              below.schema());
      default -> new PlanNode.Filter(input, condition);
    };
  }

  /** Whether a condition over a projection reads only columns that it passes on unchanged. */
  private static boolean reads(Expression condition, PlanNode.Project below) {
    java.util.BitSet columns = new java.util.BitSet();
    Expressions.collectInputs(condition, columns);
    return columns.stream().allMatch(i -> Expressions.isTrivial(below.expressions().get(i)));
  }

  /** Names made different by a number where they are not. */
  static Schema schema(List<String> names, List<io.sedge.engine.type.Type> types) {
    Schema.Builder builder = Schema.builder();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      for (int n = 0; !seen.add(name); n++) {
        name = names.get(i) + n;
      }
      builder.add(name, types.get(i));
    }
    return builder.build();
  }
}
