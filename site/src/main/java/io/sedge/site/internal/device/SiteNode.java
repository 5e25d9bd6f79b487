package io.sedge.site.internal.device;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.TableDescriptor;
import io.sedge.division.AcrossSites;
import io.sedge.division.Divisions;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.division.Replacement;
import io.sedge.engine.type.Schema;
import io.sedge.learning.Drift;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProviders;
import io.sedge.learning.training.Recipe;
import io.sedge.ledger.Device;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.ModelVersion;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.DeviceLoad;
import io.sedge.placement.Health;
import io.sedge.placement.Placement;
import io.sedge.placement.Policy;
import io.sedge.placement.Shard;
import io.sedge.placement.ShardId;
import io.sedge.placement.Site;
import io.sedge.placement.Unplaced;
import io.sedge.replication.LogCounts;
import io.sedge.replication.PortCheck;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.files.FileKeeper;
import io.sedge.site.internal.files.NamedFiles;
import io.sedge.sql.SecretReferences;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureClass;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import io.sedge.task.ProcessDisk;
import io.sedge.task.RunOptions;
import io.sedge.task.Secrets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A device's part in running its site's jobs: agent and controller, in a thread that lets them work
 * whenever the ledger has gone on or a device may have ended, ten times a second while tasks begin
 * and end, and as often as there is to report. What it shows may be asked by any thread.
 */
public final class SiteNode implements AutoCloseable {
  private static final long MILLI = 1_000_000;
  private static final long TURN_NANOS = 100 * MILLI;
  private static final long STOP_NANOS = 10_000_000_000L;
  private static final long LEAVE_NANOS = 2_000_000_000;

  private final Ledger ledger;
  private final Leadership leadership;
  private final SqlCompiler compiler;
  private final Connectors connectors;
  private final DeviceOptions options;
  private final AllowedDirectories files;
  private final FileKeeper keeper;
  private final Secrets secrets;
  private final DeviceLog log;
  private final InstantSource clock;
  private final Policy policy = Policy.forStreams();
  private final JobCatalog catalog;

  /** One at a time: each takes some ten megabytes. */
  private final ExecutorService compilations =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("sedge-compile").daemon().factory());

  private final Agent agent;
  private final Controller controller;
  private final JobPaces paces = new JobPaces();
  private final MeteredLedger metered;
  private final CpuShare cpuShare;
  private final Thread thread;

  /** The entry that is waited for. */
  private long awaited = -1;

  private volatile long turnNanos = System.nanoTime();
  private volatile boolean closed;

  /**
   * @param site the site's name among all
   * @param counts what the ledger's log has taken so far
   * @param keeper of the files that jobs name
   */
  public SiteNode(
      Ledger ledger,
      Leadership leadership,
      Supplier<LogCounts> counts,
      String site,
      DeviceOptions options,
      AllowedDirectories files,
      FileKeeper keeper,
      Secrets secrets,
      Connectors connectors,
      DeviceLog log,
      InstantSource clock) {
    this.ledger = ledger;
    this.files = files;
    this.keeper = keeper;
    this.secrets = secrets;
    this.leadership = leadership;
    this.options = options;
    this.connectors = connectors;
    this.log = log;
    this.clock = clock;
    this.compiler =
        new SqlCompiler(
            connectors.byName(),
            connectors.formats().byName(),
            ModelProviders.installed(SiteNode.class.getClassLoader()),
            clock,
            files);
    this.catalog =
        new JobCatalog(
            this::compile,
            keeper,
            compiling -> compilations.execute(() -> runAndWake(compiling)),
            cut -> Thread.ofVirtual().name("sedge-cut").start(() -> runAndWake(cut)),
            log);
    this.metered = new MeteredLedger(ledger, System::nanoTime);
    CpuBudget budget = new CpuBudget(options.cpus(), System::nanoTime);
    TaskHost host =
        new LedgerTaskHost(
            metered,
            site,
            connectors.byName(),
            budget::pace,
            new JobLauncher(
                RunOptions.in(options.directory())
                    .withData(options.data())
                    .withFiles(files)
                    .withSecrets(secrets),
                log,
                clock),
            clock,
            System::nanoTime);
    this.cpuShare = new CpuShare(options.cpus(), budget, CpuShare.Machine.own());
    UseMeter use =
        new UseMeter(
            counts, ProcessDisk::writtenBytes, UseMeter.Disk.of(options.data()), System.nanoTime());
    Meter meter = new Meter(cpuShare, tasksMemory(options), use::take);
    this.agent = new Agent(ledger, options.name(), catalog, host, meter, log, clock);
    this.controller =
        new Controller(metered, options.name(), catalog, log, policy, leadership, this::refuses);
    this.thread = Thread.ofPlatform().name("sedge-agent").unstarted(this::run);
    log.askForDrifts(this::drifts);
  }

  private void runAndWake(Runnable work) {
    work.run();
    LockSupport.unpark(thread);
  }

  /** Another device may have ended, or lead. Any thread; returns at once. */
  public void alarm() {
    long now = System.nanoTime();
    controller.alarm(now);
    if (controller.isAlarmed(now)) {
      LockSupport.unpark(thread);
    }
  }

  /** A refusal is heard at once, not in the next turn. */
  private CompletableFuture<Boolean> refuses(String address) {
    CompletableFuture<Boolean> answer = PortCheck.overTcp(address);
    var _ =
        answer.thenAccept(
            refused -> {
              if (refused) {
                LockSupport.unpark(thread);
              }
            });
    return answer; // Not what follows from it, which is done only after the thread has woken up.
  }

  /** What remains for tasks of the heap, beside ledger and compiler. */
  private static long tasksMemory(DeviceOptions options) {
    return Math.min(options.memoryBytes(), Runtime.getRuntime().maxMemory()) / 2;
  }

  /** Begins to work. */
  public void start() {
    thread.start();
    keeper.start(() -> LockSupport.unpark(thread));
    Thread.ofPlatform().name("sedge-pulse").daemon().start(this::watchShare);
  }

  private void watchShare() {
    while (!closed) {
      LockSupport.parkNanos(cpuShare.doWork(System.nanoTime()));
    }
  }

  private void run() {
    while (!closed) {
      try {
        long now = System.nanoTime();
        turnNanos = now;
        boolean leads = leadership.isLeader();
        keeper.want(ledger.read(SiteNode::named));
        agent.doWork(now, leads);
        if (agent.isCaughtUp()) {
          controller.doWork(now, leads);
        }
        log.tell();
        ledger.read(
            state -> {
              paces.update(state, now);
              return state.appliedIndex();
            });
      } catch (Error e) {
        // Without this thread the device would be there and do nothing: better it is not there.
        log.add(Severity.ERROR, "", "cannot go on: " + e);
        Runtime.getRuntime().halt(FailureClass.RESOURCES.exitCode());
      } catch (RuntimeException e) {
        // A fault here must not end the device: the next turn begins from the ledger again.
        log.add(Severity.ERROR, "", "a fault in Sedge while running tasks: " + e);
      }
      awaitLedger();
      LockSupport.parkNanos(restNanos());
    }
    handOver();
    awaitEnd(agent.stop());
    leave();
  }

  /**
   * Who leads looks out for silent devices, twice as often as they report; else the next report is
   * what there is to do.
   */
  private long restNanos() {
    if (controller.isAlarmed(System.nanoTime())) {
      return Liveness.ALARM_BETWEEN_NANOS;
    }
    boolean leads = leadership.isLeader();
    if (!agent.isCaughtUp() || !agent.isSettled() || (leads && controller.isBusy())) {
      return TURN_NANOS;
    }
    return leads ? agent.reportNanos() / 2 : agent.reportNanos();
  }

  /** Has the thread woken up with the next entry. */
  private void awaitLedger() {
    long index = ledger.read(SiteState::appliedIndex);
    if (index >= awaited) {
      awaited = index + 1;
      var _ =
          ledger.readAt(awaited, SiteState::appliedIndex).thenRun(() -> LockSupport.unpark(thread));
    }
  }

  /** While its tasks run: whoever leads then gives them to others at once. */
  private void handOver() {
    try {
      leadership.handOver();
    } catch (RuntimeException e) {
      // What follows must be done all the same.
      log.add(Severity.WARNING, "", "a fault in Sedge while handing the lead over: " + e);
    }
  }

  /** Lets others have the tasks at once; where nobody answers, they notice it by the silence. */
  private void leave() {
    try {
      agent.leave().get(LEAVE_NANOS, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      log.add(Severity.WARNING, "", "the ledger does not answer: the site will miss this device");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void awaitEnd(List<TaskHost.Running> stopping) {
    long begin = System.nanoTime();
    while (stopping.stream().anyMatch(task -> !task.hasEnded())
        && System.nanoTime() - begin < STOP_NANOS) {
      LockSupport.parkNanos(TURN_NANOS / 5);
    }
  }

  /** The files of all jobs, and of versions of models, which may be scored by again. */
  private static List<JobFile> named(SiteState state) {
    Stream<JobFile> ofJobs =
        state.jobs().stream()
            .flatMap(
                job ->
                    Stream.concat(
                        job.files().stream(),
                        job.earlier().stream().flatMap(earlier -> earlier.files().stream())));
    return Stream.concat(ofJobs, state.models().stream().map(ModelVersion::file)).toList();
  }

  /**
   * Compiles a script that is to be submitted as this device would to run it; it must have what it
   * needs here. A copy is taken of each file that the script names. Models that the site trains
   * score by the versions that the script names, else by those that were live last; what scores
   * beside them does so further, and what was rolled back stays so.
   */
  public CompiledJob compile(String name, String script) throws SqlException {
    NamedFiles named =
        keeper.take(
            new NamedFiles.Versions() {
              @Override
              public Optional<JobFile> of(String model, String what, OptionalLong number) {
                return ledger.read(state -> version(state, name, model, what, number));
              }

              @Override
              public Optional<JobFile> shadow(String model, String what) {
                return ledger.read(state -> SiteNode.shadow(state, name, model, what));
              }
            });
    io.sedge.sql.Job job = job(name, script, named);
    List<JobFile> files = new ArrayList<>(named.files());
    for (io.sedge.sql.Job.Training training : job.trainings()) {
      ledger.read(state -> rolledBack(state, name, training.model())).ifPresent(files::add);
    }
    return compiled(job, files);
  }

  private static Optional<JobFile> version(
      SiteState state, String job, String model, String what, OptionalLong number) {
    List<ModelVersion> fitting = fitting(state, job, model, what);
    if (number.isEmpty()) {
      return fitting.stream()
          .filter(version -> version.live() > 0)
          .max(Comparator.comparingLong(ModelVersion::live))
          .map(ModelVersion::file);
    }
    return Optional.of(
        fitting.stream()
            .filter(version -> version.number() == number.getAsLong())
            .findFirst()
            .orElseThrow(
                () ->
                    new ConnectorException(
                        ConnectorException.Kind.USER,
                        "model %s of job %s: 'version' = '%d' is none that is %s; those are: %s"
                            .formatted(
                                model,
                                job,
                                number.getAsLong(),
                                what,
                                Printable.list(
                                    fitting.stream().map(ModelVersion::number).toList()))))
            .file());
  }

  private static Optional<JobFile> shadow(SiteState state, String job, String model, String what) {
    Optional<Job> known = state.job(job);
    return fitting(state, job, model, what).stream()
        .filter(version -> known.isPresent() && version.isShadow(known.get()))
        .map(version -> version.file().asShadowOf(model))
        .findFirst();
  }

  private static Optional<JobFile> rolledBack(SiteState state, String job, ModelDescriptor model) {
    Optional<Job> known = state.job(job);
    return fitting(state, job, model.name(), Recipe.of(model).what()).stream()
        .filter(version -> known.isPresent() && version.isRolledBack(known.get()))
        .map(version -> version.file().asRolledBackOf(model.name()))
        .findFirst();
  }

  private static List<ModelVersion> fitting(
      SiteState state, String job, String model, String what) {
    return state.models().stream()
        .filter(version -> version.job().equals(job) && version.model().equals(model))
        .filter(version -> what(version).equals(what))
        .toList();
  }

  /** What a version was trained for, to be compared with {@link Recipe#what()}. */
  public static String what(ModelVersion version) {
    return Recipe.what(version.algorithm(), version.features(), version.label());
  }

  /** Compiles a script of a job. */
  public CompiledJob compile(String name, String script, List<JobFile> named) throws SqlException {
    Optional<String> lacking = keeper.lacking(named);
    if (lacking.isPresent()) {
      throw new ConnectorException(ConnectorException.Kind.FILE, lacking.get());
    }
    return compiled(job(name, script, keeper.of(named)), named);
  }

  private io.sedge.sql.Job job(String name, String script, ScriptFiles named) throws SqlException {
    return AcrossSites.ofSite(compiler.compile(name, script, options.directory(), Map.of(), named));
  }

  private CompiledJob compiled(io.sedge.sql.Job job, List<JobFile> named) {
    Map<String, Division> divisions = Divisions.of(job, connectors, options.directory(), clock);
    job.sources()
        .forEach(
            (table, source) -> {
              if (!divisions.containsKey(table)) {
                throw notRead(table, source.connector());
              }
            });
    return new CompiledJob(
        job,
        divisions,
        (table, sizes) ->
            Divisions.parts(job, table, sizes, connectors, options.directory(), files, clock),
        named);
  }

  /**
   * Looks for the values by which a table of a job is to be divided; may block.
   *
   * @param table one that is {@link Division.Undiscovered}
   * @throws ConnectorException if it cannot look
   * @throws JobException if it names a secret that is not here
   */
  public List<String> values(CompiledJob job, String table)
      throws JobException, InterruptedException {
    io.sedge.sql.Job.SourceTable source = requireNonNull(job.job().sources().get(table), table);
    List<String> hidden = new ArrayList<>();
    TableDescriptor resolved =
        SecretReferences.<JobException>resolve(
            source.table(),
            name -> {
              String value = secrets.value(name);
              hidden.add(value);
              return value;
            });
    try {
      return Divisions.values(source, resolved, connectors, options.directory(), files, clock);
    } catch (ConnectorException e) {
      String message = String.valueOf(e.getMessage());
      for (String value : hidden) {
        message = message.replace(value, "***");
      }
      throw new ConnectorException(e.kind(), message);
    }
  }

  /**
   * Refuses a job whose tables name files that jobs may not use on this device.
   *
   * @throws ConnectorException of kind USER
   */
  public void checkFiles(io.sedge.sql.Job job) {
    Divisions.checkFiles(job, connectors, options.directory(), files, clock);
  }

  /** A job as it is compiled here; empty while it is not. */
  public Optional<io.sedge.sql.Job> compiled(Job job) {
    return catalog.compiled(job).map(CompiledJob::job);
  }

  /**
   * The same, which is waited for; for what must not be left out in silence.
   *
   * @throws SiteException NOT_NOW if it cannot be compiled here, or not soon
   */
  public io.sedge.sql.Job awaited(Job job) throws SiteException {
    return catalog.awaited(job).job();
  }

  /**
   * What windows that this device has ended show of a job's models, as long as it has a task of the
   * job: else another one ends its windows. Compiles nothing.
   */
  public List<Drift> drifts(Job job) {
    List<Drift> latest = shown(job);
    return latest.isEmpty() || holders(job.name()).contains(options.name()) ? latest : List.of();
  }

  private List<Drift> shown(Job job) {
    return catalog.known(job).map(compiled -> compiled.job().drifts().latest()).orElse(List.of());
  }

  /** The devices that have a task of a job which has not ended. */
  public Set<String> holders(String job) {
    return ledger.read(
        state ->
            state.tasks().stream()
                .filter(task -> task.id().job().equals(job) && !task.ended())
                .map(Task::device)
                .collect(Collectors.toUnmodifiableSet()));
  }

  /** Also where the task that ended the windows is another device's by now. */
  private List<ModelDrift> drifts(String job) {
    return ledger.read(state -> state.job(job)).stream()
        .flatMap(known -> shown(known).stream())
        .limit(ModelDrift.MAX_COUNT)
        .map(
            drift ->
                new ModelDrift(
                    drift.model(),
                    drift.version(),
                    drift.feature(),
                    Math.floorDiv(drift.untilMicros(), 1_000),
                    drift.rows(),
                    drift.leftOut(),
                    known(drift.psi()),
                    known(drift.byChance())))
        .toList();
  }

  private static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : value;
  }

  /** A model of a job that is trained; empty while the job is not compiled here. */
  public Optional<io.sedge.sql.Job.Training> training(String job, String model) {
    return ledger
        .read(state -> state.job(job))
        .flatMap(
            known ->
                compiled(known).stream()
                    .flatMap(compiled -> compiled.trainings().stream())
                    .filter(training -> training.model().name().equals(model))
                    .findFirst());
  }

  /** What a new version of a job takes over from the one before. */
  public Replacement replacement(CompiledJob before, CompiledJob after) {
    return Replacement.of(
        before.job(), before.divisions(), after.job(), after.divisions(), connectors);
  }

  /** Which directories of this device jobs may use. */
  public AllowedDirectories files() {
    return files;
  }

  private static ConnectorException notRead(String table, String connector) {
    return new ConnectorException(
        ConnectorException.Kind.USER,
        "table %s: tables of connector '%s' cannot be read".formatted(table, connector));
  }

  /** The parts of a job, as far as it is compiled here by now. */
  public List<Fragment> fragments(Job job) {
    return ledger.read(state -> catalog.fragments(job, state).all());
  }

  /** The columns of a job's sink tables, by table; empty if it is not compiled here by now. */
  public Optional<Map<String, Schema>> sinks(Job job) {
    return fragments(job).stream()
        .filter(fragment -> fragment.name().equals(CompiledJob.DELIVERY))
        .findFirst()
        .map(
            delivery -> {
              Map<String, Schema> schemas = new TreeMap<>();
              delivery
                  .job()
                  .sinks()
                  .forEach((name, sink) -> schemas.put(name, sink.table().schema()));
              return schemas;
            });
  }

  /** Why a job cannot be compiled here, if it cannot. */
  public Optional<String> refusal(Job job) {
    return catalog.refusal(job);
  }

  /** The site as placement sees it from here. */
  private Site site() {
    return ledger.read(this::site);
  }

  private Site site(SiteState state) {
    return SiteModel.site(state, controller::health, catalog.fragments(state), false);
  }

  /** Why no device can take a task, of those that are to run, run nowhere, and cannot. */
  public Map<TaskId, String> nowhere(SiteState state) {
    Map<TaskId, String> reasons = new HashMap<>();
    Set<TaskId> running = SiteModel.running(state);
    boolean allPlaced =
        state.tasks().stream()
            .noneMatch(task -> task.device().isEmpty() && running.contains(task.id()));
    if (!allPlaced) {
      for (Unplaced unplaced : Placement.plan(site(state), policy).unplaced()) {
        if (unplaced.staysOn() == null) {
          reasons.put(SiteModel.task(unplaced.shard()), unplaced.why());
        }
      }
    }
    return reasons;
  }

  /** Why a task runs where it does: some lines of text; empty if it is not to run. */
  public Optional<String> why(TaskId id) {
    return Optional.ofNullable(why(List.of(id)).get(id));
  }

  /** Why tasks run where they do; those that are not to run are left out. */
  public Map<TaskId, String> why(Collection<TaskId> ids) {
    Site site = site();
    Set<ShardId> known = site.shards().stream().map(Shard::id).collect(Collectors.toSet());
    Map<TaskId, String> reasons = new LinkedHashMap<>();
    for (TaskId id : ids) {
      ShardId shard = SiteModel.shard(id);
      if (known.contains(shard)) {
        reasons.put(id, Placement.explain(site, policy, site.running(), shard).text());
      } else {
        ledger.read(state -> whyPart(id, state)).ifPresent(reason -> reasons.put(id, reason));
      }
    }
    return reasons;
  }

  private static Optional<String> whyPart(TaskId id, SiteState state) {
    boolean isPart =
        state.parts(id.job()).stream().anyMatch(part -> id.shard().equals(part.shard()));
    return isPart
        ? state
            .task(id)
            .filter(task -> !task.ended())
            .map(
                task ->
                    task.device().isEmpty()
                        ? "Part %s waits for a device that has time for it.".formatted(id)
                        : "Part %s runs on %s, which had time for it when it was its turn."
                            .formatted(id, task.device()))
        : Optional.empty();
  }

  /** What can be expected of a device, as seen from here. */
  public Health health(Device device) {
    return controller.health(device);
  }

  /** Whether a device has reported since this one was started, and is not gone. */
  public boolean isUp(Device device) {
    return controller.isUp(device);
  }

  /** For how long a device has not reported, as seen from here. */
  public Duration silent(Device device) {
    return Duration.ofNanos(controller.silentNanos(device));
  }

  /** Whether a task reads tables of its job, not what other tasks have committed. */
  public static boolean readsSources(TaskId id) {
    return !id.shard().equals(Fragments.MERGE) && !id.shard().equals(CompiledJob.DELIVERY);
  }

  /** What each device does now. */
  public List<DeviceLoad> loads() {
    return Placement.loads(site(), policy);
  }

  /** What would become of the tasks if devices were lost: some lines of text. */
  public String whatIf(Set<String> lost) {
    return Placement.whatIf(site(), policy, lost).text();
  }

  /** For how long agent and controller have not begun to work. */
  public long silentNanos() {
    return System.nanoTime() - turnNanos;
  }

  /** What the tasks of this device do. */
  public DeviceWork work() {
    return agent.work();
  }

  /** What they have done. */
  public Totals totals() {
    return agent.totals();
  }

  /** Their commits, and the moves of tasks that this device has ordered. */
  public MeteredLedger commits() {
    return metered;
  }

  /** The processors that tasks may use now. Any thread. */
  public double usableCpus() {
    return cpuShare.getAsDouble();
  }

  /** How bounded jobs get on. */
  public JobPaces paces() {
    return paces;
  }

  public DeviceLog log() {
    return log;
  }

  /** Ends all tasks after a last commit and gives them to the others, for some seconds at most. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    keeper.close();
    compilations.shutdownNow();
  }
}
