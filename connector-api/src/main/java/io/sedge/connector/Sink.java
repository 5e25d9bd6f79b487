package io.sedge.connector;

import io.sedge.engine.column.Batch;

/** Writes rows to a table. Called by its task's thread alone. */
public interface Sink extends AutoCloseable {
  /**
   * Takes a batch.
   *
   * @return false if there is no room: offer the same batch again later. Nothing of it is written
   *     twice
   * @throws ConnectorException of kind EXTERNAL if writing has failed for good
   */
  boolean offer(Batch batch);

  /**
   * Drives what was taken towards durability; does not wait. Also called about once a second while
   * nothing was offered, so that what depends on time alone (a file that is to end) can be done.
   *
   * @return whether all that was taken is durable at the far end (files: on disk; MQTT: sent and
   *     acknowledged as its QoS demands)
   */
  boolean flush();

  /** The payload bytes written so far. */
  long bytes();

  /** Ends the sink after a last flush: files get their final name. */
  @Override
  void close();
}
