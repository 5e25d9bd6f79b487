package io.sedge.connector;

/** A table that can be read. Immutable; opening is the reader's. */
public interface Source {
  /** Whether the input ends by itself. */
  boolean bounded();

  /**
   * Opens a reader at the beginning. May block for as long as the connector's own timeouts say. Of
   * a divided source this reads all shards, or, if it is divided by device, this machine's.
   */
  SourceReader open();

  /** How its readings can be divided among devices. */
  default Division division() {
    return Division.WHOLE;
  }

  /**
   * A part of it, which is whole itself. A position of a reader of a shard is one of that shard
   * alone.
   *
   * @param name one of {@link Division.ByKey#shards}; for {@link Division.ByDevice} the name of the
   *     device, which must be this one: what is read is this machine's
   * @throws IllegalArgumentException if there is no such shard
   */
  default Source shard(String name) {
    throw new IllegalArgumentException(
        "there is no shard '%s': the source is not divided".formatted(name));
  }
}
