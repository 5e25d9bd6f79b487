package io.sedge.engine.operator.internal;

/**
 * One partition of an OVER aggregate: the rows that wait, sorted by time, and its frame: the rows
 * that came out and still count, oldest first, in two stacks (see {@link OverFrames}).
 */
final class OverKey extends TimedHeap.Timed {
  final ObjectsByKey.Key key;
  final SortedSlots waiting;
  final OverAggregateOperator.Expiry expiry = new OverAggregateOperator.Expiry(this);

  /**
   * The time of the last rows that came out, or of a timer after them; MIN_VALUE before the first,
   * and again when the key has been forgotten.
   */
  long lastTime = Long.MIN_VALUE;

  /** Empty unless the frame is a range of time. */
  final CleanupTimers timers = new CleanupTimers();

  /**
   * Rows of the front stack, the oldest last, and for each the accumulators from it to the newest.
   */
  final Ints front = new Ints();

  final Ints frontAccumulators = new Ints();

  /**
   * Rows of the back stack, the newest last, and for each the accumulators of it alone; those of
   * all of them together, or -1.
   */
  final Ints back = new Ints();

  final Ints backAlone = new Ints();

  int backAccumulators = -1;

  /** While restoring: how many of its rows stand in front. */
  int frontRows;

  /** Whether the store knows an entry of it. */
  boolean written;

  OverKey(ObjectsByKey.Key key, RowTable table, SlotColumn times) {
    this.key = key;
    this.waiting = new SortedSlots(table, times);
  }

  int frameSize() {
    return front.size() + back.size();
  }

  /** Whether it is as if no row of it had come, but for those that wait. */
  boolean isBlank() {
    return lastTime == Long.MIN_VALUE && timers.isEmpty() && frameSize() == 0;
  }

  /** The time of the last row that has come out once the watermark is at {@code rowWatermark}. */
  long lastOut(long rowWatermark, RowTable table) {
    int out = waiting.indexAfterMark(table, rowWatermark);
    return out == 0 || timers.isBeforeReset(table.mark(waiting.get(out - 1)))
        ? lastTime
        : Math.max(lastTime, waiting.time(out - 1));
  }
}
