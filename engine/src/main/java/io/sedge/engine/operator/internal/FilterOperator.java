package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;

/** Keeps the rows for which the condition is true: neither false nor null. */
final class FilterOperator extends StatelessOperator {
  private final Evaluator condition;

  FilterOperator(PlanNode.Filter plan, FunctionRegistry functions) {
    condition = Evaluator.compile(plan.condition(), functions);
  }

  @Override
  Batch apply(Batch batch) {
    int[] selected = new int[batch.rows()];
    int count = condition.select(batch, selected);
    return count == batch.rows() ? batch : batch.gather(selected, count);
  }
}
