package io.sedge.site.internal.device;

/**
 * A moment in which devices are looked at more closely, since one of them may have ended. Bounded:
 * a member may connect and leave all the time, so no more than {@link #MOST_NANOS} pass in alarms
 * one after the other, and a tenth of the time from then on. Any thread; nobody waits here.
 */
final class Alarm {
  /** So long is one. */
  private static final long LENGTH_NANOS = 300_000_000L;

  /** Ten of them. */
  private static final long MOST_NANOS = 10 * LENGTH_NANOS;

  private static final int REST_FACTOR = 10;

  private boolean raised;
  private long untilNanos;

  /** What alarms may still take, as it was at {@link #countedNanos}. */
  private long leftNanos = MOST_NANOS;

  private long countedNanos;

  /** Begins one, or has the present one last longer, unless there were too many. */
  synchronized void raise(long nowNanos) {
    if (!raised) {
      raised = true;
      untilNanos = nowNanos;
      countedNanos = nowNanos;
    }
    long refill = Math.max(0, nowNanos - countedNanos) / REST_FACTOR;
    long begin = isOn(nowNanos) ? untilNanos : nowNanos;
    long left = Math.min(MOST_NANOS, leftNanos + refill);
    countedNanos = nowNanos;
    leftNanos = left;
    if (left >= LENGTH_NANOS) {
      untilNanos = nowNanos + LENGTH_NANOS;
      leftNanos -= untilNanos - begin;
    }
  }

  synchronized boolean isOn(long nowNanos) {
    return raised && nowNanos - untilNanos < 0;
  }
}
