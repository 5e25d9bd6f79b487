package io.sedge.site.internal.commit;

/** What a task keeps of the rows for an exchange table until they can be given. */
public enum Holding {
  /** Each row is given at once. */
  NOTHING,

  /**
   * Partial results of windows that are not over. They may be given before, so a task that falls
   * idle gives them, and holds nobody back.
   */
  PARTIAL_RESULTS,

  /**
   * Results of windows that are not over. They would be late once others have gone on, so the task
   * never says that it is idle.
   */
  RESULTS
}
