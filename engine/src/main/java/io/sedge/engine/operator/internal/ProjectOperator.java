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

  /** Whether somebody asks for {@link #origin}. */
  private boolean remembers;

  private @Nullable Batch taken;
  private @Nullable Batch made;

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

  /** From now on answers {@link #origin}. */
  void remember() {
    remembers = true;
  }

  /** The rows that a batch was made of, row by row; null if that is not the last one it made. */
  @Nullable Batch origin(Batch batch) {
    return batch == made ? taken : null;
  }

  @Override
  Batch apply(Batch batch) {
    if (picked != null) {
      return remembered(batch, batch.project(picked));
    }
    return sieve.apply(
        batch, rows -> remembered(rows, rows.withColumns(expressions.evaluate(rows))));
  }

  private Batch remembered(Batch batch, Batch result) {
    if (remembers) {
      taken = batch;
      made = result;
    }
    return result;
  }
}
