package io.sedge.connector.kafka.internal;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a source reads, and how.
 *
 * @param topics by name
 * @param startup where reading begins that has no position
 * @param bounded where it ends
 * @param discovery how often new partitions are looked for; zero for never
 * @param queueBytes what may wait for the job
 * @param partitions those that are read, by number; empty for all
 * @param listed all that the table's shards read; the others are said if {@code tells}
 * @param tells whether its reader says which partitions no shard reads
 */
record SourceSettings(
    List<String> topics,
    ClientProperties client,
    OffsetChoice startup,
    OffsetChoice bounded,
    Duration discovery,
    long queueBytes,
    Optional<List<Integer>> partitions,
    List<Integer> listed,
    boolean tells) {
  SourceSettings {
    topics = List.copyOf(topics);
    partitions = partitions.map(List::copyOf);
    listed = List.copyOf(listed);
  }

  boolean isBounded() {
    return !(bounded instanceof OffsetChoice.None);
  }

  boolean reads(int partition) {
    return partitions.isEmpty() || partitions.get().contains(partition);
  }

  /** The same for some of the listed partitions. */
  SourceSettings only(List<Integer> some, boolean newTells) {
    return new SourceSettings(
        topics,
        client,
        startup,
        bounded,
        discovery,
        queueBytes,
        Optional.of(some),
        listed,
        newTells);
  }
}
