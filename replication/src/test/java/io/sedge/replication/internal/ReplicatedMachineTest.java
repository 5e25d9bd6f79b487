package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

/** What other members tell a leader, which it takes into its own entries. */
final class ReplicatedMachineTest {
  private static final Command REPORT = new Command.ReportDevice("b", 1, false);
  private static final Command TAKEN = new Command.AcknowledgeRows("plant", Channel.OUTBOX, 7);

  private final List<Command> gathered = new ArrayList<>();
  private final Queue<Answer> answers = new ArrayDeque<>();
  private boolean room = true;

  private final ReplicatedMachine machine =
      new ReplicatedMachine(
          new ReplicatedMachine.Host() {
            @Override
            public boolean hasRoom() {
              return room;
            }

            @Override
            public long snapshotBytes() {
              return Long.MAX_VALUE;
            }

            @Override
            public CompletableFuture<Answer> gather(Command command) {
              gathered.add(command);
              return CompletableFuture.completedFuture(answers.remove());
            }

            @Override
            public void logFailed(Throwable cause) {
              throw new AssertionError(cause);
            }

            @Override
            public void mustStop(String why) {
              throw new AssertionError(why);
            }

            @Override
            public void configurationChanged(RaftConfigurationProto configuration) {
              throw new AssertionError(configuration);
            }

            @Override
            public void leaderChanged(String id) {
              throw new AssertionError(id);
            }
          },
          new Reports((_, _) -> {}, System::nanoTime));

  private CompletableFuture<Message> query(byte[] bytes) {
    return machine.query(Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)));
  }

  private CompletableFuture<Message> query(Command... commands) {
    return query(new Envelope(1, 2, 3, List.of(commands)).encode());
  }

  private static void assertRefused(CompletableFuture<Message> answer, String why) {
    assertThat(answer)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withCauseInstanceOf(StateMachineException.class)
        .withMessageContaining(why);
  }

  /** Whoever waits for the index may have been answered from several entries. */
  @Test
  void whatIsToldIsAnsweredOneByOneAndAtTheLastEntry() throws Exception {
    answers.add(new Answer.Done(8, 0));
    answers.add(new Answer.Refused(Refusal.UNKNOWN_JOB, 0));
    List<Answer> expected = List.copyOf(answers);
    byte[] answered = query(REPORT, TAKEN).join().getContent().toByteArray();
    assertThat(Answers.decode(answered)).isEqualTo(new Answers(8, expected));
    assertThat(gathered).containsExactly(REPORT, TAKEN);
  }

  /** Else a member would think that its own queue is full, or that it is closed itself. */
  @Test
  void whatTheLeaderCannotTakeIsToldAgain() {
    for (Refusal own : List.of(Refusal.BUSY, Refusal.CLOSED)) {
      answers.add(new Answer.Refused(own, 0));
      assertRefused(query(REPORT), ReplicatedMachine.NOT_NOW);
    }
  }

  @Test
  void nothingIsTakenWithoutRoom() {
    room = false;
    assertRefused(query(REPORT), ReplicatedMachine.NO_ROOM);
    assertThat(gathered).isEmpty();
  }

  /** It could be carried out twice. */
  @Test
  void whatDoesMoreThanTellIsRefused() {
    assertRefused(query(REPORT, new Command.SubmitJob("plant", "")), "an entry of its own");
    assertRefused(query(new Command.ReportDevice("b", 1, true)), "an entry of its own");
    assertThat(gathered).isEmpty();
  }

  @Test
  void whatIsMalformedOrTooLargeIsRefused() {
    assertRefused(query("nonsense".getBytes(StandardCharsets.UTF_8)), "malformed");
    assertRefused(query(new byte[Settings.ENTRY_BYTES + 1]), "at most");
    assertThat(gathered).isEmpty();
  }

  @Test
  void aSnapshotIsWorthAsMuchLogAsTheLastOneHas() {
    long gap = ReplicatedMachine.SNAPSHOT_GAP_NANOS;
    assertThat(ReplicatedMachine.isSnapshotDue(499, 500, 0, gap)).isFalse();
    assertThat(ReplicatedMachine.isSnapshotDue(500, 500, 0, gap)).isTrue();
    assertThat(ReplicatedMachine.isSnapshotDue(3_999, 500, 4_000, gap)).isFalse();
    assertThat(ReplicatedMachine.isSnapshotDue(4_000, 500, 4_000, gap)).isTrue();
  }

  /** Each is forced to the disk, and what is to be applied waits for it. */
  @Test
  void snapshotsAreApartUnlessTheLogGrowsFast() {
    long early = ReplicatedMachine.SNAPSHOT_GAP_NANOS - 1;
    assertThat(ReplicatedMachine.isSnapshotDue(15_999, 500, 0, early)).isFalse();
    assertThat(ReplicatedMachine.isSnapshotDue(16_000, 500, 0, early)).isTrue();
    assertThat(ReplicatedMachine.isSnapshotDue(16_000, 500, 1_000_000, early))
        .as("a large state must not keep the log from being cut")
        .isTrue();
  }
}
