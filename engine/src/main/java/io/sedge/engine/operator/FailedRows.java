package io.sedge.engine.operator;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;

/**
 * Takes the rows that an expression has no value for, or whose event time is of no use. Such a row
 * has never come to the operator that refuses it: it is in none of its results and in none of its
 * state. Called in the pipeline's thread, in the midst of a batch.
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
   *
   * @param row as the table gave it
   * @param madeOf its columns that the event time is made of
   */
  default void takeTimeless(FailedRow row, List<Integer> madeOf) {}

  /**
   * The latest event time that rows of a table may have now; of those that are later none makes a
   * watermark. Asked for each batch.
   *
   * @param type of the event time, TIMESTAMP or TIMESTAMP_LTZ
   * @return in microseconds, as {@code type} counts them; {@link Long#MAX_VALUE} if all are taken
   */
  default long latestTime(String table, Type type) {
    return Long.MAX_VALUE;
  }

  /**
   * Takes a row whose event time is later than {@link #latestTime}.
   *
   * @param row as the table gave it
   */
  default void takeEarly(FailedRow row) {}

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
