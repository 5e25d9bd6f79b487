package io.sedge.connector.kafka.internal;

import java.util.Map;

/** Which offset of each partition is meant: where reading begins, or where it ends. */
sealed interface OffsetChoice {
  /** The oldest record that there is. */
  record Earliest() implements OffsetChoice {}

  /** After the newest record that there is. */
  record Latest() implements OffsetChoice {}

  /** What the group has committed. */
  record Group() implements OffsetChoice {}

  /** The first record of that time or later. */
  record Timestamp(long millis) implements OffsetChoice {}

  /**
   * These.
   *
   * @param offsets by partition; those of others are as the group has committed
   */
  record Specific(Map<Integer, Long> offsets) implements OffsetChoice {
    public Specific {
      offsets = Map.copyOf(offsets);
    }
  }

  /** Never: for where reading ends. */
  record None() implements OffsetChoice {}

  /** Whether it is the same record each time that it is asked for, as long as that is kept. */
  default boolean isRepeatable() {
    return this instanceof Earliest || this instanceof Timestamp;
  }
}
