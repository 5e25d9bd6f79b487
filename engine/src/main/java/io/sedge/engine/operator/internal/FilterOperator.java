package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;

/** Keeps the rows for which the condition is true: neither false nor null. */
final class FilterOperator extends StatelessOperator {
  /** A view holds all rows of the batch behind it, so it must not be much smaller. */
  private static final int MOST = 2;

  private final Evaluator condition;
  private final Sieve sieve;

  FilterOperator(PlanNode.Filter plan, FunctionRegistry functions, Sieve sieve) {
    this.condition = Evaluator.compile(plan.condition(), functions);
    this.sieve = sieve;
  }

  @Override
  Batch apply(Batch batch) {
    int[] selected = new int[batch.rows()];
    int count = sieve.select(batch, condition, selected);
    if (count == batch.rows()) {
      return batch;
    }
    return count >= batch.rows() / MOST
        ? batch.select(selected, count)
        : batch.gather(selected, count);
  }
}
