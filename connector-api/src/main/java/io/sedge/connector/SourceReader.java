package io.sedge.connector;

import io.sedge.engine.column.Batch;
import org.jspecify.annotations.Nullable;

/**
 * Reads one shard of a source. Called by its task's thread alone; what arrives on other threads
 * waits in a bounded queue inside, and when that is full the reader slows the far end down (TCP,
 * receive-maximum, a file that is not read on). It never drops.
 */
public interface SourceReader extends AutoCloseable {
  /**
   * The next rows, {@link Batch#TARGET_ROWS} as a rule at most; null if there are none now. Returns
   * promptly: it may read a local file, but does not wait for the network.
   *
   * @param nowNanos a monotonic clock
   * @throws ConnectorException of kind EXTERNAL if reading has failed for good
   */
  @Nullable Batch poll(long nowNanos);

  /** Whether the input has ended: every later {@link #poll} gives null. */
  boolean finished();

  /**
   * The watermark after the rows polled so far, in microseconds, for a source that knows it: no
   * later row will have an earlier event time. Asked before each poll; never falls. {@link
   * Long#MIN_VALUE}: what the table's WATERMARK says holds.
   */
  default long watermark() {
    return Long.MIN_VALUE;
  }

  /** Whether the source knows that it has no rows for now and is to hold back no watermark. */
  default boolean isIdle() {
    return false;
  }

  /**
   * Where reading stands after the last poll, in a form of the connector's own; bounded in size.
   */
  byte[] position();

  /** Goes to a position of an earlier reader of the same table; called before the first poll. */
  void seek(byte[] position);

  /**
   * All rows polled up to this position are committed; the far end may forget them (MQTT: they are
   * acknowledged). Called in the order of positions.
   */
  void acknowledge(byte[] position);

  /**
   * Whether the far end may send nothing more until some of what was polled since the last {@link
   * #position} is acknowledged, as far as the reader can tell. A commit then comes sooner than it
   * would, so that a window of the far end does not bound how many readings come. Cheap: asked at
   * every turn.
   */
  default boolean wantsCommit() {
    return false;
  }

  /**
   * Whether {@link #position} would say something new although nothing was counted: the reader has
   * found where reading begins. Such a position is committed without waiting for a reading, so that
   * the next reader begins there too. False again once {@link #position} was asked. Cheap: asked at
   * every turn.
   */
  default boolean hasNewPosition() {
    return false;
  }

  /**
   * For how long it need not be polled while it has nothing, nanoseconds: {@link Long#MAX_VALUE} if
   * it {@linkplain ConnectorContext#wakeUp wakes its task up} whenever there may be something. A
   * task all of whose readers do costs nothing at rest. Does not change.
   */
  default long idlePollNanos() {
    return 50_000_000;
  }

  /**
   * What it has counted so far. Cheap: asked many times a second, since a commit is due when the
   * counters have changed. A position that moves over what counts as nothing (blank lines) is
   * committed with the next that counts.
   */
  SourceCounters counters();

  /**
   * Nobody will go on from where this reader is: the far end may forget what it keeps for the next
   * one, such as a session and the messages that wait in it. Said before {@link #close}, by the
   * thread that closes.
   */
  default void retire() {}

  @Override
  void close();
}
