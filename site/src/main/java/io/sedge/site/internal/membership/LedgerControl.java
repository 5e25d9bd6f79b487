package io.sedge.site.internal.membership;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmList;
import io.sedge.division.Fragment;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Limit;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Measures;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.DeviceLoad;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.Member;
import io.sedge.site.api.AllowedDirectory;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.Diagnosis;
import io.sedge.site.api.DiscoveredShards;
import io.sedge.site.api.JobExplanation;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LedgerStatus;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.SecretStatus;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteDrifts;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.api.SiteLimits;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.api.TaskStatus;
import io.sedge.site.api.TrainingStatus;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.site.internal.files.FileKeeper;
import io.sedge.site.internal.training.DeviceTraining;
import io.sedge.sql.PlanPrinter;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A site as its ledger knows it, and placement sees it. */
public final class LedgerControl implements SiteControl {
  private static final int UNKNOWN = -1;

  private final String self;
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final DeviceCommands devices;
  private final SecretStore secrets;
  private final ScriptCheck scripts;
  private final ShardDiscovery discovery;
  private final JobReplacing replacing;
  private final TableAllowances allowances;
  private final SiteNode node;
  private final SiteReports reports;
  private final Supplier<Diagnosis> diagnostics;
  private final AlarmDesk alarms;
  private final ModelDesk models;
  private final RollBacks rollBacks;
  private final InstantSource clock;

  /**
   * @param identity of this device
   * @param diagnostics what it knows of itself
   * @param bundles of it
   * @param keeper of files of jobs
   * @param training its part in trainings
   */
  public LedgerControl(
      DeviceIdentity identity,
      LedgerMember member,
      DeviceCommands devices,
      SecretStore secrets,
      SiteNode node,
      Supplier<Diagnosis> diagnostics,
      Enrolment.Bundles bundles,
      FileKeeper keeper,
      DeviceTraining training,
      InstantSource clock) {
    this.self = identity.name();
    this.member = member;
    this.membership = new LedgerMembership(member, self);
    this.devices = devices;
    this.secrets = secrets;
    this.scripts = new ScriptCheck(member, node, secrets, new DeviceFiles(membership, identity));
    this.discovery = new ShardDiscovery(member, node, scripts);
    this.replacing = new JobReplacing(member, membership, node, scripts);
    this.allowances = new TableAllowances(member, membership, node);
    this.node = node;
    this.reports = new SiteReports(membership, identity, node.log(), bundles, node::isUp);
    this.diagnostics = diagnostics;
    this.alarms = new AlarmDesk(member, membership, clock);
    this.models =
        new ModelDesk(
            member,
            membership,
            node,
            scripts,
            replacing,
            keeper,
            new TrainingCalls(membership, identity, training),
            clock);
    this.rollBacks = new RollBacks(member, membership, node, reports, replacing);
    this.clock = clock;
  }

  /** What takes versions of models back by itself. */
  public RollBacks rollBacks() {
    return rollBacks;
  }

  /** Models that the site trains. */
  public ModelDesk modelDesk() {
    return models;
  }

  @Override
  public List<ModelStatus> models() {
    return models.models();
  }

  @Override
  public void startTraining(String job, String model) throws SiteException {
    models.start(job, model);
  }

  @Override
  public TrainingStatus training(String job, String model) throws SiteException {
    return models.training(job, model);
  }

  @Override
  public void promoteModel(String job, String model, long version) throws SiteException {
    models.promote(job, model, version);
  }

  @Override
  public void shadowModel(String job, String model, long version) throws SiteException {
    models.shadow(job, model, version);
  }

  @Override
  public byte[] exportModel(String job, String model, long version) throws SiteException {
    return models.export(job, model, version);
  }

  @Override
  public DiscoveredShards discover(String name, String script) throws SiteException {
    return discovery.discover(name, script);
  }

  @Override
  public boolean submit(String name, String script) throws SiteException {
    Optional<Job> before = member.read(state -> state.job(name));
    if (before.isPresent()) {
      mayBeReplaced(before.get());
    }
    if (member.read(state -> state.givenJobs().containsKey(name))) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "job %s is the center's: choose another --name, or remove it first (`sedge job remove %s`)"
              .formatted(name, name));
    }
    List<JobFile> files = scripts.check(name, script).files();
    scripts.give(name, files);
    if (before.isPresent()) {
      membership.submit(
          new Command.RemoveJob(name, false),
          "removing job %s, which has ended, to submit it again".formatted(name));
    }
    submit(name, script, files);
    return before.isPresent();
  }

  /** Submits a script under a name that nobody has. */
  void submitGiven(String name, String script) throws SiteException {
    List<JobFile> files = scripts.check(name, script).files();
    scripts.give(name, files);
    submit(name, script, files);
  }

  private void submit(String name, String script, List<JobFile> files) throws SiteException {
    membership.submit(new Command.SubmitJob(name, script, files), "submitting job " + name);
  }

  /** Whether the site can run a script. */
  void checkScript(String name, String script) throws SiteException {
    var _ = scripts.check(name, script);
  }

  /** Jobs that the site's center gives. */
  public GivenJobs centerJobs() {
    return new CenterJobs(this, member, membership);
  }

  @Override
  public Set<CenterRight> centerRights() {
    return member.read(
        state ->
            Stream.of(CenterRight.values())
                .filter(state::allows)
                .collect(Collectors.toUnmodifiableSet()));
  }

  @Override
  public void allowCenter(CenterRight right, boolean allowed) throws SiteException {
    membership.submit(new Command.AllowCenter(right, allowed), "saying what a center may do");
  }

  private static void mayBeReplaced(Job before) throws SiteException {
    String name = before.name();
    if (!before.state().hasEnded()) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "there is a job called %s already, which is %s; choose another --name, replace it (--replace; --dry-run shows what stays), or stop it first (`sedge job stop %s`)"
              .formatted(name, before.state(), name));
    }
    if (before.waitingRows() > 0) {
      throw undelivered(before);
    }
  }

  /**
   * What a person can do about a job that has ended and has rows. They are delivered on, whatever
   * it has ended by, and again and again where that fails: so what fails must be put right, or
   * nothing.
   */
  private static SiteException undelivered(Job job) {
    String why = job.detail().isEmpty() ? "" : " (%s)".formatted(job.detail());
    return new SiteException(
        FailureCode.NOT_NOW,
        "job %s is %s%s, and not all of its rows are delivered: %s to go. The site goes on with that; `sedge job logs %s` says so if they cannot be written: put that right, and they will be. Or lose them: `sedge job remove %s --discard-rows`"
            .formatted(
                job.name(),
                job.state(),
                why,
                Printable.count(job.waitingRows(), "row"),
                job.name(),
                job.name()));
  }

  @Override
  public JobReplacement replacement(String name, String script) throws SiteException {
    return replacing.plan(known(name), script).shown();
  }

  @Override
  public void replace(String name, String script, JobReplacement shown) throws SiteException {
    if (member.read(state -> state.givenJobs().containsKey(name))) {
      throw new SiteException(
          FailureCode.NAME_TAKEN,
          "job %s is the center's, which gives it other scripts (`sedge center job submit`); here it can be stopped and removed"
              .formatted(name));
    }
    replaceGiven(name, script, shown);
  }

  /** Replaces a job, whosever it is. */
  void replaceGiven(String name, String script, JobReplacement shown) throws SiteException {
    replacing.replace(known(name), script, shown);
  }

  @Override
  public List<JobStatus> jobs() {
    return member.read(this::jobs);
  }

  private List<JobStatus> jobs(SiteState state) {
    Remarks remarks = remarks(state);
    return state.jobs().stream().map(job -> status(job, state, remarks)).toList();
  }

  private Remarks remarks(SiteState state) {
    return new Remarks(state, node::isUp, node.work().tasks(), node.nowhere(state));
  }

  private JobStatus status(Job job, SiteState state, Remarks remarks) {
    List<Task> tasks =
        state.tasks().stream().filter(task -> task.id().job().equals(job.name())).toList();
    return new JobStatus(
        job.name(),
        job.state(),
        job.detail().isEmpty() ? remarks.of(job, tasks) : job.detail(),
        job.version(),
        state.givenJobs().getOrDefault(job.name(), 0L),
        tasks.size(),
        (int) tasks.stream().filter(remarks::isRunning).count(),
        readingsPerSecond(state, tasks),
        lagSeconds(state, tasks),
        job.rows(),
        job.waitingRows(),
        node.paces().of(state, job));
  }

  /** Of the tasks that read the job's own sources. */
  private static double readingsPerSecond(SiteState state, List<Task> tasks) {
    return tasks.stream()
        .filter(task -> SiteNode.readsSources(task.id()))
        .map(task -> measured(state, task, Measures::loads))
        .flatMap(Optional::stream)
        .mapToDouble(Double::doubleValue)
        .reduce(Double::sum)
        .orElse(UNKNOWN);
  }

  private static double lagSeconds(SiteState state, List<Task> tasks) {
    return tasks.stream()
        .map(task -> measured(state, task, Measures::lags))
        .flatMap(Optional::stream)
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(UNKNOWN);
  }

  /** What the device that runs it says of a task. */
  private static Optional<Double> measured(
      SiteState state, Task task, Function<Measures, Map<String, Double>> values) {
    return state
        .device(task.device())
        .map(device -> values.apply(device.measures()).get(task.id().toString()));
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
                        .formatted(
                            name, Printable.list(jobs().stream().map(JobStatus::name).toList()))));
  }

  @Override
  public long removeJob(String name, boolean discardRows) throws SiteException {
    boolean onlyMarked =
        member.read(state -> state.job(name).isEmpty() && state.givenJobs().containsKey(name));
    if (onlyMarked) {
      // The center was about to submit it.
      membership.submit(new Command.MarkJob(name, 0), "freeing the name of job " + name);
      return 0;
    }
    Job job = known(name);
    if (!job.state().hasEnded()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "job %s is %s: stop it first (`sedge job stop %s`)".formatted(name, job.state(), name));
    }
    long waiting = job.waitingRows();
    if (waiting > 0 && !discardRows) {
      throw undelivered(job);
    }
    membership.submit(new Command.RemoveJob(name, discardRows), "removing job " + name);
    return waiting;
  }

  @Override
  public JobExplanation explain(String name) throws SiteException {
    Job job = known(name);
    List<Fragment> fragments = node.fragments(job);
    Map<TaskId, String> reasons =
        node.why(fragments.stream().map(part -> new TaskId(name, part.name())).toList());
    List<JobExplanation.Part> parts = new ArrayList<>();
    for (Fragment fragment : fragments) {
      TaskId id = new TaskId(name, fragment.name());
      String device = member.read(state -> state.task(id).map(Task::device).orElse(""));
      parts.add(
          new JobExplanation.Part(
              fragment.name(),
              device,
              reasons.getOrDefault(id, ""),
              PlanPrinter.print(fragment.job())));
    }
    String text =
        parts.isEmpty()
            ? "Job %s is not compiled on this device yet; ask again.".formatted(name)
            : "Job %s is done by %s.".formatted(name, Printable.count(parts.size(), "task"));
    return new JobExplanation(name, text, parts);
  }

  @Override
  public List<LogLine> logs(String job, long after) throws SiteException {
    if (!job.isEmpty()) {
      known(job);
    }
    return node.log().lines(job, after);
  }

  @Override
  public List<DeviceLogs> siteLogs(String job, Set<String> names, Map<String, String> marks)
      throws SiteException {
    if (!job.isEmpty()) {
      known(job);
    }
    return reports.logs(job, names, marks);
  }

  @Override
  public SiteLeftOut leftOut(String job) throws SiteException {
    known(job);
    return reports.leftOut(job);
  }

  @Override
  public SiteDrifts drifts(String job) throws SiteException {
    boolean isWatched = node.compiled(known(job)).map(io.sedge.sql.Job::watchesModels).orElse(true);
    return isWatched
        ? reports.drifts(job, node.holders(job))
        : new SiteDrifts(List.of(), new TreeMap<>());
  }

  /**
   * The latest that devices have said, a page of each.
   *
   * @param devices whose; empty for all
   * @throws SiteException UNKNOWN_NAME
   */
  public List<DeviceLogs> latestLogs(String job, Set<String> devices) throws SiteException {
    if (!job.isEmpty()) {
      known(job);
    }
    return reports.latest(job, devices);
  }

  /**
   * A zip file for whoever looks for a fault of a device.
   *
   * @throws SiteException UNKNOWN_NAME; CONNECTION_FAILED if the device cannot be asked; NOT_NOW
   *     while it makes another one
   */
  public byte[] bundle(String device) throws SiteException {
    return reports.bundle(device);
  }

  @Override
  public SiteStatus status() {
    Map<String, DeviceLoad> loads = new HashMap<>();
    double makespan = 0;
    for (DeviceLoad load : node.loads()) {
      loads.put(load.device(), load);
      makespan = Math.max(makespan, load.busy());
    }
    double fullest = makespan;
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
                fullest,
                state.devices().stream()
                    .map(device -> status(device, members, loads.get(device.name()), state))
                    .toList(),
                jobs(state),
                tasks(state),
                status(members, state),
                state.alarms().counts(clock.millis())));
  }

  private List<TaskStatus> tasks(SiteState state) {
    Remarks remarks = remarks(state);
    return state.tasks().stream().map(task -> status(task, state, remarks)).toList();
  }

  private DeviceStatus status(
      Device device, List<Member> members, @Nullable DeviceLoad load, SiteState state) {
    Optional<Member> copy =
        members.stream().filter(member -> member.address().equals(device.address())).findFirst();
    int shards =
        (int) state.tasks().stream().filter(task -> task.device().equals(device.name())).count();
    return new DeviceStatus(
        device.name(),
        device.address(),
        device.state(),
        node.isUp(device),
        device.stopped(),
        node.silent(device).toMillis(),
        copy.isPresent(),
        copy.filter(Member::voter).isPresent(),
        LedgerMembership.hasAuthority(device),
        load == null || load.busy() == 0 || device.measures().speeds().isEmpty()
            ? 0
            : load.load() / load.busy(),
        load == null ? 0 : load.load(),
        load == null ? 0 : load.busy(),
        shards,
        visible(device.labels()),
        device.measures().use(),
        LedgerMembership.version(device));
  }

  /** Those that a person gave. */
  public static Map<String, String> visible(Map<String, String> labels) {
    Map<String, String> visible = new java.util.TreeMap<>(labels);
    visible
        .keySet()
        .removeIf(label -> label.startsWith(io.sedge.site.api.DeviceOptions.RESERVED_LABELS));
    return visible;
  }

  private static TaskStatus status(Task task, SiteState state, Remarks remarks) {
    return new TaskStatus(
        task.id().job(),
        task.id().shard(),
        task.device(),
        task.epoch(),
        task.sequence(),
        measured(state, task, Measures::loads).orElse((double) UNKNOWN),
        measured(state, task, Measures::lags).orElse((double) UNKNOWN),
        task.stateBytes(),
        remarks.of(task));
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
    TaskId id = new TaskId(job, shard);
    if (member.read(state -> state.task(id)).isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "job %s has no task called %s; it has: %s"
              .formatted(
                  job,
                  shard,
                  Printable.list(
                      member.read(
                          state ->
                              state.tasks().stream()
                                  .filter(task -> task.id().job().equals(job))
                                  .map(task -> task.id().shard())
                                  .toList()))));
    }
    String why =
        node.why(id)
            .orElse(
                "Task %s is not to run: its job is not running, or it has ended.".formatted(id));
    String remark = member.read(state -> state.task(id).map(remarks(state)::of).orElse(""));
    return remark.isEmpty() ? why : "%s\n  now: %s".formatted(why.stripTrailing(), remark);
  }

  @Override
  public String whatIf(Set<String> lost) throws SiteException {
    try {
      return node.whatIf(lost);
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.UNKNOWN_NAME, String.valueOf(e.getMessage()), e);
    }
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
  public void removeDevice(String device, boolean loseAuthority) throws SiteException {
    devices.remove(device, loseAuthority, this::status);
  }

  @Override
  public void expel(String device, boolean loseAuthority) throws SiteException {
    devices.expel(device, loseAuthority, this::status);
  }

  @Override
  public void giveAuthority(String device) throws SiteException {
    devices.giveAuthority(device);
  }

  @Override
  public SiteLimits limits() {
    return member.read(LimitsView::of);
  }

  @Override
  public void setLimits(Map<Limit, Long> values) throws SiteException {
    Command.SetLimits command;
    try {
      // The ledger has the last word; this one has reasons.
      Limits _ = member.read(SiteState::limits).with(values);
      command = new Command.SetLimits(values);
    } catch (IllegalArgumentException e) {
      throw new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e);
    }
    membership.submit(command, "changing limits");
  }

  @Override
  public List<AllowedDirectory> allowedDirectories() {
    return node.files().list();
  }

  @Override
  public void allow(String directory, boolean writable) throws SiteException {
    node.files().allow(directory, writable);
  }

  @Override
  public void disallow(String directory) throws SiteException {
    node.files().disallow(directory);
  }

  @Override
  public SecretStatus setSecret(String name, String value) throws SiteException {
    return secrets.set(name, value);
  }

  @Override
  public List<SecretStatus> secrets() {
    return secrets.list();
  }

  @Override
  public void removeSecret(String name) throws SiteException {
    secrets.remove(name);
  }

  @Override
  public List<Allowance> allowedTables() {
    return allowances.list();
  }

  @Override
  public void allowTable(Allowance allowance) throws SiteException {
    allowances.allow(allowance);
  }

  @Override
  public void disallowTable(String job, String table) throws SiteException {
    allowances.disallow(job, table);
  }

  @Override
  public AlarmList alarms() {
    return alarms.list();
  }

  @Override
  public List<AlarmChange> alarmHistory(long id) throws SiteException {
    return alarms.history(id);
  }

  @Override
  public int actOnAlarms(
      AlarmEvent event, List<AlarmAction.Target> targets, String by, Duration shelved, String note)
      throws SiteException {
    return alarms.act(event, targets, by, shelved, note);
  }

  @Override
  public Diagnosis diagnose() {
    return diagnostics.get();
  }

  @Override
  public JoinToken token(Duration validFor) throws SiteException {
    return devices.token(validFor);
  }
}
