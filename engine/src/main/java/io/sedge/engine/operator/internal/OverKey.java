package io.sedge.engine.operator.internal;

/**
 * One partition of an OVER aggregate: the rows that wait, sorted by time, and its frame: the rows
 * that came out and still count, oldest first, in two stacks (see {@link OverFrames}).
 */
final class OverKey extends TimedHeap.Timed {
  final Keyed.Key key;
  final SortedSlots waiting;
  final OverAggregateOperator.Expiry expiry = new OverAggregateOperator.Expiry(this);

  /** The time of the last rows that came out; MIN_VALUE before. */
  long lastTime = Long.MIN_VALUE;

  /**
   * Rows of the front stack, the oldest last, and for each the accumulators from it to the newest.
   */
  final Ints front = new Ints();

  final Ints frontAccumulators = new Ints();

  /** Rows of the back stack, the newest last; their accumulators together, or -1. */
  final Ints back = new Ints();

  int backAccumulators = -1;

  /** While restoring: how many of its rows stand in front. */
  int frontRows;

  /** Whether the store knows an entry of it. */
  boolean written;

  OverKey(Keyed.Key key, Vault times) {
    this.key = key;
    this.waiting = new SortedSlots(times);
  }

  int frameSize() {
    return front.size() + back.size();
  }

  /** The time of the last row that has come out once the watermark is at {@code rowWatermark}. */
  long lastOut(long rowWatermark, RowTable table) {
    for (int i = waiting.indexAfter(rowWatermark) - 1; i >= 0; i--) {
      if (table.mark(waiting.get(i)) <= rowWatermark) {
        return waiting.time(i);
      }
    }
    return lastTime;
  }
}
