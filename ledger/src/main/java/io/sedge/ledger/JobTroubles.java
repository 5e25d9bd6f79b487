package io.sedge.ledger;

/**
 * What went wrong with a job's tasks on a device since its process began.
 *
 * @param malformed payloads of its tables that could not be decoded
 * @param failures of its tasks
 */
public record JobTroubles(long malformed, long failures) {
  /** Nothing did. */
  public static final JobTroubles NONE = new JobTroubles(0, 0);

  /** Both together. */
  public JobTroubles plus(JobTroubles more) {
    return new JobTroubles(malformed + more.malformed, failures + more.failures);
  }
}
