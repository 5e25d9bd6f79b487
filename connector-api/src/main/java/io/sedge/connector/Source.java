package io.sedge.connector;

import java.util.List;
import java.util.Optional;

/** A table that can be read. Immutable; opening is the reader's. */
public interface Source {
  /** Whether the input ends by itself. */
  boolean bounded();

  /**
   * Whether each reader that is opened begins at the same place: not where the far end keeps how
   * far somebody has read.
   */
  default boolean isRepeatable() {
    return true;
  }

  /**
   * Opens a reader at the beginning. May block for as long as the connector's own timeouts say. Of
   * a divided source this reads all shards, or, if it is divided by device, this machine's.
   */
  SourceReader open();

  /**
   * The same, leaving out rows outside of bounds where that saves reading; the job filters what it
   * gives all the same. Rows that are too early or have no time may be left out wherever they come,
   * those that are too late only where no row within the bounds follows: the watermark of one that
   * is too late may make that row late.
   *
   * @return empty if it makes no use of bounds of that column
   */
  default Optional<Source> between(TimeBounds bounds) {
    return Optional.empty();
  }

  /** How its readings can be divided among devices. */
  default Division division() {
    return Division.WHOLE;
  }

  /**
   * A part of it, which is whole itself. A position of a reader of a shard is one of that shard
   * alone.
   *
   * @param name one of {@link Division.ByKey#shards}; for {@link Division.ByDevice} the name of the
   *     device, which must be this one: what is read is this machine's; for {@link Division.ByPart}
   *     the {@link Part#range} of a part. Its reader fails (kind USER) if the input is not what it
   *     was when it was cut
   * @throws IllegalArgumentException if there is no such shard
   */
  default Source shard(String name) {
    throw new IllegalArgumentException(
        "there is no shard '%s': the source is not divided".formatted(name));
  }

  /**
   * Looks for the values of the shard key that readings have now. May block for some seconds.
   *
   * @return sorted, each once; empty if no readings came
   * @throws ConnectorException if it cannot look
   * @throws IllegalArgumentException if the source is not {@link Division.Undiscovered}
   */
  default List<String> values() throws InterruptedException {
    throw new IllegalArgumentException("the source has no shard key to discover values of");
  }

  /**
   * Cuts an input that is divided {@link Division.ByPart by part}, as it is now: the parts together
   * give every reading once. Called on one device; the others get to know the parts from it. May
   * block, and look at the whole input once.
   *
   * @return one to {@link PartSizes#atMost} parts, in the order of the input; one that is empty if
   *     there is nothing to read
   * @throws ConnectorException if the input cannot be looked at
   * @throws IllegalArgumentException if the source is not divided so
   */
  default List<Part> parts(PartSizes sizes) {
    throw new IllegalArgumentException("the source is not divided by part");
  }
}
