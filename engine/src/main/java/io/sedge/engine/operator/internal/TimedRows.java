package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out the rows of a batch whose event time is null, as an outer join makes them, and counts
 * them. Says the same of a batch until it is done with.
 */
final class TimedRows {
  private final int timeColumn;
  private @Nullable Batch timed;
  private long left;

  TimedRows(int timeColumn) {
    this.timeColumn = timeColumn;
  }

  /** How many rows were left out. */
  long nullTimes() {
    return left;
  }

  /** The rows with a time. */
  Batch of(Batch batch) {
    Batch known = timed;
    if (known == null) {
      known = batch.source().column(timeColumn).nulls() == null ? batch : select(batch);
      left += batch.rows() - known.rows();
      timed = known;
    }
    return known;
  }

  /** The batch is taken: another one comes. */
  void done() {
    timed = null;
  }

  private Batch select(Batch batch) {
    Column times = batch.column(timeColumn);
    int[] rows = new int[batch.rows()];
    int count = 0;
    for (int row = 0; row < rows.length; row++) {
      if (!times.isNull(row)) {
        rows[count++] = row;
      }
    }
    return count == rows.length ? batch : batch.select(rows, count);
  }
}
