package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.plan.PlanNode;
import java.util.List;
import java.util.Objects;

/** Keeps the rows for which the condition is true: neither false nor null. */
final class FilterOperator extends StatelessOperator {
  private final Evaluation condition;

  FilterOperator(PlanNode.Filter plan, FunctionRegistry functions) {
    condition = new Evaluation(List.of(plan.condition()), functions);
  }

  @Override
  Batch apply(Batch batch) {
    int[] selected = new int[batch.rows()];
    int count = select((BooleanColumn) condition.column(batch), selected);
    return count == batch.rows() ? batch : batch.gather(selected, count);
  }

  /** Writes the rows that are true into {@code selected} and returns how many there are. */
  static int select(BooleanColumn column, int[] selected) {
    boolean[] values = Objects.requireNonNull(column.values());
    boolean[] nulls = column.nulls();
    int rows = column.size();
    int count = 0;
    if (nulls == null) {
      for (int i = 0; i < rows; i++) {
        selected[count] = i;
        count += values[i] ? 1 : 0;
      }
    } else {
      for (int i = 0; i < rows; i++) {
        selected[count] = i;
        count += values[i] && !nulls[i] ? 1 : 0;
      }
    }
    return count;
  }
}
