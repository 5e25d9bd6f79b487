package io.sedge.ledger;

/**
 * A job as the ledger knows it.
 *
 * @param version grows with each script that replaces it; no job of that name had it before
 * @param detail why it is in its state, for people to read; may be empty
 * @param firstRow the sequence that the first row of the job's outbox got or will get
 * @param nextRow the sequence that the next row of the job's outbox will get
 * @param acknowledgedRow the sequence up to which rows of it are acknowledged or were never there
 */
public record Job(
    String name,
    String script,
    long version,
    JobState state,
    String detail,
    long firstRow,
    long nextRow,
    long acknowledgedRow) {
  /** How many rows it has given. */
  public long rows() {
    return nextRow - firstRow;
  }

  /** How many of them are not acknowledged. */
  public long waitingRows() {
    return nextRow - 1 - acknowledgedRow;
  }
}
