package io.sedge.connector;

/**
 * For how long nothing has come, as whoever polls for it can tell. A pause between two polls counts
 * a second at most: in a longer one the whole process may have stood still (a machine that was
 * suspended, or has no time for us), and what came meanwhile waits where it has yet to be found.
 * Times are nanoseconds by the clock that polls are given. One thread at a time.
 */
public final class QuietTime {
  /** So much of a pause between two polls counts: whoever waits for the quiet polls as often. */
  public static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  /** When it began, moved on by what does not count. */
  private long sinceNanos;

  private long pollNanos;

  /** Begins anew: something has come, or nothing can. */
  public void begin(long nowNanos) {
    sinceNanos = nowNanos;
    pollNanos = nowNanos;
  }

  /** There is a poll now, whatever it finds. */
  public void poll(long nowNanos) {
    sinceNanos += Math.max(0, nowNanos - pollNanos - LONGEST_PAUSE_NANOS);
    pollNanos = nowNanos;
  }

  /** How long it has been; the pause since the last poll counts whole until the next one. */
  public long nanos(long nowNanos) {
    return nowNanos - sinceNanos;
  }
}
