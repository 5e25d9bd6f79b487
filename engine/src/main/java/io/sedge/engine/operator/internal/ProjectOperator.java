package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One column per expression; plain inputs are passed on as they are. */
final class ProjectOperator extends StatelessOperator {
  private final Evaluator.Projection expressions;
  private final Sieve sieve;

  /** The columns that it picks, if it does nothing else. */
  private final int @Nullable [] picked;

  ProjectOperator(PlanNode.Project plan, FunctionRegistry functions, Sieve sieve) {
    this.expressions = Evaluator.compileAll(plan.expressions(), functions);
    this.sieve = sieve;
    this.picked = picked(plan.expressions());
  }

  private static int @Nullable [] picked(List<Expression> expressions) {
    int[] picked = new int[expressions.size()];
    for (int i = 0; i < picked.length; i++) {
      if (!(expressions.get(i) instanceof Expression.Input input)) {
        return null;
      }
      picked[i] = input.column();
    }
    return picked;
  }

  @Override
  Batch apply(Batch batch) {
    if (picked != null) {
      return batch.project(picked);
    }
    return sieve.apply(batch, rows -> rows.withColumns(expressions.evaluate(rows)));
  }
}
