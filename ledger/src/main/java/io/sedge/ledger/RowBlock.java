package io.sedge.ledger;

/**
 * Rows that were committed and not acknowledged. A row is told from all others of a site by its
 * job, its channel and its sequence: the first row here has {@code sequence}, the last {@link
 * #last()}.
 *
 * @param task whose rows they are
 * @param sequence of the first row; a job's rows of one channel are numbered without gaps, from
 *     where those of removed jobs left off
 */
public record RowBlock(TaskId task, long sequence, Rows rows) {
  /** The sequence of the last row. */
  public long last() {
    return sequence + rows.count() - 1;
  }
}
