package io.sedge.site.internal.commit;

import java.time.InstantSource;

/**
 * When the tasks of a device commit, so that they do it together: all that is handed to the ledger
 * within a moment is one entry there, one write and one flush on every device of the site.
 *
 * <p>Time is divided into intervals of the time of day, the same on all devices as far as their
 * clocks agree, so that flushes of different devices fall together too. A task commits:
 *
 * <ul>
 *   <li>what came before the present interval, at its beginning;
 *   <li>what came in it, at once, if no task of the device has committed in it yet, or one has just
 *       begun to: where little comes, nobody waits for it;
 *   <li>else at the beginning of the next one.
 * </ul>
 *
 * <p>So a device has two entries an interval at most, and one as a rule. Any thread.
 */
public final class CommitBeat {
  /** What comes so soon after a commit goes with it. */
  static final long COMPANY_NANOS = 20_000_000;

  private static final long MILLI = 1_000_000;

  private final long intervalNanos;
  private final InstantSource clock;

  /** When the first commit of the last interval that had one was made, by a monotonic clock. */
  private long begunNanos;

  private boolean begun;

  /**
   * @param intervalNanos a millisecond or more
   * @param clock of the time of day; it may jump
   */
  public CommitBeat(long intervalNanos, InstantSource clock) {
    this.intervalNanos = Math.max(MILLI, intervalNanos);
    this.clock = clock;
  }

  /**
   * For how long a task has to wait with its next commit.
   *
   * @param newsNanos when what it would commit began to come, by a monotonic clock
   * @param nowNanos by the same clock
   * @return 0 if it may commit now
   */
  public synchronized long untilDue(long newsNanos, long nowNanos) {
    long passed = Math.floorMod(clock.millis() * MILLI, intervalNanos);
    boolean old = isBefore(newsNanos, passed, nowNanos);
    boolean free = !begun || isBefore(begunNanos, passed, nowNanos);
    if (old || free || nowNanos - begunNanos < COMPANY_NANOS) {
      return 0;
    }
    // A clock that is set back must not make anything wait for longer than an interval.
    return Math.min(intervalNanos - passed, intervalNanos - (nowNanos - newsNanos));
  }

  /** Whether something was before the present interval. */
  private boolean isBefore(long atNanos, long passedNanos, long nowNanos) {
    long since = nowNanos - atNanos;
    return since > passedNanos || since >= intervalNanos;
  }

  /** A task commits now. */
  public synchronized void commit(long nowNanos) {
    long passed = Math.floorMod(clock.millis() * MILLI, intervalNanos);
    if (!begun || isBefore(begunNanos, passed, nowNanos)) {
      begun = true;
      begunNanos = nowNanos;
    }
  }
}
