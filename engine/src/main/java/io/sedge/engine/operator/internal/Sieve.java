package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.operator.FailedRows;
import io.sedge.engine.operator.FailedRows.FailedRow;
import io.sedge.engine.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions over batches, without the rows that they fail for.
 *
 * <p>A batch is evaluated whole. If that fails, its halves are, and so on, until each row that
 * fails stands alone; it is handed on, and the others are evaluated together. So batches without
 * such rows cost nothing, and one of n rows at most 2n evaluations. Which rows are left out does
 * not depend on how a stream was cut into batches.
 */
final class Sieve {
  private final FailedRows failedRows;
  private final List<String> tables;
  private final Schema schema;

  /** The rows that the last {@link #select} did not fail for; null for all. */
  private int @Nullable [] kept;

  /**
   * @param tables that the rows come from
   * @param schema of the batches
   */
  Sieve(FailedRows failedRows, List<String> tables, Schema schema) {
    this.failedRows = failedRows;
    this.tables = List.copyOf(tables);
    this.schema = schema;
  }

  /**
   * What a step makes of the rows that it does not fail for. If there are none, the result has no
   * rows, and its columns mean nothing.
   */
  Batch apply(Batch batch, UnaryOperator<Batch> step) {
    Batch left = batch;
    while (left.rows() > 0) {
      try {
        return step.apply(left);
      } catch (EvaluationException failure) {
        int[] rows = new Halving(left, step).survivors(failure);
        left = left.gather(rows, rows.length);
      }
    }
    return left;
  }

  /**
   * The rows for which a condition is true, as {@link Evaluator#select} gives them. Rows that it
   * fails for are not among them; {@link #hasFailed} tells them from the others.
   */
  int select(Batch batch, Evaluator condition, int[] selected) {
    kept = null;
    Batch left = batch;
    while (left.rows() > 0) {
      try {
        int count = condition.select(left, selected);
        int[] rows = kept;
        for (int i = 0; rows != null && i < count; i++) {
          selected[i] = rows[selected[i]];
        }
        return count;
      } catch (EvaluationException failure) {
        Function<Batch, Integer> step = some -> condition.select(some, new int[some.rows()]);
        int[] rows = new Halving(left, step).survivors(failure);
        left = left.gather(rows, rows.length);
        kept = kept == null ? rows : composed(kept, rows);
      }
    }
    return 0;
  }

  /** Whether the condition of the last {@link #select} has failed for a row of its batch. */
  boolean hasFailed(int row) {
    return kept != null && Arrays.binarySearch(kept, row) < 0;
  }

  private static int[] composed(int[] first, int[] second) {
    return Arrays.stream(second).map(row -> first[row]).toArray();
  }

  /** The search for the rows of one batch that a step fails for. */
  private final class Halving {
    private final Batch batch;
    private final Function<Batch, ?> step;
    private final int[] survivors;
    private int count;

    Halving(Batch batch, Function<Batch, ?> step) {
      this.batch = batch;
      this.step = step;
      this.survivors = new int[batch.rows()];
    }

    /**
     * Hands on the rows that fail.
     *
     * @param failure of the whole batch
     * @return the other rows, ascending
     */
    int[] survivors(EvaluationException failure) {
      split(0, batch.rows(), failure);
      if (count == batch.rows()) {
        throw failure; // An expression that fails by chance: no row is to blame.
      }
      return Arrays.copyOf(survivors, count);
    }

    private void split(int from, int to, EvaluationException failure) {
      if (to - from == 1) {
        failedRows.take(new FailedRow(tables, schema, batch, from, failure));
        return;
      }
      int middle = (from + to) >>> 1;
      search(from, middle);
      search(middle, to);
    }

    private void search(int from, int to) {
      try {
        var _ = step.apply(batch.slice(from, to));
      } catch (EvaluationException failure) {
        split(from, to, failure);
        return;
      }
      for (int row = from; row < to; row++) {
        survivors[count++] = row;
      }
    }
  }
}
