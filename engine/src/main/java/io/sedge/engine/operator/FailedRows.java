package io.sedge.engine.operator;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.type.Schema;
import java.util.List;

/**
 * Takes the rows that an expression has no value for. Such a row has never come to the operator
 * that evaluates the expression: it is in none of its results and in none of its state. Called in
 * the pipeline's thread, in the midst of a batch.
 */
@FunctionalInterface
public interface FailedRows {
  /** Ends the call of the pipeline with what the expression said. */
  FailedRows THROWN =
      row -> {
        throw row.failure();
      };

  /**
   * Takes a row. What it throws ends the call of the pipeline, and the pipeline is of no more use.
   */
  void take(FailedRow row);

  /**
   * Takes a row that has no event time, which is dropped, and counted by its operator. What it
   * throws ends the call of the pipeline.
   */
  default void takeTimeless(FailedRow row) {}

  /**
   * A row that an expression has no value for.
   *
   * @param tables that the operator's rows come from, by name; none if they are constants
   * @param schema of {@code batch}
   * @param batch with the row
   * @param row its position in {@code batch}
   * @param failure what the expression said, and where the expression was written
   */
  record FailedRow(
      List<String> tables, Schema schema, Batch batch, int row, EvaluationException failure) {
    public FailedRow {
      tables = List.copyOf(tables);
    }
  }
}
