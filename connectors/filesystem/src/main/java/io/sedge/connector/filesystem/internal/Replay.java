package io.sedge.connector.filesystem.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import org.jspecify.annotations.Nullable;

/**
 * Gives rows when their own time comes. The first row sets the pace: it is given at once, and
 * another whose time is t later is given t / speed later. A row without a time, or of an earlier
 * time than the one before, is given with that one. One thread.
 */
final class Replay {
  private static final double NANOS_PER_MICRO = 1_000;

  private final double speed;
  private final int timeColumn;

  private @Nullable Batch batch;
  private long[] offsets = new long[0];
  private long start;
  private int given;

  private boolean started;
  private long firstMicros;
  private long startNanos;

  Replay(double speed, int timeColumn) {
    this.speed = speed;
    this.timeColumn = timeColumn;
  }

  boolean isEmpty() {
    return batch == null;
  }

  /**
   * Takes rows to give in their time.
   *
   * @param newStart the offset in their file before the first row
   * @param newOffsets by row: the offset after it
   */
  void take(Batch newBatch, long newStart, long[] newOffsets) {
    batch = newBatch;
    start = newStart;
    offsets = newOffsets;
    given = 0;
  }

  /** The rows whose time has come; null if there are none. */
  @Nullable Batch due(long nowNanos) {
    Batch held = batch;
    if (held == null) {
      return null;
    }
    int from = given;
    int to = from;
    LongColumn times = (LongColumn) held.column(timeColumn);
    while (to < held.rows() && (times.isNull(to) || isDue(times.values()[to], nowNanos))) {
      to++;
    }
    if (to == from) {
      return null;
    }
    given = to;
    if (to == held.rows()) {
      batch = null;
    }
    return held.slice(from, to);
  }

  private boolean isDue(long micros, long nowNanos) {
    if (!started) {
      started = true;
      firstMicros = micros;
      startNanos = nowNanos;
    }
    return (micros - firstMicros) * NANOS_PER_MICRO <= (nowNanos - startNanos) * speed;
  }

  /** The offset after the row that was given last. */
  long offset() {
    return given == 0 ? start : offsets[given - 1];
  }
}
