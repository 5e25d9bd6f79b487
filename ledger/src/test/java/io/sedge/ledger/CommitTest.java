package io.sedge.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a commit is taken for, and what it is refused for. */
class CommitTest {
  private static final TaskId TASK = new TaskId("plant", "hall-1");

  private final StateMachine machine = new StateMachine();
  private long index;
  private long epoch;

  @BeforeEach
  void assign() {
    apply(new Command.RegisterDevice("a", "host:1", Map.of()));
    apply(new Command.RegisterDevice("b", "host:2", Map.of()));
    apply(new Command.SubmitJob("plant", "SELECT 1"));
    epoch = value(apply(new Command.AssignTask(TASK, "a", 0)));
    epoch = value(apply(new Command.OpenTask(TASK, "a", epoch)));
  }

  private Answer apply(Command command) {
    index++;
    return machine.apply(index, new Envelope(1, 1, index, List.of(command))).answers().getFirst();
  }

  private static long value(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Done.class);
    return ((Answer.Done) answer).value();
  }

  private static Refusal reason(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).reason();
  }

  private Command.Commit commit(long sequence, int stateBytes, int rowBytes) {
    return new Command.Commit(
        TASK,
        epoch,
        sequence,
        Map.of("readings", new byte[] {(byte) sequence}),
        stateBytes == 0 ? List.of() : List.of(new Change(new byte[] {1}, new byte[stateBytes])),
        rowBytes == 0
            ? List.of()
            : List.of(new Rows(Channel.OUTBOX, "kept", 3, new byte[rowBytes])));
  }

  @Test
  void aCommitOfAnOwnerThatLostItsShardIsRefusedAndToldTheEpoch() {
    apply(commit(1, 10, 10));
    long next = value(apply(new Command.AssignTask(TASK, "b", epoch)));
    assertThat(apply(commit(2, 10, 10))).isEqualTo(new Answer.Refused(Refusal.OLD_EPOCH, next));
    assertThat(machine.state().task(TASK).orElseThrow().sequence()).isEqualTo(1);
    assertThat(machine.state().job("plant").orElseThrow().nextRow()).isEqualTo(4);
  }

  /** The process before may still have commits on their way when the next one begins. */
  @Test
  void aTaskThatIsOpenedAgainRefusesWhatItsOwnEarlierProcessSends() {
    Command.Commit early = commit(1, 10, 10);
    epoch = value(apply(new Command.OpenTask(TASK, "a", epoch)));
    assertThat(reason(apply(early))).isEqualTo(Refusal.OLD_EPOCH);
    assertThat(value(apply(commit(1, 10, 10)))).isEqualTo(1);
  }

  @Test
  void onlyTheAssignedDeviceOpensATask() {
    assertThat(reason(apply(new Command.OpenTask(TASK, "b", epoch))))
        .isEqualTo(Refusal.OTHER_DEVICE);
    value(apply(new Command.AssignTask(TASK, "", epoch)));
    assertThat(reason(apply(commit(1, 1, 1)))).isEqualTo(Refusal.OLD_EPOCH);
  }

  @Test
  void aCommitThatArrivesTwiceIsTakenOnceAndAGapIsRefused() {
    value(apply(commit(1, 10, 10)));
    assertThat(apply(commit(1, 10, 10))).isInstanceOf(Answer.Repeated.class);
    assertThat(apply(commit(3, 10, 10))).isEqualTo(new Answer.Refused(Refusal.WRONG_SEQUENCE, 2));
    assertThat(machine.state().job("plant").orElseThrow().nextRow()).isEqualTo(4);
  }

  /** One that fits into an entry needs no bound of its own. */
  @Test
  void aCommitInPartsIsAsLargeAsAllowedAtMost() {
    byte[] bytes = CommandBytes.forParts(commit(1, 500, 500));
    apply(new Command.SetLimits(Map.of(Limit.SCRIPT_BYTES, 100L)));
    apply(new Command.SetLimits(Map.of(Limit.COMMIT_BYTES, bytes.length - 1L)));
    assertThat(apply(new Command.CommitPart(TASK, epoch, 1, 0, 1, bytes)))
        .isEqualTo(new Answer.Refused(Refusal.TOO_LARGE, bytes.length - 1));
    assertThat(machine.state().positions(TASK)).isEmpty();
    apply(new Command.SetLimits(Map.of(Limit.COMMIT_BYTES, (long) bytes.length)));
    assertThat(value(apply(new Command.CommitPart(TASK, epoch, 1, 0, 1, bytes)))).isEqualTo(1);
    apply(new Command.SetLimits(Map.of(Limit.COMMIT_BYTES, 100L)));
    assertThat(value(apply(commit(2, 500, 500)))).isEqualTo(2);
  }

  @Test
  void aFullOutboxRefusesTheCommitWholeUntilRowsAreAcknowledged() {
    apply(
        new Command.SetLimits(
            new Limits(9, 9, 9, 100, 1_000, 10_000, 1_000, 1_000, 1_000).values()));
    value(apply(commit(1, 10, 500)));
    assertThat(apply(commit(2, 20, 500))).isEqualTo(new Answer.Refused(Refusal.OUTBOX_FULL, 1_000));
    assertThat(machine.state().state(TASK).getFirst().getValue()).hasSize(10);
    assertThat(machine.state().positions(TASK).get("readings")).containsExactly(1);
    value(apply(new Command.AcknowledgeRows("plant", Channel.OUTBOX, 3)));
    value(apply(commit(2, 20, 500)));
    assertThat(machine.state().rows("plant", Channel.OUTBOX, 0, 10_000))
        .singleElement()
        .satisfies(entry -> assertThat(entry.sequence()).isEqualTo(4));
  }

  @Test
  void rowsOfWhichSomeAreAcknowledgedStayWhole() {
    value(apply(commit(1, 0, 100)));
    value(apply(new Command.AcknowledgeRows("plant", Channel.OUTBOX, 2)));
    assertThat(machine.state().rows("plant", Channel.OUTBOX, 2, 10_000)).hasSize(1);
    value(apply(new Command.AcknowledgeRows("plant", Channel.OUTBOX, 3)));
    assertThat(machine.state().rows("plant", Channel.OUTBOX, 0, 10_000)).isEmpty();
    assertThat(machine.state().rowBytes(Channel.OUTBOX)).isZero();
    assertThat(reason(apply(new Command.AcknowledgeRows("plant", Channel.OUTBOX, 4))))
        .isEqualTo(Refusal.WRONG_SEQUENCE);
  }

  /** Whoever takes the rows of one task before those of another makes room for it. */
  @Test
  void rowsOfOneTaskAreAcknowledgedWhereverThoseOfOthersStand() {
    TaskId other = new TaskId("plant", "other");
    long otherEpoch = value(apply(new Command.AssignTask(other, "a", 0)));
    value(apply(exchanged(other, otherEpoch, 1)));
    value(apply(exchanged(TASK, epoch, 1)));
    value(apply(exchanged(other, otherEpoch, 2)));
    value(apply(exchanged(TASK, epoch, 2)));
    long bytes = machine.state().rowBytes(Channel.EXCHANGE);
    assertThat(reason(apply(new Command.AcknowledgeTaskRows(TASK, Channel.EXCHANGE, 5))))
        .isEqualTo(Refusal.WRONG_SEQUENCE);
    long freed = value(apply(new Command.AcknowledgeTaskRows(TASK, Channel.EXCHANGE, 3)));
    assertThat(freed).isEqualTo(bytes / 4);
    assertThat(machine.state().rowBytes(Channel.EXCHANGE)).isEqualTo(bytes - freed);
    assertThat(machine.state().rowBytes(TASK, Channel.EXCHANGE)).isEqualTo(bytes / 4);
    assertThat(machine.state().rowBytes(other, Channel.EXCHANGE)).isEqualTo(bytes / 2);
    assertThat(machine.state().rows("plant", Channel.EXCHANGE, 0, 10_000))
        .extracting(RowBlock::sequence)
        .containsExactly(1L, 3L, 4L);
    value(apply(new Command.AcknowledgeRows("plant", Channel.EXCHANGE, 4)));
    assertThat(machine.state().rowBytes(Channel.EXCHANGE)).isZero();
    assertThat(machine.state().rowBytes(other, Channel.EXCHANGE)).isZero();
  }

  private static Command exchanged(TaskId task, long epoch, long sequence) {
    Rows rows = new Rows(Channel.EXCHANGE, "exchange-1", 1, new byte[10]);
    return new Command.Commit(task, epoch, sequence, Map.of(), List.of(), List.of(rows));
  }

  /** Else a task whose state is full could never shrink it. */
  @Test
  void fullStateRefusesGrowthAndTakesWhatShrinksIt() {
    apply(
        new Command.SetLimits(
            new Limits(9, 9, 9, 100, 1_000, 1_000, 1_000, 1_000, 1_000).values()));
    value(apply(commit(1, 600, 0)));
    assertThat(apply(commit(2, 900, 0))).isEqualTo(new Answer.Refused(Refusal.STATE_FULL, 1_000));
    apply(new Command.SetLimits(new Limits(9, 9, 9, 10, 100, 500, 1_000, 1_000, 1_000).values()));
    value(apply(commit(2, 300, 0)));
  }

  /** Two who change different limits at the same time do not undo each other's. */
  @Test
  void limitsThatAreNotNamedStayAndImpossibleOnesAreRefused() {
    value(apply(new Command.SetLimits(Map.of(Limit.DEVICES, 3L))));
    value(apply(new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 2_500L))));
    Limits limits = machine.state().limits();
    assertThat(limits)
        .isEqualTo(Limits.DEFAULT.with(Map.of(Limit.DEVICES, 3L, Limit.SILENCE_MILLIS, 2_500L)));
    assertThat(reason(apply(new Command.SetLimits(Map.of(Limit.STATE_BYTES, 1_000L)))))
        .as("less than a commit")
        .isEqualTo(Refusal.NOT_NOW);
    assertThat(machine.state().limits()).isEqualTo(limits);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 499L)))
        .withMessage("silenceMillis=499 is not from 500 to 60000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.SetLimits(Map.of(Limit.DEVICES, 1L << 40)))
        .withMessage("devices=1099511627776 is not from 1 to 200");
  }

  @Test
  void partsOfACommitAreForgottenWhenTheTaskMoves() {
    value(apply(new Command.CommitPart(TASK, epoch, 1, 0, 2, new byte[100])));
    long next = value(apply(new Command.AssignTask(TASK, "b", epoch)));
    assertThat(apply(new Command.CommitPart(TASK, epoch, 1, 1, 2, new byte[100])))
        .isEqualTo(new Answer.Refused(Refusal.OLD_EPOCH, next));
  }

  @Test
  void partsThatMakeNoCommitAreRefused() {
    assertThat(reason(apply(new Command.CommitPart(TASK, epoch, 1, 0, 1, new byte[100]))))
        .isEqualTo(Refusal.MALFORMED);
    assertThat(reason(apply(new Command.CommitPart(TASK, epoch, 1, 1, 2, new byte[100]))))
        .isEqualTo(Refusal.WRONG_SEQUENCE);
  }

  @Test
  void anExpelledDeviceDoesNotComeBackInUnlessItIsRemovedFirst() {
    value(apply(new Command.SetDeviceState("b", DeviceState.EXPELLED)));
    assertThat(reason(apply(new Command.RegisterDevice("b", "host:3", Map.of()))))
        .isEqualTo(Refusal.EXPELLED);
    assertThat(reason(apply(new Command.AssignTask(TASK, "b", epoch)))).isEqualTo(Refusal.NOT_NOW);
    value(apply(new Command.RemoveDevice("b", "")));
    value(apply(new Command.RegisterDevice("b", "host:3", Map.of())));
  }

  /** Its certificate is valid for months after it has gone. */
  @Test
  void theKeyOfARemovedDeviceIsKeptOutAndItsNameIsFree() {
    value(apply(new Command.RemoveDevice("b", "key of b")));
    value(apply(new Command.RegisterDevice("b", "host:3", Map.of())));
    assertThat(machine.state().isRemovedKey("key of b")).isTrue();
    assertThat(machine.state().isRemovedKey("key of the new b")).isFalse();
  }

  @Test
  void theKeysOfTheLastThousandRemovedDevicesAreKeptOut() {
    for (int i = 0; i <= 1_000; i++) {
      value(apply(new Command.RegisterDevice("c", "host:3", Map.of())));
      value(apply(new Command.RemoveDevice("c", "key " + i)));
    }
    assertThat(machine.state().isRemovedKey("key 0")).isFalse();
    assertThat(machine.state().isRemovedKey("key 1")).isTrue();
    assertThat(machine.state().isRemovedKey("key 1000")).isTrue();
  }

  /** Two who may both come in alone may not both come in: one address, one token, one name. */
  @Test
  void aNewcomerIsEnrolledOnlyIfNothingHasChangedSinceItWasChecked() {
    value(apply(new Command.AddToken("t", 1_000, 0)));
    value(apply(new Command.AddToken("u", 1_000, 0)));
    long version = machine.state().membershipVersion();
    Command first =
        new Command.EnrolDevice(
            version, "t", "key", new Command.RegisterDevice("c", "host:3", Map.of()));
    value(apply(first));
    assertThat(machine.state().token("t")).contains(new Token("t", 1_000, "key"));
    long changed = machine.state().membershipVersion();
    Command second =
        new Command.EnrolDevice(
            version, "u", "other", new Command.RegisterDevice("d", "host:3", Map.of()));
    assertThat(apply(second)).isEqualTo(new Answer.Refused(Refusal.WRONG_SEQUENCE, changed));
    assertThat(machine.state().device("d")).isEmpty();
    assertThat(machine.state().token("u")).contains(new Token("u", 1_000, ""));
  }

  @Test
  void whateverChangesWhoBelongsChangesTheVersion() {
    long version = machine.state().membershipVersion();
    for (Command change :
        List.of(
            new Command.RegisterDevice("c", "host:3", Map.of()),
            new Command.RegisterDevice("c", "host:4", Map.of()),
            new Command.SetDeviceState("c", DeviceState.EXPELLED),
            new Command.RemoveDevice("c", "key"),
            new Command.AddToken("t", 1_000, 0))) {
      value(apply(change));
      assertThat(machine.state().membershipVersion()).as("%s", change).isGreaterThan(version);
      version = machine.state().membershipVersion();
    }
    value(apply(new Command.ReportDevice("a", 1, false)));
    assertThat(machine.state().membershipVersion()).isEqualTo(version);
  }

  @Test
  void aNewcomerForWhomThereIsNoRoomDoesNotUseItsTokenUp() {
    value(apply(new Command.AddToken("t", 1_000, 0)));
    value(apply(new Command.SetLimits(Map.of(Limit.DEVICES, 2L))));
    Command enrol =
        new Command.EnrolDevice(
            machine.state().membershipVersion(),
            "t",
            "key",
            new Command.RegisterDevice("c", "host:3", Map.of()));
    assertThat(apply(enrol)).isEqualTo(new Answer.Refused(Refusal.TOO_LARGE, 2));
    assertThat(machine.state().token("t")).contains(new Token("t", 1_000, ""));
  }

  @Test
  void tokensAreForgottenADayAfterTheyEndedAndThereMayBeSoMany() {
    for (int i = 0; i < Command.AddToken.MAX_TOKENS; i++) {
      value(apply(new Command.AddToken("t" + i, 1_000, 0)));
    }
    long day = 24 * 60 * 60 * 1_000;
    assertThat(apply(new Command.AddToken("late", day + 2_000, day + 1_000)))
        .isEqualTo(new Answer.Refused(Refusal.TOO_LARGE, Command.AddToken.MAX_TOKENS));
    value(apply(new Command.AddToken("later", day + 2_000, day + 1_001)));
    assertThat(machine.state().token("t0")).isEmpty();
    Command enrol =
        new Command.EnrolDevice(
            machine.state().membershipVersion(),
            "t0",
            "key",
            new Command.RegisterDevice("c", "host:3", Map.of()));
    assertThat(reason(apply(enrol))).isEqualTo(Refusal.NOT_NOW);
  }

  /** A wall clock that jumps must not make a device look alive or dead. */
  @Test
  void eachReportCountsWhateverTheDevicesClockSays() {
    for (long clock : new long[] {1_000, Long.MAX_VALUE, 0, -5}) {
      long before = machine.state().device("a").orElseThrow().heard();
      value(apply(new Command.ReportDevice("a", clock, false)));
      Device device = machine.state().device("a").orElseThrow();
      assertThat(device.heard()).isEqualTo(before + 1);
      assertThat(device.heardAtMillis()).isEqualTo(clock);
    }
  }

  @Test
  void whatCanNeverBeCarriedOutIsRefusedWhereItIsMade() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TaskId("", "s"))
        .withMessage("job has no name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.RemoveDevice("x".repeat(256), ""))
        .withMessage("device has a name of 256 bytes, at most 255 are allowed");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Measures(
                    1,
                    1,
                    0,
                    ProcessUse.UNKNOWN,
                    Map.of("sum", Double.NaN),
                    Map.of(),
                    Map.of(),
                    Map.of()))
        .withMessage("speed of sum is NaN, not a number from 0 on");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Limits(1, 1, 1, 1, 10, 5, 10, 10, 1_000))
        .withMessage(
            "commitBytes=10 is more than stateBytes=5, outboxBytes=10 or exchangeBytes=10: such a"
                + " commit could never be taken");
  }
}
