package io.sedge.site.internal.commit;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Ledger;
import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import java.util.function.LongSupplier;

/**
 * The log of the task that delivers a job's rows. What it commits is that sinks have rows, which
 * their acknowledgement tells the ledger; so nothing is kept. It commits as often as other tasks,
 * since sinks flush to the disk for it, and soon after a pause, as all news are rows; or at once
 * where they fill a part of the outbox.
 */
public final class DeliveryCommitLog implements CommitLog {
  /** The part of the outbox from which on it is to be emptied soon. */
  private static final int FULL_PART = 4;

  private final Ledger ledger;
  private final TaskBeat beat;
  private final LongSupplier nanoClock;
  private long durable;

  /**
   * @param beat of this task alone: its commits are no entries that others could go with
   * @param nanoClock monotonic
   */
  public DeliveryCommitLog(Ledger ledger, CommitBeat beat, LongSupplier nanoClock) {
    this.ledger = ledger;
    this.beat = new TaskBeat(beat);
    this.nanoClock = nanoClock;
  }

  @Override
  public boolean keepsContents() {
    return false;
  }

  /** A center that is away for days keeps no row from a file, and no command from a machine. */
  @Override
  public boolean separatesTables() {
    return true;
  }

  @Override
  public boolean offer(Commit commit) {
    beat.commit(nanoClock.getAsLong());
    durable = commit.sequence();
    return true;
  }

  @Override
  public long untilDue(long newsNanos, long rowsNanos, long nowNanos) {
    boolean fills =
        ledger.read(
            state -> state.rowBytes(Channel.OUTBOX) > state.limits().outboxBytes() / FULL_PART);
    long due = beat.untilDue(newsNanos, newsNanos, nowNanos);
    return fills ? 0 : due;
  }

  @Override
  public long durable() {
    return durable;
  }
}
