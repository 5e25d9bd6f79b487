package io.sedge.engine.expression;

import io.sedge.engine.column.Column;
import java.util.List;

/**
 * A function from columns to a column, row by row. Bound to its argument and result types when it
 * is looked up, so {@link #apply} does no dispatch on types. Implementations keep no state between
 * calls that changes a result; caches are allowed. One thread.
 */
@FunctionalInterface
public interface ScalarFunction {
  /**
   * @param arguments columns of {@code rows} rows each, of the types the function was bound to
   * @return a column of {@code rows} rows of the result type
   * @throws EvaluationException if a row has no result (division by zero, a failed CAST)
   */
  Column apply(List<Column> arguments, int rows);

  /**
   * Whether equal arguments always give equal results. If so, a call may be evaluated once for
   * several uses, and before the job starts where its arguments are constants.
   */
  default boolean isDeterministic() {
    return true;
  }
}
