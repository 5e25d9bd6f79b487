package io.sedge.task.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.operator.FailedRows;
import io.sedge.sql.Job;

/**
 * What becomes of rows that an expression fails for, or that have no event time: they are left out,
 * or end the job.
 */
public final class RowFailures implements FailedRows {
  private final MalformedLog log;
  private final boolean skips;

  /**
   * @param skips whether they are left out
   */
  public RowFailures(MalformedLog log, boolean skips) {
    this.log = log;
    this.skips = skips;
  }

  @Override
  public void take(FailedRow row) {
    refuseUnlessSkipped(row);
    log.addRow(row);
  }

  @Override
  public void takeTimeless(FailedRow row) {
    refuseUnlessSkipped(row);
    log.addTimeless(row);
  }

  private void refuseUnlessSkipped(FailedRow row) {
    if (!skips) {
      throw new EvaluationException(
          "table %s: %s: %s; SET '%s' = '%s' leaves such rows out"
              .formatted(
                  MalformedLog.tables(row),
                  MalformedLog.reason(row),
                  MalformedLog.values(row),
                  Job.ON_ROW_FAILURE,
                  Job.SKIP),
          row.failure());
    }
  }
}
