package io.sedge.connector;

import java.util.Optional;

/**
 * Whose rows a sink is opened for, and how many of them the far end is known to have. If the
 * recovery point is before the first row, it is not known to have any of this job's.
 *
 * @param writer whose rows they are; empty for a job that is run on its own: its sequences begin at
 *     1 with each start, so nothing that an earlier sink has written is known by them
 * @param firstRow the sequence that the first row of the job got or will get; those before it are
 *     of jobs of the same name that were removed
 * @param recoveryPoint the sequence up to which rows are known to be delivered; 0 for none. Rows
 *     after it may be at the far end all the same: what is known comes late
 */
public record Delivery(Optional<Writer> writer, long firstRow, long recoveryPoint) {
  /** Rows of a job that is run on its own. */
  public static final Delivery OF_A_RUN = new Delivery(Optional.empty(), 1, 0);

  public Delivery {
    if (firstRow < 1) {
      throw new IllegalArgumentException("first row %d is below 1".formatted(firstRow));
    }
    if (recoveryPoint < 0) {
      throw new IllegalArgumentException("recovery point %d is below 0".formatted(recoveryPoint));
    }
  }

  /** Rows of a writer. */
  public static Delivery of(Writer writer, long firstRow, long recoveryPoint) {
    return new Delivery(Optional.of(writer), firstRow, recoveryPoint);
  }

  /**
   * The name of a series of rows, the same whichever process delivers them. A writer never gives a
   * sequence to two different rows, so writer and sequence tell a row from all others.
   *
   * @param site no two sites have the same
   * @param job the name of the job
   * @param task which of the job's tasks numbers the rows
   * @param table the sink table
   */
  public record Writer(String site, String job, String task, String table) {
    /** All of it: {@code site/job/task/table}. */
    public String name() {
      return String.join("/", site, job, task, table);
    }
  }
}
