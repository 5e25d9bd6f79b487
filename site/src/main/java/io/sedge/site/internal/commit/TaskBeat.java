package io.sedge.site.internal.commit;

import io.sedge.task.CommitLog;

/**
 * When one task commits: on the {@link CommitBeat beat} of its device, and ahead of it with results
 * that come after a pause, as those of a window do, or an alarm. Somebody waits for these, and they
 * are few. Results that come all the time wait for the beat, since each entry is a write and a
 * flush on every device. What a task reads first goes ahead as well, after the commit that it makes
 * as it begins: whoever it took over from may have died an interval ago.
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

  /** When the first came of what waits that may go ahead. */
  private long urgentNanos = CommitLog.NO_ROWS;

  /** Whether a commit now would be ahead of the beat. */
  private boolean ahead;

  /** When such things were committed last, if they were. */
  private long lastUrgentNanos;

  private boolean begun;

  TaskBeat(CommitBeat beat) {
    this.beat = beat;
    this.pauseNanos = Math.max(1, beat.intervalNanos() / PAUSES_PER_INTERVAL);
  }

  /** As {@link CommitLog#untilDue}. */
  long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    urgentNanos = begun ? rowsNanos : newsNanos;
    long together = beat.untilDue(newsNanos, nowNanos);
    ahead = together > 0;
    return ahead && urgentNanos != CommitLog.NO_ROWS && left() > 0
        ? Math.min(together, beat.untilMoment(urgentNanos, nowNanos))
        : together;
  }

  /** The task commits now what it has. */
  void commit(long nowNanos) {
    beat.commit(nowNanos);
    if (urgentNanos != CommitLog.NO_ROWS) {
      left = left();
      left -= beat.takeMoment(urgentNanos, nowNanos) && ahead && left > 0 ? 1 : 0;
      begun = true;
      lastUrgentNanos = nowNanos;
      urgentNanos = CommitLog.NO_ROWS;
    }
  }

  /** How often it may still go ahead, with what waits. */
  private long left() {
    long pauses = begun ? Math.max(0, urgentNanos - lastUrgentNanos) / pauseNanos : 0;
    return Math.min(MOST, left + pauses);
  }
}
