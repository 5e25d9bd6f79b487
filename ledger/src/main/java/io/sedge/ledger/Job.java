package io.sedge.ledger;

import java.util.List;
import java.util.Optional;

/**
 * A job as the ledger knows it.
 *
 * @param version grows with each script that replaces it; no job of that name had it before
 * @param detail why it is in its state, for people to read; may be empty
 * @param firstRow the sequence that the first row of the job's outbox got or will get
 * @param nextRow the sequence that the next row of the job's outbox will get
 * @param acknowledgedRow the sequence up to which rows of it are acknowledged or were never there
 * @param files that its script names; those of a job that an older version submitted are not known,
 *     and are where the script says, on each device
 * @param earlier the script whose sinks its rows go to now; empty for its own
 */
public record Job(
    String name,
    String script,
    long version,
    JobState state,
    String detail,
    long firstRow,
    long nextRow,
    long acknowledgedRow,
    List<JobFile> files,
    Optional<Earlier> earlier) {
  public Job {
    files = List.copyOf(files);
  }

  /**
   * A script that was replaced while rows of it were in the outbox, which only it can deliver.
   *
   * @param version that it had
   * @param lastRow the sequence of the last row that it is to deliver
   * @param files that it names
   */
  public record Earlier(String script, long version, long lastRow, List<JobFile> files) {
    public Earlier {
      files = List.copyOf(files);
    }
  }

  /** One that delivers its own rows, and whose script names no files. */
  public Job(
      String name,
      String script,
      long version,
      JobState state,
      String detail,
      long firstRow,
      long nextRow,
      long acknowledgedRow) {
    this(
        name,
        script,
        version,
        state,
        detail,
        firstRow,
        nextRow,
        acknowledgedRow,
        List.of(),
        Optional.empty());
  }

  /** How many rows it has given. */
  public long rows() {
    return nextRow - firstRow;
  }

  /** How many of them are not acknowledged. */
  public long waitingRows() {
    return nextRow - 1 - acknowledgedRow;
  }
}
