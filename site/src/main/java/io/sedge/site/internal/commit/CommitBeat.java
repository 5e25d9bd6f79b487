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
 * <p>So a device has two entries an interval at most, and one as a rule. Between them are moments
 * for results that should not wait for so long: {@link TaskBeat} says whose. Any thread.
 */
public final class CommitBeat {
  /** What comes so soon after a commit goes with it. */
  static final long COMPANY_NANOS = 20_000_000;

  /** For so long, and no longer than a part of an interval, results gather before they go. */
  static final long GATHER_NANOS = 100_000_000;

  static final int GATHER_PART = 20;

  /** The moments of an interval that are ahead of its end are so far apart. */
  static final int MOMENTS = 4;

  private static final long MILLI = 1_000_000;

  private final long intervalNanos;
  private final InstantSource clock;

  /** When the first commit of the last interval that had one was made, by a monotonic clock. */
  private long begunNanos;

  private boolean begun;

  /** The moment that results wait for, if there is one, and when the last one was. */
  private long nextMomentNanos;

  private boolean awaited;
  private long lastMomentNanos;
  private boolean any;

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

  /** Between two moments of the day. */
  long intervalNanos() {
    return intervalNanos;
  }

  /**
   * For how long results have to wait until the next moment at which some may go ahead of the
   * interval's end: it is the same for all tasks of the device.
   *
   * @param rowsNanos when the first of them came
   */
  synchronized long untilMoment(long rowsNanos, long nowNanos) {
    if (isForLastMoment(rowsNanos, nowNanos)) {
      return 0;
    }
    // One that nobody took is over as well: who had waited for it has gone with the beat.
    if (!awaited || nextMomentNanos < rowsNanos) {
      long gathered = rowsNanos + Math.min(GATHER_NANOS, intervalNanos / GATHER_PART);
      nextMomentNanos = any ? Math.max(gathered, lastMomentNanos + apartNanos()) : gathered;
      awaited = true;
    }
    return Math.max(0, nextMomentNanos - nowNanos);
  }

  /** Whether they were there when it was; their task's thread may run late. */
  private boolean isForLastMoment(long rowsNanos, long nowNanos) {
    return any && rowsNanos <= lastMomentNanos && nowNanos - lastMomentNanos < apartNanos();
  }

  private long apartNanos() {
    return intervalNanos / MOMENTS;
  }

  /** Whether results that are committed now go at such a moment, which then is over. */
  synchronized boolean takeMoment(long rowsNanos, long nowNanos) {
    if (awaited && nowNanos >= nextMomentNanos) {
      awaited = false;
      any = true;
      lastMomentNanos = nowNanos;
      return true;
    }
    return isForLastMoment(rowsNanos, nowNanos);
  }
}
