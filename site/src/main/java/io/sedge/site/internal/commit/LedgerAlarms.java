package io.sedge.site.internal.commit;

import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmStore;
import io.sedge.alarm.AlarmTable;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.TaskId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The alarms of a job in the ledger, for the task that delivers its rows. What a task says that was
 * opened elsewhere since is refused there, as its commits are.
 *
 * @param epoch of the task
 */
public record LedgerAlarms(Ledger ledger, TaskId task, long epoch) implements AlarmStore {
  @Override
  public <T> T read(String table, Function<? super AlarmTable, ? extends T> query) {
    return ledger.read(state -> query.apply(state.alarms().table(task.job(), table)));
  }

  @Override
  public long lastRow(String table, long after) {
    return ledger.read(
        state ->
            state.rows(task.job(), Channel.OUTBOX, after, Integer.MAX_VALUE).stream()
                .filter(block -> block.rows().table().equals(table))
                .mapToLong(RowBlock::last)
                .reduce(after, Math::max));
  }

  @Override
  public CompletableFuture<Boolean> commit(AlarmBatch batch) {
    return ledger
        .submit(new Command.ReportAlarms(task, epoch, batch))
        .thenCompose(
            answer -> answer.isDone() ? readable(answer) : refused((Answer.Refused) answer));
  }

  /** A sink that has been told so reads what it has said. */
  private CompletableFuture<Boolean> readable(Answer answer) {
    return answer instanceof Answer.Done(long index, long _)
        ? ledger.readAt(index, _ -> true)
        : CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Boolean> refused(Answer.Refused refused) {
    return switch (refused.reason()) {
      case BUSY -> CompletableFuture.completedFuture(false);
      case TOO_LARGE -> CompletableFuture.failedFuture(new TooManyTablesException());
      default ->
          CompletableFuture.failedFuture(
              new SupersededException(
                  "another device goes on with it (%s)".formatted(refused.reason())));
    };
  }

  /** Forgets tables that the job has no more, if there are any. Waits for nothing. */
  public void keepOnly(Set<String> tables) {
    boolean others =
        ledger.read(
            state -> state.alarms().tables(task.job()).stream().anyMatch(t -> !tables.contains(t)));
    if (others) {
      var _ = ledger.submit(new Command.KeepAlarms(task, epoch, tables));
    }
  }
}
