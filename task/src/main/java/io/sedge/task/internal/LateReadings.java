package io.sedge.task.internal;

/**
 * Whether nearly all that is read comes too late for its windows, as after a sensor whose clock is
 * ahead, or where a source begins anew. Looked at over spans of some seconds. One thread.
 */
final class LateReadings {
  static final long SPAN_NANOS = 10_000_000_000L;

  /** A span goes on until there are so many. */
  static final long LEAST = 10;

  private static final double NEARLY_ALL = 0.9;

  private boolean begun;
  private long sinceNanos;
  private long readingsBefore;
  private long lateBefore;

  /** In the last whole span. */
  private long readings;

  private boolean nearlyAll;

  boolean isDue(long nowNanos) {
    if (!begun) {
      begun = true;
      sinceNanos = nowNanos;
    }
    return nowNanos - sinceNanos >= SPAN_NANOS;
  }

  /**
   * Looks, when that {@link #isDue}.
   *
   * @param readingsNow read since the start
   * @param lateNow rows of them that were late, which may be several of one reading
   */
  void look(long readingsNow, long lateNow, long nowNanos) {
    if (readingsNow - readingsBefore < LEAST) {
      return;
    }
    readings = readingsNow - readingsBefore;
    nearlyAll = lateNow - lateBefore >= NEARLY_ALL * readings;
    readingsBefore = readingsNow;
    lateBefore = lateNow;
    sinceNanos = nowNanos;
  }

  boolean areNearlyAll() {
    return nearlyAll;
  }

  /** How many were read in the span that was looked at last. */
  long readings() {
    return readings;
  }
}
