package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.division.Fragment;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Measures;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.Remark;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.commit.TaskStart;
import io.sedge.task.FailureClass;
import io.sedge.task.FailureCode;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.Printable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs on this device what the ledger gives to it: opens and starts tasks, ends those that were
 * given to another, tells the ledger that the device is alive, what it measures, and which tasks
 * have ended. Single-threaded; never waits.
 *
 * <p>The first and the last report of a process are in the log, so that they outlive whoever leads.
 * All others, and what is measured, are {@linkplain Ledger#tell told} past it: an idle site writes
 * nothing.
 *
 * <p>A device that hears nothing from the ledger for {@link Silence#leaseNanos} has been cut off:
 * the others have taken its tasks over, so it ends them, lest it fight with the new owners over
 * their sources. Nothing depends on that: what it still committed would be refused.
 *
 * <p>A task whose failure is the user's fails its job. But its cause can be that this device lacks
 * something, such as a file, a password or a login: that can be so of {@link
 * FailureCode#TABLE_NOT_ACCEPTED} alone (of what is computed, {@link
 * FailureCode#EVALUATION_FAILED}, all devices make the same), and is so if what the task does
 * {@link SiteModel#hasSucceeded was ever done}: else the tables are wrong. Then, and while a job
 * cannot be compiled here, this device is unfit for it: it says so in the ledger, so that another
 * one has the task, and may try again after a while.
 *
 * <p>While it lacks a file that a job names it is unfit for all of the job's tasks, and says so
 * from the start: it cannot take over from anybody.
 *
 * <p>Long because reports, tasks and what is said of them turn on the same tasks that it holds.
 */
final class Agent {
  private static final long MEASURE_NANOS = 1_000_000_000;

  /** The same while it has no task, of whose speed others need to know. */
  private static final long MEASURE_IDLE_NANOS = 5_000_000_000L;

  /** How often it asks how far the ledger is, until its own copy is as far. */
  private static final long CATCH_UP_NANOS = 250_000_000;

  /** How often it looks at what its tasks do. */
  static final long LOOK_NANOS = 500_000_000;

  /** A table that gives nothing for so long is worth a remark. */
  static final Duration SILENCE = Duration.ofMinutes(1);

  /** A task that has run for so long has recovered. */
  static final long RECOVERED_NANOS = 60_000_000_000L;

  private static final String NOT_OURS = "ended here: it is not this device's any more";
  private static final String REPLACED = "ended here: its job has another script now";

  private final Ledger ledger;
  private final String device;
  private final JobCatalog catalog;
  private final TaskHost host;
  private final Meter meter;
  private final DeviceLog log;
  private final InstantSource clock;
  private final Map<TaskId, Held> held = new TreeMap<>();
  private final Retries<TaskId> retries = new Retries<>();
  private final Retries<String> compilations = new Retries<>();

  /** Jobs that could not be compiled, and are compiled again. */
  private final Set<String> again = new HashSet<>();

  /** Jobs whose files are not all here, and why not. */
  private final Map<String, String> lacking = new TreeMap<>();

  private final Totals totals = new Totals();
  private volatile DeviceWork work = new DeviceWork(System.nanoTime(), List.of());
  private @Nullable CompletableFuture<Answer> heartbeat;
  private @Nullable CompletableFuture<Answer> measured;
  private Silence silence = Silence.of(Limits.DEFAULT);
  private long heartbeatNanos;
  private long measuredNanos;
  private long lookedNanos;
  private long heardNanos;
  private boolean started;

  /** Whether the log has a report of this process, the first, so that all know that it is back. */
  private boolean begun;

  private boolean settled;
  private boolean cutOff;
  private boolean caughtUp;

  /** Whether others are to hear at once what it is unfit for. */
  private boolean urgent;

  /** A task that this device has, from its opening on. */
  private static final class Held {
    final Fragment fragment;
    final JobFragments fragments;
    @Nullable CompletableFuture<Optional<TaskStart>> opening;
    TaskHost.@Nullable Running running;
    @Nullable CompletableFuture<Answer> ending;
    long epoch;
    long sinceNanos;

    Held(
        Fragment fragment, JobFragments fragments, CompletableFuture<Optional<TaskStart>> opening) {
      this.fragment = fragment;
      this.fragments = fragments;
      this.opening = opening;
    }

    /** The version of the script that it runs. */
    long version() {
      return fragments.versionOf(fragment.name());
    }

    /** Whether it delivers the rows of a script that was replaced. */
    boolean deliversBefore() {
      return version() != fragments.version();
    }

    /** Whether it does what is to be done. */
    boolean isOf(JobFragments wanted) {
      return version() == wanted.versionOf(fragment.name());
    }
  }

  Agent(
      Ledger ledger,
      String device,
      JobCatalog catalog,
      TaskHost host,
      Meter meter,
      DeviceLog log,
      InstantSource clock) {
    this.ledger = ledger;
    this.device = device;
    this.catalog = catalog;
    this.host = host;
    this.meter = meter;
    this.log = log;
    this.clock = clock;
  }

  /**
   * Does what is to be done now.
   *
   * @param nowNanos a monotonic clock
   * @param leads whether this device leads
   */
  void doWork(long nowNanos, boolean leads) {
    if (!started) {
      started = true;
      heardNanos = nowNanos;
      silence = ledger.read(state -> Silence.of(state.limits()));
      heartbeatNanos = nowNanos - silence.reportNanos();
      measuredNanos = nowNanos - MEASURE_NANOS;
      lookedNanos = nowNanos - LOOK_NANOS;
    }
    silence = ledger.read(state -> Silence.of(state.limits()));
    measure(nowNanos); // First, so that it goes with the report.
    beat(nowNanos);
    look(nowNanos);
    long leaseNanos = silence.leaseNanos();
    if (nowNanos - heardNanos > leaseNanos && !isAlone()) {
      cutOff(leaseNanos);
      return;
    }
    cutOff = false;
    settled = false;
    compile(nowNanos, leads);
    Map<TaskId, Wanted> wanted = wanted();
    held.forEach((id, task) -> drive(id, task, wanted.get(id), nowNanos));
    held.values().removeIf(task -> task.opening == null && task.running == null);
    wanted.forEach((id, what) -> open(id, what, nowNanos));
    retries.retain(wanted::containsKey, id -> ledger.read(state -> isOpen(state, id)));
    settled = held.values().stream().allMatch(Agent::isSettled) && held.size() == given();
  }

  /** Whether nothing is expected of it; a part ends soon, and the next one is to begin at once. */
  private static boolean isSettled(Held task) {
    return task.running != null && task.opening == null && !SiteModel.isPart(task.fragment);
  }

  private long given() {
    return ledger.read(state -> ownTasks(state).count());
  }

  /**
   * Whether this device runs all that it was given, so that only the ledger's next entry and its
   * own reports ask for a turn; after {@link #doWork}.
   */
  boolean isSettled() {
    return settled;
  }

  /** Nobody else could have its tasks then, however long its process stood still. */
  private boolean isAlone() {
    return ledger.read(
        state ->
            state.devices().stream()
                .filter(other -> other.state() != DeviceState.EXPELLED)
                .allMatch(other -> other.name().equals(device)));
  }

  private static boolean isOpen(SiteState state, TaskId id) {
    return state.task(id).filter(task -> !task.ended()).isPresent();
  }

  /**
   * Compiles what runs, before this device has any of it: it may have to take over from another at
   * any moment. What it could not compile, and was to run, or to give to others, it compiles again
   * after a while.
   */
  private void compile(long nowNanos, boolean leads) {
    Map<String, Job> running = new HashMap<>();
    for (Job job : ledger.read(SiteState::jobs)) {
      if (job.state() == JobState.RUNNING) {
        running.put(job.name(), job);
      }
    }
    compilations.retain(running::containsKey, running::containsKey);
    again.retainAll(running.keySet());
    lacking.keySet().retainAll(running.keySet());
    running.values().forEach(job -> compile(job, nowNanos, leads));
  }

  private void compile(Job job, long nowNanos, boolean leads) {
    String name = job.name();
    String lacks = catalog.lacking(job).map(log::blank).orElse("");
    urgent |= lacks.isEmpty() == lacking.containsKey(name);
    if (!lacks.isEmpty()) {
      lacking.put(name, lacks);
      return;
    }
    lacking.remove(name);
    String refusal = catalog.refusal(job).orElse("");
    boolean failed = compilations.why(name, nowNanos).isPresent();
    if (refusal.isEmpty()) {
      if (!again.contains(name)) {
        compilations.forget(name); // It is another script.
      }
    } else if (again.remove(name) || (!failed && (leads || hasTaskOf(name)))) {
      String why = log.blank("its job cannot be compiled here: " + refusal);
      Duration longest = leads ? Retries.LONGEST : Retries.LONGEST_UNFIT;
      compilations.failed(name, nowNanos, why, true, longest);
      urgent = true;
    } else if (failed && compilations.isDue(name, nowNanos)) {
      again.add(name);
      catalog.forgetRefusal(job);
    }
  }

  private boolean hasTaskOf(String job) {
    return ledger.read(state -> ownTasks(state).anyMatch(task -> task.id().job().equals(job)));
  }

  /**
   * Reports, once what the report before did is known here. A device whose copy of the ledger
   * stands still, as its disk is full, could send reports on and on; but its tasks would wait for
   * rows that they never see, so it must be missed.
   */
  private void beat(long nowNanos) {
    CompletableFuture<Answer> last = heartbeat;
    if (last != null && last.isDone()) {
      if (last.join() instanceof Answer.Done(long index, long _)) {
        if (!isKnownHere(index)) {
          return;
        }
        heardNanos = heartbeatNanos;
        begun = true;
      }
      heartbeat = null;
    }
    if (caughtUp && heartbeat == null && isDue(nowNanos - heartbeatNanos, silence.reportNanos())) {
      heartbeatNanos = nowNanos;
      Command report = new Command.ReportDevice(device, clock.millis(), false);
      heartbeat = begun ? ledger.tell(report) : ledger.submit(report);
    }
  }

  /** A little early, rather than a whole turn late. */
  private static boolean isDue(long sinceNanos, long intervalNanos) {
    return sinceNanos >= intervalNanos - intervalNanos / 10;
  }

  /** For how long it has nothing to do where it {@linkplain #isSettled is settled}. */
  long reportNanos() {
    return silence.reportNanos();
  }

  /** Whether this device's copy of the ledger is as far. */
  private boolean isKnownHere(long index) {
    return ledger.read(SiteState::appliedIndex) >= index;
  }

  /**
   * Whether something that this process has told is in its own copy of the ledger. Until then that
   * is what was on the disk, and what others have said long ago comes to it as if it were said now.
   */
  boolean isCaughtUp() {
    return caughtUp;
  }

  /**
   * Tells what it measures. The first time it also learns from that how far the ledger is: before
   * its own copy is as far it does not report, since others would give it tasks which it cannot
   * begin.
   */
  private void measure(long nowNanos) {
    CompletableFuture<Answer> last = measured;
    boolean free = last == null || last.isDone();
    if (!caughtUp
        && last != null
        && free
        && last.join() instanceof Answer.Done(long index, long _)) {
      caughtUp = isKnownHere(index);
      heardNanos = caughtUp ? measuredNanos : heardNanos;
      return;
    }
    long interval = held.isEmpty() ? MEASURE_IDLE_NANOS : MEASURE_NANOS;
    interval = caughtUp ? interval : CATCH_UP_NANOS;
    if (free && (urgent || isDue(nowNanos - measuredNanos, interval))) {
      measuredNanos = nowNanos;
      urgent = false;
      held.forEach(
          (id, task) -> {
            TaskHost.Running running = task.running;
            if (running != null) {
              meter.add(
                  id, CompiledJob.algorithm(task.fragment), running.counters(), clock.instant());
            }
          });
      Measures measures = meter.take(nowNanos, remarks(nowNanos)).with(totals.troubles());
      measured = ledger.tell(new Command.MeasureDevice(device, measures));
    }
  }

  /** What is to be said of tasks; the worst of it, if it is too much. */
  private Map<String, Remark> remarks(long nowNanos) {
    Map<String, Remark> remarks = new TreeMap<>();
    for (TaskWork task : work.tasks()) {
      if (!task.remark().isEmpty()) {
        remarks.put(task.id().toString(), remark(kind(task, nowNanos), task.remark()));
      }
    }
    retries
        .unfit(nowNanos)
        .forEach((id, why) -> remarks.put(id.toString(), remark(Remark.Kind.UNFIT, why)));
    compilations
        .unfit(nowNanos)
        .forEach((job, why) -> remarks.put(job, remark(Remark.Kind.UNFIT, why)));
    lacking.forEach((job, why) -> remarks.put(job, remark(Remark.Kind.UNFIT, why)));
    return remarks.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().kind()))
        .limit(Measures.MAX_REMARKS)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private Remark.Kind kind(TaskWork task, long nowNanos) {
    if (task.running()) {
      return Remark.Kind.RUNS;
    }
    boolean stands = cutOff || hindrance(task.id(), nowNanos).isPresent();
    return stands ? Remark.Kind.STANDS : Remark.Kind.BEGINS;
  }

  private static Remark remark(Remark.Kind kind, String text) {
    return Remark.cut(kind, Printable.text(text));
  }

  /** Shows others what the tasks do. */
  private void look(long nowNanos) {
    if (nowNanos - lookedNanos < LOOK_NANOS) {
      return;
    }
    lookedNanos = nowNanos;
    held.forEach(this::count);
    totals.retainTasks(held.keySet());
    retainJobs();
    work = new DeviceWork(heardNanos, ledger.read(state -> works(state, nowNanos)));
  }

  private void count(TaskId id, Held task) {
    TaskHost.Running running = task.running;
    if (running != null) {
      totals.add(id, task.fragment, running, running.counters());
    }
  }

  private void retainJobs() {
    Set<String> jobs =
        ledger.read(state -> state.jobs().stream().map(Job::name).collect(Collectors.toSet()));
    totals.retainJobs(jobs);
    log.ofTasks().retainJobs(jobs);
  }

  private List<TaskWork> works(SiteState state, long nowNanos) {
    return ownTasks(state).map(task -> work(task.id(), nowNanos)).toList();
  }

  /** What the ledger has given to this device and has not ended. */
  private Stream<Task> ownTasks(SiteState state) {
    return state.tasks().stream().filter(task -> task.device().equals(device) && !task.ended());
  }

  private TaskWork work(TaskId id, long nowNanos) {
    Held task = held.get(id);
    TaskHost.Running running = task == null ? null : task.running;
    if (task != null && running != null) {
      JobCounters counters = running.counters();
      String silence = silence(task.fragment, counters);
      String complaint = silence.isEmpty() ? "" : log.complaint(id.toString());
      return new TaskWork(
          id,
          true,
          counters.waits(),
          complaint.isEmpty() ? silence : silence + "; it said: " + complaint,
          counters);
    }
    return new TaskWork(id, false, whyNot(id, task != null, nowNanos), "", JobCounters.NONE);
  }

  /** Which of the script's tables gives nothing. */
  private static String silence(Fragment fragment, JobCounters counters) {
    return counters.sources().entrySet().stream()
        .filter(table -> Totals.isRead(fragment, table.getKey()))
        .filter(table -> !table.getValue().ended())
        .filter(table -> table.getValue().silence().compareTo(SILENCE) >= 0)
        .sorted(Map.Entry.comparingByKey())
        .map(
            table ->
                "table %s has given no reading %sfor %d s"
                    .formatted(
                        table.getKey(),
                        table.getValue().readings() == 0 ? "yet, " : "",
                        table.getValue().silence().toSeconds()))
        .collect(Collectors.joining("; "));
  }

  private String whyNot(TaskId id, boolean opening, long nowNanos) {
    if (cutOff) {
      return "the ledger does not answer";
    }
    return hindrance(id, nowNanos).orElse(opening ? "being opened" : "its job is being compiled");
  }

  private Optional<String> hindrance(TaskId id, long nowNanos) {
    return retries
        .why(id, nowNanos)
        .or(() -> Optional.ofNullable(lacking.get(id.job())))
        .or(() -> compilations.why(id.job(), nowNanos));
  }

  /** What the tasks of this device do, as of half a second ago or less. Any thread. */
  DeviceWork work() {
    return work;
  }

  /** What they have done. Any thread. */
  Totals totals() {
    return totals;
  }

  private void cutOff(long leaseNanos) {
    if (!cutOff) {
      cutOff = true;
      log.add(
          Severity.WARNING,
          "",
          "the ledger has not answered for %d s; tasks stop here until it does"
              .formatted(leaseNanos / 1_000_000_000));
    }
    held.forEach(this::abort);
    held.clear();
  }

  /** Ends it where it is; what it has done counts. */
  private void abort(TaskId id, Held task) {
    end(id, task, TaskHost.Running::abort);
  }

  private void end(TaskId id, Held task, Consumer<TaskHost.Running> how) {
    TaskHost.Running running = task.running;
    if (running != null) {
      count(id, task);
      how.accept(running);
      task.running = null;
    }
  }

  /**
   * Whether nobody will have a task of the job any more, nor go on where it was: what has failed
   * may be mended and come again.
   */
  private boolean isOver(String job) {
    return ledger.read(
        state ->
            state
                .job(job)
                .map(one -> one.state().hasEnded() && one.state() != JobState.FAILED)
                .orElse(true));
  }

  /**
   * A task that this device is to run.
   *
   * @param epoch the task's in the ledger
   */
  private record Wanted(Job job, Fragment fragment, JobFragments fragments, long epoch) {}

  private Map<TaskId, Wanted> wanted() {
    return ledger.read(this::wanted);
  }

  private Map<TaskId, Wanted> wanted(SiteState state) {
    Map<String, JobFragments> ofJobs = new HashMap<>();
    Map<TaskId, Wanted> wanted = new TreeMap<>();
    for (Task task : ownTasks(state).toList()) {
      Job job = state.job(task.id().job()).orElse(null);
      if (job == null) {
        continue;
      }
      JobFragments fragments =
          ofJobs.computeIfAbsent(job.name(), _ -> catalog.fragments(job, state));
      fragments
          .of(task.id().shard())
          .ifPresent(
              fragment ->
                  wanted.put(task.id(), new Wanted(job, fragment, fragments, task.epoch())));
    }
    return wanted;
  }

  private void open(TaskId id, Wanted what, long nowNanos) {
    if (retries.isDue(id, nowNanos) && !held.containsKey(id)) {
      held.put(id, new Held(what.fragment(), what.fragments(), TaskStart.open(ledger, id, device)));
    }
  }

  private void drive(TaskId id, Held task, @Nullable Wanted wanted, long nowNanos) {
    CompletableFuture<Optional<TaskStart>> opening = task.opening;
    if (opening != null) {
      if (opening.isDone()) {
        task.opening = null;
        if (wanted != null && task.isOf(wanted.fragments())) {
          opening
              .join()
              .filter(start -> start.version() == task.fragments.version())
              .ifPresent(start -> start(id, task, start, nowNanos));
        }
      }
      return;
    }
    TaskHost.Running running = task.running;
    if (running == null) {
      return;
    }
    if (wanted == null || wanted.epoch() > task.epoch || !task.isOf(wanted.fragments())) {
      end(id, task, isOver(id.job()) ? TaskHost.Running::retire : TaskHost.Running::abort);
      if (task.ending == null) {
        log.add(Severity.INFO, id.toString(), isReplaced(id, task) ? REPLACED : NOT_OURS);
      }
      return;
    }
    Optional<Refusal> refusal = running.refusal();
    if (refusal.isPresent()) {
      abort(id, task);
      refused(id, refusal.get(), wanted, nowNanos);
    } else if (running.hasEnded()) {
      ended(id, task, running, wanted, nowNanos);
    }
  }

  private boolean isReplaced(TaskId id, Held task) {
    return ledger.read(
        state ->
            state
                .job(id.job())
                .filter(job -> job.version() != task.fragments.version())
                .isPresent());
  }

  private void start(TaskId id, Held task, TaskStart start, long nowNanos) {
    task.epoch = start.epoch();
    task.sinceNanos = nowNanos;
    TaskHost.Running running = host.start(id, task.fragment, task.fragments, start);
    task.running = running;
    totals.started(id);
    log.ofTasks().started(id.job(), task.fragments.version(), running);
  }

  private void refused(TaskId id, Refusal refusal, Wanted wanted, long nowNanos) {
    if (refusal == Refusal.TOO_LARGE) {
      String why =
          "a commit of task %s is larger than the ledger takes: keep less at a time (shorter windows, fewer keys), or allow more with `sedge site limits` (--commit; --outbox, --exchange and --state must be no less)"
              .formatted(id);
      retries.failed(id, nowNanos, why, false);
      fail(id, wanted, why);
    } else if (refusal == Refusal.OLD_EPOCH) {
      retries.failed(id, nowNanos, "it was another device's", false);
      log.add(Severity.INFO, id.toString(), NOT_OURS);
    } else {
      Duration delay =
          retries.failed(id, nowNanos, "the ledger took no more commits of it: " + refusal, false);
      log.add(
          Severity.WARNING,
          id.toString(),
          "the ledger takes no more commits of it (%s); it is opened again in %d s"
              .formatted(refusal, delay.toSeconds()));
    }
  }

  private void ended(TaskId id, Held task, TaskHost.Running running, Wanted wanted, long nowNanos) {
    JobException failure = running.failure().orElse(null);
    if (failure == null) {
      CompletableFuture<Answer> ending = task.ending;
      if (ending == null || (ending.isDone() && ending.join() instanceof Answer.Refused)) {
        task.ending = ledger.submit(ending(id, task));
        log.add(
            Severity.INFO,
            id.toString(),
            task.deliversBefore()
                ? "the rows of the script before are delivered"
                : "its input has ended");
      }
      return;
    }
    count(id, task);
    totals.failed(id);
    task.running = null;
    if (nowNanos - task.sinceNanos >= RECOVERED_NANOS) {
      retries.forget(id);
    }
    boolean user = failure.code().failureClass() == FailureClass.USER;
    boolean unfit =
        failure.code() == FailureCode.TABLE_NOT_ACCEPTED
            && ledger.read(state -> SiteModel.hasSucceeded(state, id, wanted.fragments()));
    String message = log.blank(String.valueOf(failure.getMessage()));
    Duration delay = retries.failed(id, nowNanos, message, unfit);
    if (failure.code() == FailureCode.STATE_TOO_LARGE || (user && !unfit)) {
      fail(id, wanted, message);
      return;
    }
    urgent |= unfit;
    log.add(
        Severity.ERROR,
        id.toString(),
        "%s; it is tried again in %d s%s"
            .formatted(message, delay.toSeconds(), unfit ? ", here or elsewhere" : ""));
  }

  /** What is told of a task that has done all that it had to. */
  private static Command ending(TaskId id, Held task) {
    return task.deliversBefore()
        ? new Command.EndDelivery(id.job(), task.version())
        : new Command.EndTask(id, task.epoch);
  }

  private void fail(TaskId id, Wanted wanted, String message) {
    log.add(Severity.ERROR, id.toString(), message);
    if (wanted.job().state() == JobState.RUNNING) {
      String detail = "task %s: %s".formatted(id.shard(), message);
      var _ =
          ledger.submit(
              new Command.SetJobState(
                  id.job(), wanted.job().version(), JobState.FAILED, StateText.cut(detail)));
    }
  }

  /**
   * Tells that the device is being stopped, so that others have its tasks at once. A report that is
   * under way must not come after it: it would say that the device is there.
   */
  CompletableFuture<Answer> leave() {
    CompletableFuture<Answer> before = heartbeat;
    Command last = new Command.ReportDevice(device, clock.millis(), true);
    return before == null
        ? ledger.submit(last)
        : before.handle((_, _) -> last).thenCompose(ledger::submit);
  }

  /** Ends all tasks after a last commit; they are still this device's. */
  List<TaskHost.Running> stop() {
    List<TaskHost.Running> stopping =
        held.values().stream()
            .map(task -> task.running)
            .filter(running -> running != null)
            .collect(Collectors.toList());
    stopping.forEach(TaskHost.Running::stop);
    held.clear();
    return stopping;
  }
}
