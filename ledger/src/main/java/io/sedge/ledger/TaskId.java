package io.sedge.ledger;

import java.util.Comparator;

/**
 * Names a task: a job's work over one shard.
 *
 * @param job the job's name
 * @param shard the shard's name, unique in the job
 */
public record TaskId(String job, String shard) implements Comparable<TaskId> {
  private static final Comparator<TaskId> ORDER =
      Comparator.comparing(TaskId::job).thenComparing(TaskId::shard);

  public TaskId {
    Names.check(job, "job");
    Names.check(shard, "shard");
  }

  @Override
  public int compareTo(TaskId other) {
    return ORDER.compare(this, other);
  }

  /** {@code job/shard}. */
  @Override
  public String toString() {
    return job + "/" + shard;
  }
}
