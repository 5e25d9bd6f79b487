package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;

/** One column per expression; plain inputs are passed on as they are. */
final class ProjectOperator extends StatelessOperator {
  private final Evaluator.Projection expressions;

  ProjectOperator(PlanNode.Project plan, FunctionRegistry functions) {
    expressions = Evaluator.compileAll(plan.expressions(), functions);
  }

  @Override
  Batch apply(Batch batch) {
    return batch.withColumns(expressions.evaluate(batch));
  }
}
