package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.Rows;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.site.internal.files.JobFiles;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a device says and does of tasks that it cannot run, or is to run no more, in virtual time.
 */
class UnfitDeviceTest {
  private static final TaskId TASK = new TaskId("plant", "numbers/a");
  private static final String KEY = "/etc/plant.key is not readable";

  private static final String PASSWORD = "plumtree";

  private static io.sedge.sql.Job job;

  private final SimulatedNetwork network = new SimulatedNetwork(new Random(3), _ -> {});
  private final SimulatedNetwork.Member member = network.new Member();
  private final DeviceLog log = new DeviceLog(InstantSource.system(), _ -> {});
  private final List<String> ends = new ArrayList<>();
  private Optional<JobException> failure = Optional.empty();
  private boolean compiles = true;
  private String lacks = "";
  private boolean damaged;
  private boolean leads;
  private int compilations;
  private int starts;
  private Agent agent;
  private long now;

  @BeforeAll
  static void compile() throws SqlException {
    job = SiteSimulationTest.compile(SiteSimulationTest.SCRIPT);
  }

  @BeforeEach
  void device() {
    done(new Command.RegisterDevice("a", "", Map.of()));
    done(new Command.RegisterDevice("b", "", Map.of()));
    done(
        new Command.SubmitJob(
            "plant", SiteSimulationTest.SCRIPT + "-- 'password' = '%s'".formatted(PASSWORD)));
    done(new Command.AssignTask(TASK, "a", 0));
    JobCatalog catalog =
        new JobCatalog((_, _, _) -> compiled(), new Files(), Runnable::run, Runnable::run, log);
    agent =
        new Agent(
            member,
            "a",
            catalog,
            this::start,
            new Meter(() -> 1, 64 << 20, _ -> ProcessUse.UNKNOWN),
            log,
            InstantSource.system());
  }

  /** The files that the job names. */
  private final class Files implements JobFiles {
    @Override
    public Optional<String> lacking(List<JobFile> files) {
      return Optional.of(lacks).filter(what -> !what.isEmpty());
    }

    @Override
    public boolean areWhole(List<JobFile> files) {
      if (damaged) {
        lacks = "scoring.jar was damaged";
      }
      return !damaged;
    }
  }

  private CompiledJob compiled() {
    compilations++;
    if (!compiles) {
      throw new ConnectorException(ConnectorException.Kind.USER, "there is no scoring.jar");
    }
    return new CompiledJob(job, Map.of("numbers", new Division.ByKey(0, SimulatedTables.KEYS)));
  }

  private TaskHost.Running start(
      TaskId id, Fragment fragment, JobFragments fragments, TaskStart start) {
    starts++;
    return new Stub(failure, ends);
  }

  /** A task that does nothing, or has failed. */
  private record Stub(Optional<JobException> failure, List<String> ends) implements IdleTask {
    @Override
    public boolean hasEnded() {
      return failure.isPresent();
    }

    @Override
    public void abort() {
      ends.add("aborted");
    }

    @Override
    public void retire() {
      ends.add("retired");
    }
  }

  private void done(Command command) {
    assertThat(network.command(command)).isInstanceOf(Answer.Done.class);
  }

  private void fails(FailureCode code) {
    failure = Optional.of(new JobException(code, KEY));
  }

  private void commit() {
    Task task = network.state().task(TASK).orElseThrow();
    Rows rows = new Rows(Channel.OUTBOX, "out", 1, new byte[1]);
    done(
        new Command.Commit(
            TASK, task.epoch(), task.sequence() + 1, Map.of(), List.of(), List.of(rows)));
  }

  private void assign(String device) {
    done(new Command.AssignTask(TASK, device, network.state().task(TASK).orElseThrow().epoch()));
  }

  private void pass(double seconds) {
    for (int turn = 0; turn < seconds * 20; turn++) {
      now += 50_000_000;
      for (int i = 0; i < 20; i++) {
        member.step();
        member.hear();
      }
      agent.doWork(now, leads);
    }
  }

  private Measures said() {
    return network.state().device("a").orElseThrow().measures();
  }

  private JobState state() {
    return network.state().job("plant").orElseThrow().state();
  }

  /** Whoever submits a job that cannot run is to hear it, not to wait. */
  @Test
  void aTaskOfAJobThatNeverCommittedFailsTheJob() {
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    pass(2);
    assertThat(state()).isEqualTo(JobState.FAILED);
    assertThat(network.state().job("plant").orElseThrow().detail()).contains(KEY);
    assertThat(said().unfitFor(TASK)).isEmpty();
  }

  @Test
  void aTaskOfAJobThatHasCommittedIsSaidToBeUnfitForThisDeviceUntilItIsTriedAgain() {
    pass(1);
    commit();
    assign("b");
    pass(1);
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    assign("a");
    pass(0.5);
    assertThat(said().unfitFor(TASK))
        .as("at once")
        .hasValueSatisfying(why -> assertThat(why).contains(KEY, "tried again in"));
    assertThat(state()).isEqualTo(JobState.RUNNING);
    starts = 0;
    pass(40);
    assertThat(state()).isEqualTo(JobState.RUNNING);
    assertThat(starts).as("after 1, 2, 4, 8 and 16 s").isEqualTo(5);
    failure = Optional.empty();
    pass(32);
    assertThat(said().remarks()).isEmpty();
  }

  /** Else it would be given back after a second each time, and interrupted each time. */
  @Test
  void aDeviceRemembersItsDelaysWhileAnotherHasTheTask() {
    pass(1);
    commit();
    assign("b");
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    for (int i = 0; i < 5; i++) {
      assign("a");
      pass(0.5);
      assertThat(said().unfitFor(TASK)).isPresent();
      assign("b");
      pass(31);
      assertThat(said().unfitFor(TASK)).isEmpty();
    }
    assign("a");
    pass(1);
    assign("b");
    pass(25);
    assertThat(said().unfitFor(TASK)).isPresent();
    done(new Command.SetJobState("plant", 1, JobState.STOPPED, ""));
    done(new Command.RemoveJob("plant", true));
    pass(2);
    assertThat(said().remarks()).isEmpty();
  }

  /** Far ends keep what the next reader goes on with, and nothing for a job that was stopped. */
  @ParameterizedTest
  @CsvSource({"STOPPED, retired", "FINISHED, retired", "FAILED, aborted", "PAUSED, aborted"})
  void aTaskIsEndedForGoodOnlyIfNobodyGoesOnWithItsJob(JobState state, String end) {
    pass(1);
    assign("b");
    pass(1);
    assertThat(ends).containsExactly("aborted");
    assign("a");
    pass(1);
    done(new Command.SetJobState("plant", 1, state, ""));
    assign("");
    pass(1);
    assertThat(ends).containsExactly("aborted", end);
  }

  /** What the shards read says nothing of what is written, or of another table. */
  @ParameterizedTest
  @ValueSource(strings = {CompiledJob.DELIVERY, Fragments.MERGE})
  void aTaskWhoseKindOfWorkWasNeverDoneFailsTheJobWhateverOthersHaveCommitted(String shard) {
    pass(1);
    commit();
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    done(new Command.AssignTask(new TaskId("plant", shard), "a", 0));
    pass(2);
    assertThat(state()).isEqualTo(JobState.FAILED);
    assertThat(network.state().job("plant").orElseThrow().detail()).contains(KEY);
  }

  @Test
  void aShardIsUnfitForThisDeviceWhereAnotherOneHasCommitted() {
    pass(1);
    commit();
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    TaskId other = new TaskId("plant", "numbers/e");
    done(new Command.AssignTask(other, "a", 0));
    pass(0.5);
    assertThat(said().unfitFor(other)).isPresent();
    assertThat(state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void aDeliveryIsUnfitForThisDeviceOnceRowsWereDelivered() {
    pass(1);
    commit();
    Job known = network.state().job("plant").orElseThrow();
    done(new Command.AcknowledgeRows("plant", Channel.OUTBOX, known.firstRow()));
    fails(FailureCode.TABLE_NOT_ACCEPTED);
    TaskId delivery = new TaskId("plant", CompiledJob.DELIVERY);
    done(new Command.AssignTask(delivery, "a", 0));
    pass(0.5);
    assertThat(said().unfitFor(delivery)).isPresent();
    assertThat(state()).isEqualTo(JobState.RUNNING);
  }

  /** All devices read what it says, and whoever asks for the site's status. */
  @Test
  void noSecretOfAScriptIsInWhatADeviceSays() {
    failure =
        Optional.of(new JobException(FailureCode.CONNECTION_FAILED, "no answer with " + PASSWORD));
    pass(3);
    assertThat(said().remarks().get(TASK.toString()).text())
        .contains("no answer with ***")
        .doesNotContain(PASSWORD);
    assertThat(agent.work().tasks())
        .extracting(TaskWork::remark)
        .allSatisfy(remark -> assertThat(remark).contains("***").doesNotContain(PASSWORD));
    failure =
        Optional.of(new JobException(FailureCode.TABLE_NOT_ACCEPTED, PASSWORD + " is refused"));
    pass(5);
    assertThat(network.state().job("plant").orElseThrow().detail())
        .contains("*** is refused")
        .doesNotContain(PASSWORD);
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureCode.class,
      names = {"STATE_TOO_LARGE", "EVALUATION_FAILED"})
  void whatIsTheSameOnEachDeviceFailsTheJobAlways(FailureCode code) {
    pass(1);
    commit();
    assign("b");
    pass(1);
    fails(code);
    assign("a");
    pass(2);
    assertThat(state()).isEqualTo(JobState.FAILED);
  }

  /** A broker that is away is away for others too: the task waits where it is. */
  @Test
  void aTaskThatLacksSomethingOutsideStandsButIsNotUnfit() {
    fails(FailureCode.CONNECTION_FAILED);
    pass(4);
    assertThat(said().unfitFor(TASK)).isEmpty();
    Remark remark = said().remarks().get(TASK.toString());
    assertThat(remark.kind()).isEqualTo(Remark.Kind.STANDS);
    assertThat(remark.text()).contains(KEY);
  }

  @Test
  void aDeviceThatCannotCompileAJobIsUnfitForAllOfItsTasksAndCompilesItAgainNowAndThen() {
    compiles = false;
    pass(0.5);
    assertThat(said().unfitFor(TASK))
        .hasValueSatisfying(
            why -> assertThat(why).contains("cannot be compiled here", "no scoring.jar"));
    assertThat(said().unfitFor(new TaskId("plant", "numbers/e"))).isPresent();
    assertThat(said().unfitFor(new TaskId("other", "numbers/e"))).isEmpty();
    pass(10);
    assertThat(compilations).as("at once, and after 1, 2 and 4 s").isEqualTo(4);
    assertThat(state()).isEqualTo(JobState.RUNNING);
    compiles = true;
    pass(10);
    assertThat(starts).isEqualTo(1);
    assertThat(said().remarks()).isEmpty();
  }

  /** Nobody is to give it a task while it could not run it, and it takes over when it can. */
  @Test
  void aDeviceThatLacksAFileIsUnfitFromTheStartUntilTheFileHasCome() {
    lacks = "scoring.jar is not here yet";
    assign("b");
    pass(0.5);
    assertThat(said().unfitFor(TASK)).contains(lacks);
    assertThat(said().unfitFor(new TaskId("plant", "numbers/e"))).contains(lacks);
    lacks = "7 bytes of scoring.jar have come";
    assign("a");
    pass(6);
    assertThat(said().unfitFor(TASK)).as("as it is by now").contains(lacks);
    assertThat(agent.work().tasks()).extracting(TaskWork::remark).containsExactly(lacks);
    assertThat(compilations).isZero();
    assertThat(state()).isEqualTo(JobState.RUNNING);
    lacks = "";
    pass(1);
    assertThat(said().unfitFor(TASK)).isEmpty();
    assertThat(compilations).isEqualTo(1);
    assertThat(starts).isEqualTo(1);
    pass(6);
    assertThat(said().remarks()).isEmpty();
  }

  /** Else a leader whose disk has damaged a copy would end a job that it has just been given. */
  @Test
  void aJobWhoseFileWasDamagedOnTheDiskWaitsForItAndDoesNotFail() {
    damaged = true;
    leads = true;
    pass(1);
    assertThat(compilations).isZero();
    assertThat(said().unfitFor(TASK)).contains("scoring.jar was damaged");
    assertThat(state()).isEqualTo(JobState.RUNNING);
    damaged = false;
    lacks = "";
    pass(1);
    assertThat(starts).isEqualTo(1);
    assertThat(said().unfitFor(TASK)).isEmpty();
  }

  /** It may have to take over at any moment, and compiling takes seconds on a small device. */
  @Test
  void aDeviceCompilesWhatOthersRun() {
    assign("b");
    pass(1);
    assertThat(compilations).isEqualTo(1);
    assign("a");
    pass(1);
    assertThat(starts).isEqualTo(1);
    assertThat(compilations).isEqualTo(1);
  }

  /** Its labels may keep it from ever running that job. */
  @Test
  void aDeviceThatCannotCompileWhatOthersRunSaysSoWhenItIsToRunIt() {
    compiles = false;
    assign("b");
    pass(20);
    assertThat(compilations).isEqualTo(1);
    assertThat(said().remarks()).isEmpty();
    assign("a");
    pass(0.5);
    assertThat(said().unfitFor(TASK)).isPresent();
  }

  /** Else it gives no task of the job to anybody for as long as it leads. */
  @Test
  void aLeaderCompilesAgainWhatOthersRun() {
    compiles = false;
    leads = true;
    assign("b");
    pass(10);
    assertThat(compilations).as("at once, and after 1, 2 and 4 s").isEqualTo(4);
    pass(200);
    assertThat(compilations).as("each half minute").isGreaterThanOrEqualTo(10);
    compiles = true;
    pass(31);
    assertThat(said().remarks()).isEmpty();
  }
}
