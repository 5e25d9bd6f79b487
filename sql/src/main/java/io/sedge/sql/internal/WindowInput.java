package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a window aggregate reads.
 *
 * @param node gives the columns
 * @param timeColumn event time
 * @param keys the group columns
 * @param calls the aggregates over the node's columns
 */
record WindowInput(PlanNode node, int timeColumn, List<Integer> keys, List<AggregateCall> calls) {

  /** Collects the columns of a projection, each once. */
  static final class Builder {
    private final PlanNode source;
    private final List<Expression> expressions = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    Builder(PlanNode source) {
      this.source = source;
    }

    /**
     * The position of an expression.
     *
     * @param name what to call the column; null for the name it has in the source
     */
    int add(Expression expression, @Nullable String name) {
      int known = expressions.indexOf(expression);
      if (known >= 0) {
        return known;
      }
      expressions.add(expression);
      if (name != null) {
        names.add(name);
      } else if (expression instanceof Expression.Input input) {
        names.add(source.schema().name(input.column()));
      } else {
        names.add("$f" + names.size());
      }
      return expressions.size() - 1;
    }

    PlanNode build() {
      List<Type> types = expressions.stream().map(Expression::type).toList();
      return Nodes.project(source, expressions, Nodes.schema(names, types));
    }
  }
}
