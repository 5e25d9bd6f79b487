package io.sedge.connector;

/** A table that can be written. Immutable; opening is the sink's. */
public interface SinkFactory {
  /** Whether the sink takes updates and deletions; else only insertions. */
  boolean acceptsUpdates();

  /** Opens the sink. May block for as long as the connector's own timeouts say. */
  Sink open();
}
