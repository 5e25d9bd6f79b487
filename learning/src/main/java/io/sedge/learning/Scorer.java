package io.sedge.learning;

import io.sedge.engine.column.Column;
import io.sedge.engine.expression.EvaluationException;
import java.util.List;

/** Scores rows by a {@link Model}; belongs to one thread. */
@FunctionalInterface
public interface Scorer {
  /**
   * Scores rows. Equal rows have equal scores, whatever rows stand beside them, but for the
   * rounding of sums.
   *
   * @param features columns of {@code rows} rows each, as the model's input declares them; no value
   *     is null
   * @param rows at least 1
   * @return a column of {@code rows} rows for each column of the model's output
   * @throws EvaluationException if the model has no score for a row; then the caller finds out for
   *     which
   */
  List<Column> score(List<Column> features, int rows);
}
