package io.sedge.placement;

import java.util.Comparator;

/**
 * Names a shard in a site.
 *
 * @param job the job's name
 * @param shard the shard's name, unique in the job
 */
public record ShardId(String job, String shard) implements Comparable<ShardId> {
  private static final Comparator<ShardId> ORDER =
      Comparator.comparing(ShardId::job).thenComparing(ShardId::shard);

  /** Refuses blank names. */
  public ShardId {
    Checks.named(job, "the shard's job");
    Checks.named(shard, "the shard's name");
  }

  @Override
  public int compareTo(ShardId other) {
    return ORDER.compare(this, other);
  }

  /** {@code job/shard}. */
  @Override
  public String toString() {
    return job + "/" + shard;
  }
}
