package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limit;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a task is told of its commits, over a ledger that carries out all at once. */
class LedgerCommitLogTest {
  private static final TaskId TASK = new TaskId("plant", "all");

  private final StateMachine machine = new StateMachine();
  private long index;
  private long now;

  private final Ledger ledger =
      new Ledger() {
        @Override
        public CompletableFuture<Answer> submit(Command command) {
          index++;
          Envelope envelope = new Envelope(1, 1, index, List.of(command));
          return CompletableFuture.completedFuture(
              machine.apply(index, envelope).answers().getFirst());
        }

        @Override
        public <T> T read(Function<? super SiteState, ? extends T> query) {
          return query.apply(machine.state());
        }

        @Override
        public <T> CompletableFuture<T> readAt(
            long at, Function<? super SiteState, ? extends T> query) {
          return CompletableFuture.completedFuture(read(query));
        }
      };

  private void done(Command command) {
    assertThat(ledger.submit(command).join()).isInstanceOf(Answer.Done.class);
  }

  private static Commit commit(long sequence, int bytes) {
    StateChange change = new StateChange(new byte[] {(byte) sequence}, new byte[bytes]);
    return new Commit(sequence, Map.of(), List.of(change), Map.of(), Map.of());
  }

  /** What its user reads of a task that stands still, and can do. */
  @Test
  void aTaskThatWaitsForRoomSaysWhichAndGoesOnWhenMoreIsAllowed() {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    done(new Command.AssignTask(TASK, "a", 0));
    done(
        new Command.SetLimits(
            Map.of(
                Limit.SCRIPT_BYTES, 100L, Limit.COMMIT_BYTES, 1_000L, Limit.STATE_BYTES, 1_000L)));
    LedgerCommitLog log =
        new LedgerCommitLog(
            ledger,
            TaskStart.open(ledger, TASK, "a").join().orElseThrow(),
            Map.of(),
            Map.of(),
            0,
            () -> now);
    assertThat(log.offer(commit(1, 600))).isTrue();
    assertThat(log.durable()).isEqualTo(1);
    assertThat(log.waitsFor()).isEmpty();
    assertThat(log.offer(commit(2, 600))).isFalse();
    assertThat(log.waitsFor())
        .isEqualTo(
            "the site's state is full (1,000 bytes): keep less, or allow more: `sedge site limits"
                + " --state SIZE`");

    done(new Command.SetLimits(Map.of(Limit.STATE_BYTES, 2_000L)));
    now += LedgerCommitLog.RETRY_NANOS;
    assertThat(log.offer(commit(2, 600))).isTrue();
    assertThat(log.durable()).isEqualTo(2);
    assertThat(log.waitsFor()).isEmpty();
  }
}
