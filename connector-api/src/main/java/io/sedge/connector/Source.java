package io.sedge.connector;

/** A table that can be read. Immutable; opening is the reader's. */
public interface Source {
  /** Whether the input ends by itself. */
  boolean bounded();

  /** Opens a reader at the beginning. May block for as long as the connector's own timeouts say. */
  SourceReader open();
}
