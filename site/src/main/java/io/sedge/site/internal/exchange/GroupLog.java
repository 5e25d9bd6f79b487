package io.sedge.site.internal.exchange;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.TaskId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the groups of all tables that a task delivers as that task's positions. One commit is under
 * way at a time; one of a deliverer whose time is over is refused. The task's thread alone.
 */
public final class GroupLog {
  private final Ledger ledger;
  private final TaskId task;
  private final long epoch;
  private final Map<String, byte[]> found;
  private long sequence;
  private @Nullable CompletableFuture<Answer> underWay;

  /**
   * @param epoch with which the task was taken up
   * @param sequence of its last commit
   * @param found its positions as of that commit
   */
  public GroupLog(
      Ledger ledger, TaskId task, long epoch, long sequence, Map<String, byte[]> found) {
    this.ledger = ledger;
    this.task = task;
    this.epoch = epoch;
    this.sequence = sequence;
    this.found = Map.copyOf(found);
  }

  TaskId task() {
    return task;
  }

  /** What is kept of a table from deliverers before. */
  Optional<byte[]> found(String table) {
    return Optional.ofNullable(found.get(table));
  }

  /** Whether it can take something: nothing is under way. */
  boolean isFree() {
    if (underWay != null && underWay.isDone()) {
      sequence += isKept(underWay.join()) ? 1 : 0;
      underWay = null;
    }
    return underWay == null;
  }

  /**
   * Replaces what is kept of a table.
   *
   * @param wakeUp is called, in any thread, once that is done or refused
   */
  CompletableFuture<Answer> keep(String table, byte[] groups, Runnable wakeUp) {
    if (!isFree()) {
      throw new IllegalStateException("a commit of groups is under way");
    }
    CompletableFuture<Answer> answer =
        ledger.submit(
            new Command.Commit(
                task, epoch, sequence + 1, Map.of(table, groups), List.of(), List.of()));
    underWay = answer;
    var _ = answer.thenRun(wakeUp);
    return answer;
  }

  static boolean isKept(Answer answer) {
    return switch (answer) {
      case Answer.Done _, Answer.Repeated _ -> true;
      case Answer.Refused _ -> false;
    };
  }
}
