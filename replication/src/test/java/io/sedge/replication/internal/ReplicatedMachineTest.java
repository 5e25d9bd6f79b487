package io.sedge.replication.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Answers;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.Test;

/** What members tell a leader past the log, and learn from it. */
final class ReplicatedMachineTest {
  private static final Command REPORT = new Command.ReportDevice("b", 1, false);
  private static final Command MEASURES =
      new Command.MeasureDevice(
          "b",
          new Measures(
              0.5,
              1,
              1_000,
              new ProcessUse(10, 20),
              Map.of("f", 5.0),
              Map.of(),
              Map.of(),
              Map.of()));
  private static final Answer UNKNOWN = new Answer.Refused(Refusal.UNKNOWN_DEVICE, 0);

  private boolean room = true;
  private boolean hears = true;
  private final ReplicatedMachine machine = machine();
  private final ReplicatedMachine follower = machine();

  private ReplicatedMachine machine() {
    return new ReplicatedMachine(
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
          public boolean hears() {
            return hears;
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
  }

  private CompletableFuture<Message> query(byte[] bytes) {
    return machine.query(Message.valueOf(UnsafeByteOperations.unsafeWrap(bytes)));
  }

  private CompletableFuture<Message> query(Command... commands) {
    return query(follower.question(envelope(commands)).encode());
  }

  private static byte[] envelope(Command... commands) {
    return new Envelope(1, 2, 3, List.of(commands)).encode();
  }

  private Telling.Reply reply(Command... commands) throws MalformedException {
    byte[] bytes = query(commands).join().getContent().toByteArray();
    return Telling.Reply.decode(ByteBuffer.wrap(bytes));
  }

  private static void register(ReplicatedMachine machine) {
    Command device = new Command.RegisterDevice("b", "b:1", Map.of());
    ByteString bytes = UnsafeByteOperations.unsafeWrap(envelope(device));
    LogEntryProto entry =
        LogEntryProto.newBuilder()
            .setTerm(1)
            .setIndex(8)
            .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(bytes))
            .build();
    machine
        .applyTransaction(
            TransactionContext.newBuilder()
                .setStateMachine(machine)
                .setLogEntry(entry)
                .setServerRole(RaftPeerRole.FOLLOWER)
                .build())
        .join();
  }

  private static Device device(ReplicatedMachine machine) {
    return machine.read(state -> state.device("b").orElseThrow());
  }

  private static void assertRefused(CompletableFuture<Message> answer, String why) {
    assertThat(answer)
        .failsWithin(Duration.ofSeconds(10))
        .withThrowableThat()
        .withCauseInstanceOf(StateMachineException.class)
        .withMessageContaining(why);
  }

  @Test
  void whatIsToldIsAnsweredOneByOneAsOfTheLastEntryAndOthersLearnIt() throws Exception {
    assertThat(reply(REPORT).answers()).isEqualTo(new Answers(0, List.of(UNKNOWN)));
    register(machine);
    register(follower);
    Telling.Reply first = reply(REPORT, MEASURES);
    Answer done = new Answer.Done(8, 0);
    assertThat(first.answers()).isEqualTo(new Answers(8, List.of(done, done)));
    follower.learn(first);
    assertThat(device(follower)).isEqualTo(device(machine));
    assertThat(device(follower).heard()).isEqualTo(1);
    assertThat(device(follower).measures().speeds()).containsEntry("f", 5.0);
    Telling.Reply second = reply(REPORT);
    assertThat(second.told()).as("measures that are known").hasSizeLessThan(60);
    follower.learn(second);
    assertThat(device(follower)).isEqualTo(device(machine));
  }

  /** Its versions are of another process than those that were asked for. */
  @Test
  void anotherLeaderIsAskedForAllThatItKnows() throws Exception {
    register(machine);
    register(follower);
    for (int i = 0; i < 5; i++) {
      follower.learn(reply(REPORT, MEASURES));
    }
    ReplicatedMachine next = machine();
    register(next);
    next.tell(Envelope.decode(envelope(MEASURES)));
    Message asked =
        Message.valueOf(
            UnsafeByteOperations.unsafeWrap(follower.question(envelope(REPORT)).encode()));
    Telling.Reply reply =
        Telling.Reply.decode(ByteBuffer.wrap(next.query(asked).join().getContent().toByteArray()));
    follower.learn(reply);
    assertThat(device(follower)).isEqualTo(device(next));
  }

  /** Who was elected and has lost the others since would tell whoever asks that all is well. */
  @Test
  void whoDoesNotLeadAMajorityHearsNothing() {
    hears = false;
    assertRefused(query(REPORT), ReplicatedMachine.NOT_NOW);
  }

  @Test
  void nothingIsTakenWithoutRoom() {
    room = false;
    assertRefused(query(REPORT), ReplicatedMachine.NO_ROOM);
  }

  /** It must be in the log. */
  @Test
  void whatDoesMoreThanTellIsRefused() {
    assertRefused(query(REPORT, new Command.SubmitJob("plant", "")), "is not told");
    assertRefused(query(new Command.ReportDevice("b", 1, true)), "is not told");
  }

  @Test
  void whatIsMalformedOrTooLargeIsRefused() {
    assertRefused(query("nonsense".getBytes(StandardCharsets.UTF_8)), "ends early");
    assertRefused(query("more nonsense than a question".getBytes(StandardCharsets.UTF_8)), "mal");
    assertRefused(query(new byte[Settings.ENTRY_BYTES + 100]), "at most");
  }

  @Test
  void aReplyThatIsMalformedChangesNothing() throws Exception {
    register(follower);
    register(machine);
    follower.learn(reply(REPORT));
    Device before = device(follower);
    byte[] bytes = query(REPORT, MEASURES).join().getContent().toByteArray();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> follower.learn(Telling.Reply.decode(ByteBuffer.wrap(cut))))
          .isInstanceOf(MalformedException.class);
    }
    assertThat(device(follower)).isEqualTo(before);
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
