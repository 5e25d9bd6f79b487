package io.sedge.site.api;

import java.util.List;

/**
 * What becomes of a job that is given a new version of its script.
 *
 * @param job its name
 * @param version of the script that is replaced
 * @param changes whether there is anything to do: not if the script is the same
 * @param parts what becomes of each table and each step that keeps something, in a stable order
 */
public record JobReplacement(String job, long version, boolean changes, List<Part> parts) {
  public JobReplacement {
    parts = List.copyOf(parts);
  }

  /** What becomes of a part. */
  public enum Fate {
    /** It goes on with what it has. */
    KEPT,
    /** It is new or was changed, and begins with nothing. */
    BEGINS_ANEW,
    /** The new version has no use for what it had, which is lost. */
    DROPPED
  }

  /**
   * A table, or a step that keeps something.
   *
   * @param task whose part it is: {@code all}, {@code merge}, {@code delivery}, or {@code
   *     readings/*} for all shards of the table readings
   * @param what the table or step
   * @param why the reason, and what is lost
   */
  public record Part(Fate fate, String task, String what, String why) {}
}
