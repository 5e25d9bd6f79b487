package io.sedge.site.internal.exchange;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the blocks of one channel of a job, in the ledger's order, as they come, for as long
 * as its task is current: what a new version of the job's script gives is not for a task of the one
 * before.
 */
final class BlockCursor {
  private static final int FETCH_BYTES = 1 << 20;

  private final Ledger ledger;
  private final String job;
  private final Channel channel;
  private final Predicate<SiteState> current;
  private final Runnable wakeUp;
  private final Deque<RowBlock> fetched = new ArrayDeque<>();
  private long sequence;
  private long appliedIndex = -1;

  /** The entry that is waited for; only ever grows. */
  private long awaited = -1;

  /**
   * @param current whether the task that reads is still the one that was started
   * @param wakeUp is called, in any thread, when there may be a next one where there was none
   */
  BlockCursor(
      Ledger ledger, String job, Channel channel, Predicate<SiteState> current, Runnable wakeUp) {
    this.ledger = ledger;
    this.job = job;
    this.channel = channel;
    this.current = current;
    this.wakeUp = wakeUp;
  }

  /** Goes on after a row. */
  void seek(long after) {
    fetched.clear();
    sequence = after;
    appliedIndex = -1;
  }

  /** The next block, or null if there is none yet. */
  @Nullable RowBlock next() {
    if (fetched.isEmpty()) {
      fetch();
    }
    RowBlock next = fetched.pollFirst();
    if (next != null) {
      sequence = next.last();
    }
    return next;
  }

  /** Cheap while nothing has happened in the ledger. */
  private void fetch() {
    long index = ledger.read(SiteState::appliedIndex);
    if (index != appliedIndex) {
      fetched.addAll(
          ledger.read(
              state ->
                  current.test(state)
                      ? state.rows(job, channel, sequence, FETCH_BYTES)
                      : List.of()));
      appliedIndex = fetched.isEmpty() ? index : -1;
    }
    if (fetched.isEmpty() && index >= awaited) {
      awaited = index + 1;
      var _ = ledger.readAt(awaited, SiteState::appliedIndex).thenRun(wakeUp);
    }
  }

  boolean hasFetched() {
    return !fetched.isEmpty();
  }
}
