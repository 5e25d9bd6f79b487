package io.sedge.site.internal.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.Command;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Job;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.StateMachine;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.device.TaskWork;
import io.sedge.task.JobCounters;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What all devices say of tasks, whichever is asked. */
class RemarksTest {
  private final StateMachine machine = new StateMachine();
  private long index;

  private void apply(Command command) {
    index++;
    machine.apply(index, new Envelope(1, 1, index, List.of(command)));
  }

  private void says(String device, Map<String, Remark> remarks) {
    apply(
        new Command.MeasureDevice(
            device,
            new Measures(1, 1, 0, ProcessUse.UNKNOWN, Map.of(), Map.of(), Map.of(), remarks)));
  }

  @BeforeEach
  void site() {
    apply(new Command.SubmitJob("plant", ""));
    for (String name : List.of("a", "b")) {
      apply(new Command.RegisterDevice(name, "", Map.of()));
      apply(new Command.AssignTask(new TaskId("plant", "press-" + name), name, 0));
    }
    apply(new Command.AssignTask(new TaskId("plant", "idle"), "", 0));
  }

  private Task task(String shard) {
    return machine.state().task(new TaskId("plant", shard)).orElseThrow();
  }

  private Job job() {
    return machine.state().job("plant").orElseThrow();
  }

  private Remarks remarks(Set<String> present, TaskWork... own) {
    return new Remarks(
        machine.state(), device -> present.contains(device.name()), List.of(own), Map.of());
  }

  @Test
  void aTaskIsSaidToBeHinderedByTheDeviceThatHasIt() {
    says("a", Map.of("plant/press-b", new Remark(Remark.Kind.UNFIT, "no key here")));
    says(
        "b",
        Map.of(
            "plant/press-b", new Remark(Remark.Kind.STANDS, "the broker is away"),
            "plant/idle", new Remark(Remark.Kind.UNFIT, "no key")));
    Remarks remarks = remarks(Set.of("a", "b"));
    assertThat(remarks.of(task("press-a"))).isEmpty();
    assertThat(remarks.isRunning(task("press-a"))).isTrue();
    assertThat(remarks.of(task("press-b"))).isEqualTo("the broker is away");
    assertThat(remarks.isRunning(task("press-b"))).isFalse();
    assertThat(remarks.isRunning(task("idle"))).as("on no device").isFalse();
  }

  @Test
  void aTaskThatNoDeviceCanTakeIsTheReasonOfItsJob() {
    says("b", Map.of("plant/press-b", new Remark(Remark.Kind.RUNS, "table t is silent")));
    Map<TaskId, String> nowhere =
        Map.of(new TaskId("plant", "idle"), "runs nowhere: a lacks zone=nort");
    Remarks remarks = new Remarks(machine.state(), _ -> true, List.of(), nowhere);
    assertThat(remarks.of(task("idle"))).isEqualTo("runs nowhere: a lacks zone=nort");
    assertThat(remarks.of(job(), machine.state().tasks()))
        .isEqualTo("task idle runs nowhere: a lacks zone=nort");
  }

  @Test
  void aTaskThatRunsWithARemarkIsRunning() {
    says("b", Map.of("plant/press-b", new Remark(Remark.Kind.RUNS, "table t is silent")));
    assertThat(remarks(Set.of("b")).of(task("press-b"))).isEqualTo("table t is silent");
    assertThat(remarks(Set.of("b")).isRunning(task("press-b"))).isTrue();
  }

  @Test
  void whatADeviceSaidThatIsGoneIsNotRepeated() {
    says("b", Map.of("plant/press-b", new Remark(Remark.Kind.STANDS, "the broker is away")));
    assertThat(remarks(Set.of("a")).of(task("press-b"))).isEmpty();
  }

  /** It knows more, and says it also while the ledger takes no report. */
  @Test
  void theAskedDeviceSpeaksForItsOwnTasks() {
    says("a", Map.of("plant/press-a", new Remark(Remark.Kind.STANDS, "long past")));
    TaskWork own =
        new TaskWork(
            new TaskId("plant", "press-a"),
            false,
            "the ledger does not answer",
            "",
            JobCounters.NONE);
    assertThat(remarks(Set.of("a", "b"), own).of(task("press-a")))
        .isEqualTo("the ledger does not answer");
  }

  @Test
  void aJobSaysWhichDevicesCannotCompileIt() {
    says("a", Map.of("plant", new Remark(Remark.Kind.UNFIT, "there is no scoring.jar")));
    says("b", Map.of("plant/press-b", new Remark(Remark.Kind.STANDS, "the broker is away")));
    assertThat(ofJob("a", "b")).isEqualTo("a: there is no scoring.jar");
    assertThat(ofJob("b")).isEqualTo("task press-b on b: the broker is away");
    assertThat(ofJob()).isEmpty();
  }

  private String ofJob(String... present) {
    return remarks(Set.of(present)).of(job(), machine.state().tasks());
  }

  /** Whoever waits for a job is to see why nothing goes on. */
  @Test
  void aJobSaysTheWorstOfItsTasksAndNothingOfThoseThatBegin() {
    Remark silent = new Remark(Remark.Kind.RUNS, "table t is silent");
    Remark unfit = new Remark(Remark.Kind.UNFIT, "no key here");
    says("a", Map.of("plant/press-a", new Remark(Remark.Kind.BEGINS, "being opened")));
    assertThat(ofJob("a", "b")).isEmpty();
    says("a", Map.of("plant/press-a", silent, "plant/press-b", unfit));
    assertThat(ofJob("a", "b"))
        .as("not what a says of a task of b")
        .isEqualTo("task press-a on a: table t is silent");
    says("b", Map.of("plant/press-b", new Remark(Remark.Kind.STANDS, "the broker is away")));
    assertThat(ofJob("a", "b")).isEqualTo("task press-b on b: the broker is away");
    says("a", Map.of("plant/press-a", silent, "plant/idle", unfit));
    assertThat(ofJob("a", "b"))
        .as("of a task that nobody has")
        .isEqualTo("task idle on a: no key here");
  }
}
