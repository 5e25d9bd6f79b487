package io.sedge.site.internal.exchange;

import io.sedge.division.Fragments;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Rows;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a task has given to the exchange of its job and nobody has taken. All tasks together keep to
 * half of the exchange: one whose share of that is full gives nothing more, nor one that has
 * anything there while a large commit finds no room, since shares are overshot by a whole commit;
 * one that has nothing there may always give. So whoever is waited for finds room, however far
 * ahead the others are. One thread.
 */
public final class Backlog {
  private static final int PART = 2;

  private final Ledger ledger;
  private final TaskId task;
  private final Set<String> tables;
  private long index = -1;
  private long bytes;
  private long share;
  private boolean tight;

  /**
   * @param tables of the exchange that the task writes
   */
  public Backlog(Ledger ledger, TaskId task, Set<String> tables) {
    this.ledger = ledger;
    this.task = task;
    this.tables = Set.copyOf(tables);
  }

  /**
   * Whether the task should give nothing more for now.
   *
   * @param underWay bytes that it has given and the ledger may not have carried out yet
   */
  public boolean isFull(long underWay) {
    look();
    long own = bytes + underWay;
    return own >= share || (own > 0 && tight);
  }

  /** What the task may have in the exchange. */
  public long share() {
    look();
    return share;
  }

  private void look() {
    ledger.read(
        state -> {
          if (state.appliedIndex() != index) {
            index = state.appliedIndex();
            bytes = state.rowBytes(task, Channel.EXCHANGE);
            share = share(state);
            tight = isTight(state);
          }
          return true;
        });
  }

  /** Whether the largest commit, of half the exchange at most, may find no room there. */
  public static boolean isTight(SiteState state) {
    long limit = state.limits().exchangeBytes();
    long left = Math.min(state.limits().commitBytes(), limit / PART);
    return state.rowBytes(Channel.EXCHANGE) > limit - left;
  }

  /** What a block counts in the exchange. */
  public static long counted(Rows rows) {
    return rows.bytes().length + (long) Limits.ENTRY_OVERHEAD;
  }

  private static long share(SiteState state) {
    int running = 0;
    for (Task known : state.tasks()) {
      running += known.device().isEmpty() ? 0 : 1;
    }
    return Math.max(1, state.limits().exchangeBytes() / PART / Math.max(1, running));
  }

  /** Why nothing is taken, in words. */
  public String why() {
    Map<String, byte[]> read =
        ledger.read(state -> state.positions(new TaskId(task.job(), Fragments.MERGE)));
    return tables.stream()
        .map(read::get)
        .filter(Objects::nonNull)
        .map(position -> why(ExchangePosition.decode(position)))
        .filter(why -> !why.isEmpty())
        .findFirst()
        .orElse("the merging task has yet to take what this one gave");
  }

  /** Empty unless another task has not come so far as this one. */
  private String why(ExchangePosition read) {
    long own = read.progress(task.shard()).watermark();
    return read.lanes().entrySet().stream()
        .filter(lane -> !lane.getValue().progress().idle())
        .filter(lane -> lane.getValue().progress().watermark() < own)
        .min(Comparator.comparingLong(lane -> lane.getValue().progress().watermark()))
        .map(
            lane ->
                "it has come to %s and waits for task %s, which has come to %s: what both give is merged"
                    .formatted(
                        EventTimes.text(own),
                        lane.getKey(),
                        EventTimes.text(lane.getValue().progress().watermark())))
        .orElse("");
  }
}
