package io.sedge.division;

import java.util.Set;

/** Where a step of a plan can be done. */
sealed interface Place {
  /** It needs nothing of a divided table: wherever it is of use, whole. */
  record Anywhere() implements Place {}

  /**
   * In each shard of a table apart: what the shards give together is what the whole would give.
   *
   * @param keys the columns of its rows that have the shard's name, so that rows of equal keys come
   *     from one shard
   */
  record InShards(String table, Set<Integer> keys) implements Place {
    public InShards {
      keys = Set.copyOf(keys);
    }
  }

  /** In one place, over what all shards give. */
  record Merged() implements Place {}
}
