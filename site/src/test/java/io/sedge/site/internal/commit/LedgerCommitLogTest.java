package io.sedge.site.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limit;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.exchange.ExchangeBlock;
import io.sedge.task.Commit;
import io.sedge.task.Progress;
import io.sedge.task.StateChange;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
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
        public CompletableFuture<Answer> tell(Command command) {
          return CompletableFuture.completedFuture(machine.tell(command));
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
            BEAT,
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

  private static final CommitBeat BEAT = new CommitBeat(1_000_000, InstantSource.system());
  private static final String EXCHANGE = "exchange-1";
  private static final Schema SCHEMA = Schema.builder().add("n", Type.BIGINT).build();

  private LedgerCommitLog exchanging(TaskId task, Holding holding) {
    done(new Command.AssignTask(task, "a", 0));
    return new LedgerCommitLog(
        ledger,
        TaskStart.open(ledger, task, "a").join().orElseThrow(),
        Map.of(EXCHANGE, SCHEMA),
        Map.of(EXCHANGE, holding),
        BEAT,
        () -> now);
  }

  private static Commit rows(long sequence, int rows, Progress progress) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    Random random = new Random(sequence);
    for (int i = 0; i < rows; i++) {
      builder.addRow(random.nextLong());
    }
    return new Commit(
        sequence,
        Map.of(),
        List.of(),
        Map.of(EXCHANGE, List.of(builder.build())),
        Map.of(EXCHANGE, progress));
  }

  /** A device and a job, with little room. */
  private void plantWithin(long commitBytes, long exchangeBytes) {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    done(
        new Command.SetLimits(
            Map.of(
                Limit.SCRIPT_BYTES,
                100L,
                Limit.COMMIT_BYTES,
                commitBytes,
                Limit.EXCHANGE_BYTES,
                exchangeBytes)));
  }

  /** Else those that are ahead would leave no room for the one that all wait for. */
  @Test
  void aTaskWhosePartOfTheExchangeIsFullWaitsAndOneThatHasNothingThereGives() {
    plantWithin(9_000, 9_000);
    LedgerCommitLog fast = exchanging(new TaskId("plant", "readings/a"), Holding.NOTHING);
    LedgerCommitLog slow = exchanging(new TaskId("plant", "readings/b"), Holding.NOTHING);
    Progress progress = new Progress(1, false);
    assertThat(fast.offer(rows(1, 150, progress))).isTrue();
    assertThat(fast.offer(rows(2, 150, progress))).isTrue();
    assertThat(fast.offer(rows(3, 1, progress))).as("over 2,250 bytes").isFalse();
    assertThat(fast.waitsFor()).isEqualTo("the merging task has yet to take what this one gave");
    assertThat(fast.waitsForOthers()).isTrue();
    assertThat(slow.offer(rows(1, 400, progress))).isTrue();
    assertThat(fast.offer(rows(3, 1, progress))).isFalse();
    done(new Command.AcknowledgeTaskRows(new TaskId("plant", "readings/a"), Channel.EXCHANGE, 2));
    assertThat(fast.offer(rows(3, 1, progress))).isTrue();
    assertThat(fast.waitsFor()).isEmpty();
    assertThat(fast.waitsForOthers()).isFalse();
    assertThat(fast.rowBytes()).isEqualTo(9_000 / 2 / 2 / 4);
    assertThat(fast.commitBytes()).isEqualTo(9_000 / 8 * 5);
  }

  /** A share may be overshot by a commit: those that do so would leave too little for another's. */
  @Test
  void whileALargeCommitFindsNoRoomOnlyATaskThatHasNothingInTheExchangeGives() {
    plantWithin(8_000, 16_000);
    Progress progress = new Progress(1, false);
    LedgerCommitLog merge = exchanging(new TaskId("plant", "merge"), Holding.NOTHING);
    LedgerCommitLog fast = exchanging(new TaskId("plant", "readings/a"), Holding.NOTHING);
    LedgerCommitLog other = exchanging(new TaskId("plant", "readings/b"), Holding.NOTHING);
    LedgerCommitLog slow = exchanging(new TaskId("plant", "readings/c"), Holding.NOTHING);
    assertThat(other.offer(rows(1, 100, progress))).isTrue();
    assertThat(merge.isExchangeTight()).isFalse();
    assertThat(fast.offer(rows(1, 800, progress))).isTrue();
    assertThat(merge.isExchangeTight()).as("a commit may have 8,000 of 16,000 bytes").isTrue();
    assertThat(merge.isExchangeFull()).isFalse();
    assertThat(other.offer(rows(2, 1, progress))).as("far from 2,000, its share").isFalse();
    assertThat(slow.offer(rows(1, 700, progress))).isTrue();
  }

  /** A task that says that it is idle must have given all that would be late after it. */
  @Test
  void onlyATaskWithoutResultsOfOpenWindowsSaysThatItIsIdle() {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    Progress idle = new Progress(1, true);
    Map<Holding, Boolean> told = new EnumMap<>(Holding.class);
    for (Holding holding : Holding.values()) {
      TaskId task = new TaskId("plant", "readings/" + holding);
      LedgerCommitLog log = exchanging(task, holding);
      assertThat(log.offer(rows(1, 1, idle))).isTrue();
      assertThat(log.partialResults())
          .isEqualTo(holding == Holding.PARTIAL_RESULTS ? Set.of(EXCHANGE) : Set.of());
      byte[] block =
          ledger
              .read(state -> state.rows("plant", Channel.EXCHANGE, 0, Integer.MAX_VALUE))
              .getLast()
              .rows()
              .bytes();
      told.put(holding, ExchangeBlock.decode(new RowsCodec(SCHEMA), block).progress().idle());
    }
    assertThat(told)
        .isEqualTo(
            Map.of(Holding.NOTHING, true, Holding.PARTIAL_RESULTS, true, Holding.RESULTS, false));
  }

  /** The state of a task is what its commits made of it, and what those under way may make. */
  @Test
  void roomIsScarceWhenATaskKeepsMoreThanAQuarterOfWhatItCould() {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.SubmitJob("plant", ""));
    done(
        new Command.SetLimits(
            Map.of(
                Limit.SCRIPT_BYTES,
                100L,
                Limit.COMMIT_BYTES,
                4_000L,
                Limit.STATE_BYTES,
                8_000L,
                Limit.EXCHANGE_BYTES,
                4_000L)));
    LedgerCommitLog log = exchanging(TASK, Holding.NOTHING);
    assertThat(log.offer(commit(1, 1_500))).isTrue();
    assertThat(log.isScarce()).isFalse();
    assertThat(log.offer(commit(2, 500))).isTrue();
    assertThat(log.isScarce()).isTrue();
    done(new Command.SetLimits(Map.of(Limit.STATE_BYTES, 16_000L)));
    assertThat(log.isScarce()).isFalse();
    assertThat(log.isExchangeFull()).isFalse();
  }
}
