package io.sedge.site.internal.membership;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.site.DeviceStatus;
import io.sedge.site.FailureCode;
import io.sedge.site.JobExplanation;
import io.sedge.site.JobStatus;
import io.sedge.site.JoinToken;
import io.sedge.site.LedgerStatus;
import io.sedge.site.LogLine;
import io.sedge.site.SiteControl;
import io.sedge.site.SiteException;
import io.sedge.site.SiteStatus;
import io.sedge.site.TaskStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A site as its ledger knows it: devices, members, jobs, tasks. Of speeds, loads and the reasons of
 * placement the ledger alone knows nothing.
 */
public final class LedgerControl implements SiteControl {
  private static final int UNKNOWN = -1;

  private final String self;
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final DeviceCommands devices;

  public LedgerControl(String self, LedgerMember member, DeviceCommands devices) {
    this.self = self;
    this.member = member;
    this.membership = new LedgerMembership(member);
    this.devices = devices;
  }

  @Override
  public void submit(String job, String script) throws SiteException {
    if (member.read(state -> state.job(job)).isPresent()) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "there is a job called %s already; choose another --name, or remove that one first (`sedge job remove %s`)"
              .formatted(job, job));
    }
    membership.submit(new Command.SubmitJob(job, script), "submitting job " + job);
  }

  @Override
  public List<JobStatus> jobs() {
    return member.read(LedgerControl::jobs);
  }

  private static List<JobStatus> jobs(SiteState state) {
    return state.jobs().stream().map(job -> status(job, state)).toList();
  }

  private static JobStatus status(Job job, SiteState state) {
    List<Task> tasks =
        state.tasks().stream().filter(task -> task.id().job().equals(job.name())).toList();
    return new JobStatus(
        job.name(),
        job.state(),
        job.detail(),
        job.version(),
        tasks.size(),
        (int) tasks.stream().filter(task -> !task.device().isEmpty()).count(),
        UNKNOWN,
        UNKNOWN,
        job.nextRow() - 1,
        job.nextRow() - 1 - job.acknowledgedRow());
  }

  @Override
  public void pause(String job) throws SiteException {
    set(job, JobState.PAUSED, "pausing");
  }

  @Override
  public void resume(String job) throws SiteException {
    set(job, JobState.RUNNING, "resuming");
  }

  @Override
  public void stop(String job) throws SiteException {
    set(job, JobState.STOPPED, "stopping");
  }

  private void set(String name, JobState state, String doing) throws SiteException {
    Job job = known(name);
    if (job.state() == state) {
      return;
    }
    if (job.state().hasEnded()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s has ended (%s); submit it again".formatted(name, job.state()));
    }
    membership.submit(
        new Command.SetJobState(name, job.version(), state, ""), doing + " job " + name);
  }

  private Job known(String name) throws SiteException {
    return member
        .read(state -> state.job(name))
        .orElseThrow(
            () ->
                new SiteException(
                    FailureCode.UNKNOWN_NAME,
                    "there is no job called %s; there are: %s"
                        .formatted(name, jobs().stream().map(JobStatus::name).toList())));
  }

  @Override
  public void removeJob(String name, boolean discardRows) throws SiteException {
    Job job = known(name);
    if (!job.state().hasEnded()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s is %s: stop it first (`sedge job stop %s`)".formatted(name, job.state(), name));
    }
    long waiting = job.nextRow() - 1 - job.acknowledgedRow();
    if (waiting > 0 && !discardRows) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "%,d rows of job %s are not delivered yet: wait, or lose them with --discard-rows"
              .formatted(waiting, name));
    }
    membership.submit(new Command.RemoveJob(name, discardRows), "removing job " + name);
  }

  @Override
  public JobExplanation explain(String name) throws SiteException {
    Job job = known(name);
    List<JobExplanation.Part> parts =
        member.read(
            state ->
                state.tasks().stream()
                    .filter(task -> task.id().job().equals(job.name()))
                    .map(task -> new JobExplanation.Part(task.id().shard(), task.device(), "", ""))
                    .toList());
    return new JobExplanation(name, job.script(), parts);
  }

  @Override
  public List<LogLine> logs(String job, long after) throws SiteException {
    if (!job.isEmpty()) {
      known(job);
    }
    return List.of();
  }

  @Override
  public SiteStatus status() {
    List<Member> members = member.members();
    Optional<String> leader = member.leader();
    String leaderAddress =
        members.stream()
            .filter(other -> other.id().equals(leader.orElse("")))
            .map(Member::address)
            .findFirst()
            .orElse("");
    return member.read(
        state ->
            new SiteStatus(
                member.invite().site().toString(),
                self,
                state.devices().stream()
                    .filter(device -> device.address().equals(leaderAddress))
                    .map(Device::name)
                    .findFirst()
                    .orElse(""),
                0,
                state.devices().stream()
                    .map(device -> status(device, members, leaderAddress, state))
                    .toList(),
                jobs(state),
                state.tasks().stream().map(LedgerControl::status).toList(),
                status(members, state)));
  }

  private DeviceStatus status(
      Device device, List<Member> members, String leaderAddress, SiteState state) {
    Optional<Member> copy =
        members.stream().filter(member -> member.address().equals(device.address())).findFirst();
    int shards =
        (int) state.tasks().stream().filter(task -> task.device().equals(device.name())).count();
    return new DeviceStatus(
        device.name(),
        device.address(),
        device.state(),
        device.name().equals(self) || device.address().equals(leaderAddress),
        copy.isPresent(),
        copy.filter(Member::voter).isPresent(),
        0,
        0,
        0,
        shards,
        visible(device.labels()),
        UNKNOWN,
        UNKNOWN);
  }

  /** Those that a person gave. */
  public static Map<String, String> visible(Map<String, String> labels) {
    Map<String, String> visible = new java.util.TreeMap<>(labels);
    visible
        .keySet()
        .removeIf(label -> label.startsWith(io.sedge.site.DeviceOptions.RESERVED_LABELS));
    return visible;
  }

  private static TaskStatus status(Task task) {
    return new TaskStatus(
        task.id().job(),
        task.id().shard(),
        task.device(),
        task.epoch(),
        task.sequence(),
        UNKNOWN,
        UNKNOWN,
        task.stateBytes());
  }

  private static LedgerStatus status(List<Member> members, SiteState state) {
    return new LedgerStatus(
        state.appliedIndex(),
        members.size(),
        (int) members.stream().filter(Member::voter).count(),
        state.stateBytes(),
        state.limits().stateBytes(),
        state.rowBytes(Channel.OUTBOX),
        state.limits().outboxBytes(),
        state.rowBytes(Channel.EXCHANGE));
  }

  @Override
  public String why(String job, String shard) throws SiteException {
    Task task =
        member
            .read(state -> state.task(new TaskId(job, shard)))
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.UNKNOWN_NAME,
                        "job %s has no task called %s".formatted(job, shard)));
    return task.device().isEmpty()
        ? "Task %s runs nowhere.".formatted(task.id())
        : "Task %s runs on %s.".formatted(task.id(), task.device());
  }

  @Override
  public String whatIf(Set<String> lost) throws SiteException {
    long tasks =
        member.read(
            state -> state.tasks().stream().filter(task -> lost.contains(task.device())).count());
    return "%d tasks run on %s.".formatted(tasks, String.join(", ", lost));
  }

  @Override
  public void drain(String device) throws SiteException {
    devices.drain(device);
  }

  @Override
  public void undrain(String device) throws SiteException {
    devices.undrain(device);
  }

  @Override
  public void removeDevice(String device) throws SiteException {
    devices.remove(device);
  }

  @Override
  public void expel(String device) throws SiteException {
    devices.expel(device);
  }

  @Override
  public JoinToken token(Duration validFor) throws SiteException {
    return devices.token(validFor);
  }
}
