package io.sedge.ledger.internal.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Rows;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job that is replaced while it runs: one entry, which is carried out whole or not at all. */
class ReplacingTest {
  private static final TaskId KEPT = new TaskId("plant", "kept");
  private static final TaskId GONE = new TaskId("plant", "gone");
  private static final byte[] PLAN = {(byte) 0xff, (byte) 0xff, 0};

  private final SiteMachine machine = new SiteMachine();
  private long index;

  @BeforeEach
  void aJobThatRuns() {
    done(new Command.RegisterDevice("d", "d:1", Map.of()));
    done(new Command.SubmitJob("plant", "old"));
    for (TaskId task : List.of(KEPT, GONE)) {
      done(new Command.AssignTask(task, "d", 0));
      done(
          new Command.Commit(
              task,
              task(task).epoch(),
              1,
              Map.of("t", new byte[] {1}, "u", new byte[] {2}),
              List.of(
                  new Change(new byte[] {0, 1, 1, 7}, new byte[] {10}),
                  new Change(new byte[] {0, 2, 1}, new byte[] {20}),
                  new Change(new byte[] {0, 3, 1}, new byte[] {30}),
                  new Change(PLAN, new byte[] {1})),
              List.of(
                  new Rows(Channel.EXCHANGE, "exchange-1", 1, new byte[] {4}),
                  new Rows(Channel.EXCHANGE, "exchange-2", 1, new byte[] {5}),
                  new Rows(Channel.OUTBOX, "o", 3, new byte[] {6}))));
    }
  }

  private Answer apply(Command command) {
    index++;
    Answer answer =
        machine.apply(index, new Envelope(1, 2, index, List.of(command))).answers().getFirst();
    machine.checkInvariants();
    return answer;
  }

  private SiteMachine copy() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    machine.writeSnapshot(bytes);
    SiteMachine copy = new SiteMachine();
    copy.readSnapshot(new ByteArrayInputStream(bytes.toByteArray()));
    return copy;
  }

  private void done(Command command) {
    assertThat(apply(command)).as("%s", command).isInstanceOf(Answer.Done.class);
  }

  private void refused(Command command, Refusal reason) {
    List<Task> tasks = machine.tasks();
    List<Job> jobs = machine.jobs();
    assertThat(apply(command))
        .as("%s", command)
        .isInstanceOfSatisfying(
            Answer.Refused.class, answer -> assertThat(answer.reason()).isEqualTo(reason));
    assertThat(machine.tasks()).isEqualTo(tasks);
    assertThat(machine.jobs()).isEqualTo(jobs);
  }

  private Task task(TaskId id) {
    return machine.task(id).orElseThrow();
  }

  /** Steps 1 and 2 change places, step 3 goes; exchange-2 stays, as exchange-1. */
  private static Command.ReplaceJob replacement(long version, boolean deliversBefore) {
    return new Command.ReplaceJob(
        "plant",
        version,
        "new",
        List.of(),
        List.of(
            new Command.KeptTasks(
                Set.of("kept"),
                Map.of("t", "t"),
                List.of(
                    new Command.KeptState(new byte[] {0, 1}, new byte[] {0, 2}),
                    new Command.KeptState(new byte[] {0, 2}, new byte[] {0, 1})),
                List.of(new Change(PLAN, new byte[] {2})),
                true)),
        Set.of("gone"),
        Map.of("exchange-2", "exchange-1"),
        deliversBefore);
  }

  private List<String> state(TaskId id) {
    return machine.state(id).stream()
        .map(
            entry ->
                HexFormat.of().formatHex(entry.getKey()) + "=" + Arrays.toString(entry.getValue()))
        .toList();
  }

  @Test
  void aTaskThatStaysKeepsItsDeviceItsSequenceAndWhatIsNamed() {
    long epoch = task(KEPT).epoch();
    done(replacement(1, false));
    Job job = machine.job("plant").orElseThrow();
    assertThat(job.script()).isEqualTo("new");
    assertThat(job.version()).isEqualTo(2);
    assertThat(job.earlier()).isEmpty();
    assertThat(task(KEPT).device()).isEqualTo("d");
    assertThat(task(KEPT).sequence()).isEqualTo(1);
    assertThat(task(KEPT).epoch()).isEqualTo(epoch + 1);
    assertThat(machine.positions(KEPT)).containsOnlyKeys("t");
    assertThat(state(KEPT)).containsExactly("000101=[20]", "00020107=[10]", "ffff00=[2]");
    assertThat(machine.task(GONE)).isEmpty();
    assertThat(machine.rows("plant", Channel.EXCHANGE, 0, 1_000))
        .extracting(block -> block.rows().table(), block -> block.rows().bytes()[0])
        .containsOnly(org.assertj.core.groups.Tuple.tuple("exchange-1", (byte) 5));
    assertThat(machine.rows("plant", Channel.OUTBOX, 0, 1_000)).hasSize(2);
  }

  /** What the version before still has under way was computed from state that is gone. */
  @Test
  void whatTheTaskBeforeCommitsAfterwardsIsRefused() {
    long epoch = task(KEPT).epoch();
    done(replacement(1, false));
    refused(new Command.Commit(KEPT, epoch, 2, Map.of(), List.of(), List.of()), Refusal.OLD_EPOCH);
    done(new Command.OpenTask(KEPT, "d", epoch + 1));
    done(new Command.Commit(KEPT, epoch + 2, 2, Map.of(), List.of(), List.of()));
    refused(new Command.Commit(GONE, 1, 2, Map.of(), List.of(), List.of()), Refusal.UNKNOWN_TASK);
    assertThat(machine.job("plant").orElseThrow().nextRow()).as("sequences go on").isEqualTo(7);
  }

  @Test
  void whatIsNotAsItWasWhenTheReplacementWasMadeRefusesAllOfIt() {
    refused(replacement(2, false), Refusal.WRONG_SEQUENCE);
    done(new Command.AssignTask(new TaskId("plant", "new one"), "", 0));
    refused(replacement(1, false), Refusal.NOT_NOW);
    done(new Command.RemoveTask(new TaskId("plant", "new one"), 1));
    done(new Command.SetLimits(Map.of(Limit.SCRIPT_BYTES, 2L)));
    refused(replacement(1, false), Refusal.TOO_LARGE);
    done(new Command.SetLimits(Map.of(Limit.SCRIPT_BYTES, 3L)));
    done(replacement(1, false));
  }

  @Test
  void aJobThatHasEndedIsNotReplaced() {
    done(new Command.SetJobState("plant", 1, JobState.STOPPED, ""));
    refused(replacement(1, false), Refusal.NOT_NOW);
    assertThat(
            apply(
                new Command.ReplaceJob(
                    "mill", 1, "new", List.of(), List.of(), Set.of(), Map.of(), false)))
        .isEqualTo(new Answer.Refused(Refusal.UNKNOWN_JOB, 0));
  }

  @Test
  void aJobThatIsPausedStaysSo() {
    done(new Command.SetJobState("plant", 1, JobState.PAUSED, ""));
    done(replacement(1, false));
    assertThat(machine.job("plant").orElseThrow().state()).isEqualTo(JobState.PAUSED);
  }

  /** A task whose input has ended has given up its state; a new step behind it has not begun. */
  @Test
  void aTaskThatHadEndedGoesOnIfItHasNewWork() {
    done(new Command.EndTask(KEPT, task(KEPT).epoch()));
    assertThat(task(KEPT).ended()).isTrue();
    done(replacement(1, false));
    assertThat(task(KEPT).ended()).isFalse();
    assertThat(machine.positions(KEPT)).containsOnlyKeys("t");
    assertThat(state(KEPT)).as("nor is it told which plan it is of").isEmpty();
  }

  @Test
  void rowsThatOnlyTheScriptBeforeCanDeliverAreItsUntilItHasDone() throws Exception {
    done(replacement(1, true));
    assertThat(machine.job("plant").orElseThrow().earlier())
        .contains(new Job.Earlier("old", 1, 6, List.of()));
    refused(
        new Command.ReplaceJob(
            "plant", 2, "newer", List.of(), List.of(), Set.of("kept"), Map.of(), false),
        Refusal.NOT_NOW);
    refused(new Command.EndDelivery("plant", 2), Refusal.WRONG_SEQUENCE);
    SiteMachine restored = copy();
    assertThat(restored.jobs()).isEqualTo(machine.jobs());
    done(new Command.EndDelivery("plant", 1));
    Job job = machine.job("plant").orElseThrow();
    assertThat(job.earlier()).isEmpty();
    assertThat(job.acknowledgedRow()).isEqualTo(6);
    assertThat(machine.rows("plant", Channel.OUTBOX, 0, 1_000)).isEmpty();
    refused(new Command.EndDelivery("plant", 1), Refusal.WRONG_SEQUENCE);
  }

  @Test
  void whatCouldNeverBeDoneIsNoCommand() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Command.KeptTasks(
                    Set.of("a"), Map.of("t", "x", "u", "x"), List.of(), List.of(), false))
        .withMessageContaining("named twice");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Command.KeptState(new byte[1], new byte[2]))
        .withMessage("prefixes of 1 and 2 bytes; they have 2");
    Command.KeptTasks kept =
        new Command.KeptTasks(Set.of("a"), Map.of(), List.of(), List.of(), false);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Command.ReplaceJob(
                    "plant", 1, "", List.of(), List.of(kept), Set.of("a"), Map.of(), false))
        .withMessageContaining("tasks of job plant are named twice");
  }

  /** Members of different age read each other's logs: these bytes may not change. */
  @Test
  void theBytesOfAReplacementStayWhatTheyAre() throws Exception {
    Command.ReplaceJob replace = replacement(1, true);
    assertThat(HexFormat.of().formatHex(CommandCodec.encodeCommand(replace)))
        .isEqualTo(
            "1a"
                + "00000005706c616e74"
                + "0000000000000001"
                + "000000036e6577"
                + "00000001"
                + ("00000001" + "000000046b657074")
                + ("00000001" + "0000000174" + "0000000174")
                + ("00000002" + "000000020001" + "000000020002" + "000000020002" + "000000020001")
                + ("00000001" + "01" + "00000003ffff00" + "0000000102")
                + "01"
                + ("00000001" + "00000004676f6e65")
                + ("00000001" + "0000000a65786368616e67652d32" + "0000000a65786368616e67652d31")
                + "01");
    byte[] end = CommandCodec.encodeCommand(new Command.EndDelivery("plant", 3));
    assertThat(HexFormat.of().formatHex(end))
        .isEqualTo("1b" + "00000005706c616e74" + "0000000000000003");
  }
}
