package io.sedge.site.internal.commit;

import io.sedge.task.CommitLog;

/**
 * When one task commits: on the {@link CommitBeat beat} of its device, and ahead of it with results
 * that come after a pause, as those of a window do, or an alarm. Somebody waits for these, and they
 * are few. Results that come all the time wait for the beat, since each entry is a write and a
 * flush on every device.
 *
 * <p>A pause is half an interval without results; for each the task may once go ahead later,
 * {@value #MOST} times in a row at most. The task's thread alone.
 */
final class TaskBeat {
  /** Windows of different keys and shards end a moment after each other. */
  static final int MOST = 4;

  private static final int PAUSES_PER_INTERVAL = 2;

  private final CommitBeat beat;
  private final long pauseNanos;
  private long left = MOST;

  /** When the first of the results came that wait. */
  private long rowsNanos = CommitLog.NO_ROWS;

  /** Whether a commit now would be ahead of the beat. */
  private boolean ahead;

  /** When results were committed last. */
  private long lastRowsNanos;

  private boolean any;

  TaskBeat(CommitBeat beat) {
    this.beat = beat;
    this.pauseNanos = Math.max(1, beat.intervalNanos() / PAUSES_PER_INTERVAL);
  }

  /** As {@link CommitLog#untilDue}. */
  long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    this.rowsNanos = rowsNanos;
    long together = beat.untilDue(newsNanos, nowNanos);
    ahead = together > 0;
    return ahead && rowsNanos != CommitLog.NO_ROWS && left() > 0
        ? Math.min(together, beat.untilMoment(rowsNanos, nowNanos))
        : together;
  }

  /** The task commits now what it has. */
  void commit(long nowNanos) {
    beat.commit(nowNanos);
    if (rowsNanos != CommitLog.NO_ROWS) {
      left = left();
      left -= beat.takeMoment(rowsNanos, nowNanos) && ahead && left > 0 ? 1 : 0;
      any = true;
      lastRowsNanos = nowNanos;
      rowsNanos = CommitLog.NO_ROWS;
    }
  }

  /** How often it may still go ahead, with the results that wait. */
  private long left() {
    long pauses = any ? Math.max(0, rowsNanos - lastRowsNanos) / pauseNanos : 0;
    return Math.min(MOST, left + pauses);
  }
}
