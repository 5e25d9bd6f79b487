package io.sedge.division;

import io.sedge.connector.Part;
import io.sedge.sql.Job;
import java.util.Optional;

/**
 * A part of a job that one task runs, on one device at a time.
 *
 * @param name unique in the job, the same on every device: {@link Fragments#ALL}, {@link
 *     Fragments#MERGE}, or {@code TABLE/SHARD}
 * @param job what the task reads, computes and writes. Tables of the connector {@link
 *     Fragments#EXCHANGE} pass rows from the shards to the fragment that merges them, under one
 *     name at both ends; all others are the job's own
 * @param dividedTable the table of {@code job} of which only one shard is read
 * @param shard of {@code dividedTable}, for {@link io.sedge.connector.Source#shard}; there if and
 *     only if that is
 * @param device the only one that can run it, since it has the readings; empty if any can
 * @param part what of the input it reads, if {@code dividedTable} is cut into parts
 */
public record Fragment(
    String name,
    Job job,
    Optional<String> dividedTable,
    Optional<String> shard,
    Optional<String> device,
    Optional<Part> part) {
  public Fragment {
    if (dividedTable.isPresent() != shard.isPresent()) {
      throw new IllegalArgumentException(
          "fragment %s reads shard %s of table %s".formatted(name, shard, dividedTable));
    }
  }

  /** What reads no table that is divided. */
  public static Fragment whole(String name, Job job) {
    return new Fragment(
        name, job, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Whether the rows that it computes are for the fragment that merges and for nobody else. */
  public boolean givesToMergeAlone() {
    return job.plan().sinks().stream()
        .map(sink -> job.sinks().get(sink.table()))
        .allMatch(sink -> sink != null && sink.connector().equals(Fragments.EXCHANGE));
  }
}
