package io.sedge.connector;

/**
 * Writes rows to a table. Called by its task's thread alone.
 *
 * <p>Batches come in the order of their sequences. Sequences may be missing between two batches,
 * since rows of other tables are counted too. The end of a batch is the only place where a writer
 * may be found to have stopped: rows that are offered again, to another sink after this one has
 * died, come in the very same batches with the same sequences.
 *
 * <p>A sink of {@link Guarantee#EXACTLY_ONCE} relies on that. It keeps at the far end how far it
 * has come, in one step with the rows (a transaction, an offset), or writes each row to a place
 * that its sequence determines (an upsert). A sink may still be running when another is opened for
 * the same {@link Delivery.Writer}: its process was taken for dead, or is cut off. From then on the
 * older one must change nothing at the far end and report nothing as durable; it fails with a
 * {@link ConnectorException}.
 */
public interface Sink extends AutoCloseable {
  /**
   * Takes a batch.
   *
   * @param batch begins after all that was taken, and after what {@link #flush} told first
   * @return false if there is no room: offer the same batch again later. Nothing of it is written
   *     twice
   * @throws ConnectorException of kind EXTERNAL if writing has failed for good
   */
  boolean offer(NumberedBatch batch);

  /**
   * Drives what was taken towards durability; does not wait. Also called about once a second while
   * nothing was offered, so that what depends on time alone (a file that is to end) can be done.
   *
   * <p>Called once before the first batch: the answer then is what earlier writers have left at the
   * far end, the recovery point at least. Rows up to there are not offered.
   *
   * @return the sequence up to which all rows are durable at the far end (files: on disk; MQTT:
   *     sent and acknowledged as its QoS demands). Never falls, may lag
   */
  long flush();

  /**
   * Whether it wakes its task up when it has room again and when more is durable, so that it need
   * not be asked meanwhile. Does not change.
   */
  default boolean wakes() {
    return false;
  }

  /** The payload bytes written so far. */
  long bytes();

  /** Ends the sink after a last flush: files get their final name. */
  @Override
  void close();
}
