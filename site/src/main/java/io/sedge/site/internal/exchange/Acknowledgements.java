package io.sedge.site.internal.exchange;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How far all readers of a channel have come: what lies before that can go. What they have taken of
 * some tasks before that of others goes by itself. Any thread.
 */
final class Acknowledgements {
  private final Ledger ledger;
  private final String job;
  private final Channel channel;
  private final Predicate<SiteState> current;
  private final SortedMap<String, ExchangePosition> byTable = new TreeMap<>();
  private final Map<TaskId, Long> toldOfTasks = new HashMap<>();
  private long told;
  private boolean refused;

  /**
   * @param tables the ones that are read
   * @param current whether the task that reads is still the one that was started
   */
  Acknowledgements(
      Ledger ledger,
      String job,
      Channel channel,
      Collection<String> tables,
      Predicate<SiteState> current) {
    this.ledger = ledger;
    this.job = job;
    this.channel = channel;
    this.current = current;
    tables.forEach(table -> byTable.put(table, inOrder(0)));
  }

  private static ExchangePosition inOrder(long sequence) {
    return new ExchangePosition(sequence, "", 0, new TreeMap<>());
  }

  /** A reader that takes rows in the ledger's order has come so far. */
  void acknowledged(String table, long sequence) {
    acknowledged(table, inOrder(sequence));
  }

  synchronized void acknowledged(String table, ExchangePosition position) {
    byTable.put(table, position);
    long least = byTable.values().stream().mapToLong(ExchangePosition::sequence).min().orElse(0);
    tellUpTo(least);
    tellOfTasks();
  }

  private void tellUpTo(long sequence) {
    if (sequence > told) {
      told = sequence;
      toldOfTasks.clear();
      tell();
    }
  }

  /**
   * Acknowledges blocks of the exchange that stand behind one that is not taken, or that a reader
   * has not come to which has ended or is not asked: a block is for the reader of its table alone.
   */
  private void tellOfTasks() {
    if (channel != Channel.EXCHANGE
        || byTable.values().stream().allMatch(its -> its.seen() <= told)) {
      return;
    }
    List<RowBlock> left =
        ledger.read(
            state ->
                current.test(state)
                    ? state.rows(job, channel, told, Integer.MAX_VALUE)
                    : List.of());
    Map<TaskId, Long> taken = new HashMap<>();
    Set<TaskId> waiting = new HashSet<>();
    long inOrder = told;
    for (RowBlock block : left) {
      if (!isTaken(block)) {
        waiting.add(block.task());
      } else if (!waiting.contains(block.task())) {
        taken.put(block.task(), block.last());
        inOrder = waiting.isEmpty() ? block.last() : inOrder;
      }
    }
    tellUpTo(inOrder);
    taken.values().removeIf(upTo -> upTo <= told);
    taken.forEach(
        (task, upTo) -> {
          if (upTo > toldOfTasks.getOrDefault(task, 0L)) {
            toldOfTasks.put(task, upTo);
            var _ =
                ledger
                    .submit(new Command.AcknowledgeTaskRows(task, channel, upTo))
                    .thenAccept(answer -> take(task, answer));
          }
        });
  }

  /** One of a table that nobody reads is for nobody. */
  private boolean isTaken(RowBlock block) {
    ExchangePosition its = byTable.get(block.rows().table());
    return its == null || block.last() <= its.taken(block.task().shard());
  }

  /** What there was no room for is told again with the next that is taken. */
  private synchronized void take(TaskId task, Answer answer) {
    if (isBusy(answer)) {
      toldOfTasks.remove(task);
      refused = true;
    }
  }

  /** Tells once more what there was no room for; for a reader that has nothing else to do. */
  synchronized void retry() {
    if (refused) {
      tell();
      tellOfTasks();
    }
  }

  private void tell() {
    refused = false;
    var _ = ledger.submit(new Command.AcknowledgeRows(job, channel, told)).thenAccept(this::take);
  }

  private synchronized void take(Answer answer) {
    refused |= isBusy(answer);
  }

  private static boolean isBusy(Answer answer) {
    return answer instanceof Answer.Refused(Refusal reason, long _) && reason == Refusal.BUSY;
  }
}
