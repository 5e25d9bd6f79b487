package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Health;
import io.sedge.placement.Move;
import io.sedge.placement.Placement;
import io.sedge.placement.Plan;
import io.sedge.placement.Policy;
import io.sedge.placement.Site;
import io.sedge.placement.StabilizationWindow;
import io.sedge.replication.PortCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs the site, on the device that leads the ledger: makes the tasks of running jobs, gives each
 * to a device as {@link Placement} says, takes them from devices that are gone, and says when a job
 * has finished. All it knows is in the ledger, but for how long devices have been silent; a new
 * leader goes on where the last one was. Single-threaded; never waits.
 *
 * <p>Two may believe for a moment that they lead. Each command carries the epoch that it was made
 * for, so that only one of two that contradict each other is carried out.
 */
final class Controller {
  /** How often the places of tasks that all run are looked at. */
  static final long BALANCE_NANOS = 1_000_000_000;

  private static final long TIDY_NANOS = 1_000_000_000;

  /**
   * For so long after a device has come, or this one has begun to lead and one has nothing to do,
   * it is given tasks even where all have time enough: labels and measures may come later.
   */
  private static final long SETTLE_NANOS = 5_000_000_000L;

  private static final Set<Health> UNUSED = Set.of(Health.GONE, Health.DRAINING);

  private final Ledger ledger;
  private final String self;
  private final JobCatalog catalog;
  private final DeviceLog log;
  private final Policy policy;
  private final Liveness liveness;
  private final PartDealer dealer;
  private final FormatRise formatRise;
  private final List<Sent> pending = new ArrayList<>();
  private Set<String> unplaced = Set.of();

  /** Jobs that go on though this device cannot compile them, as it has said. */
  private final Set<String> uncompiled = new HashSet<>();

  private Map<String, Health> healths = Map.of();
  private boolean leads;

  /** Devices that have come and have not been given anything since, and when that was. */
  private final Map<String, Long> arrivals = new TreeMap<>();

  /** Devices that cannot run a job. */
  private Set<SiteModel.UnfitJob> unfit = Set.of();

  /** Those that could by and by. Once each: one that fails again and again gets nothing for it. */
  private final Set<SiteModel.UnfitJob> recovered = new HashSet<>();

  private StabilizationWindow window = new StabilizationWindow();
  private long balancedNanos;
  private long tidiedNanos;

  /** A command that is under way. */
  private record Sent(Command command, CompletableFuture<Answer> answer) {
    /** Whether it would have made a task, and there are too many. */
    boolean isTaskTooMany() {
      return command instanceof Command.AssignTask(TaskId _, String _, long epoch)
          && epoch == 0
          && answer.join() instanceof Answer.Refused(Refusal reason, long _)
          && reason == Refusal.TOO_LARGE;
    }
  }

  private void send(Command command) {
    pending.add(new Sent(command, ledger.submit(command)));
  }

  /**
   * @param self the name of this device
   * @param peers the others' ledgers
   * @param ports asked about devices whose reports are overdue
   */
  Controller(
      Ledger ledger,
      String self,
      JobCatalog catalog,
      DeviceLog log,
      Policy policy,
      Peers peers,
      PortCheck ports) {
    this.ledger = ledger;
    this.self = self;
    this.liveness = new Liveness(self, peers, ports);
    this.catalog = catalog;
    this.log = log;
    this.policy = policy;
    this.dealer = new PartDealer(log);
    this.formatRise = new FormatRise(log);
  }

  /**
   * Does what is to be done now.
   *
   * @param nowNanos a monotonic clock
   * @param leader whether this device leads
   */
  void doWork(long nowNanos, boolean leader) {
    if (leader && !leads) {
      pending.clear();
      healths = Map.of();
      dealer.reset();
      formatRise.reset();
      uncompiled.clear();
      window = new StabilizationWindow();
      liveness.beginToLead(nowNanos);
      balancedNanos = nowNanos - BALANCE_NANOS;
      arrivals.clear();
      unfit = Set.of();
      recovered.clear();
    }
    leads = leader;
    ledger.read(
        state -> {
          liveness.update(state.devices(), Silence.of(state.limits()), nowNanos);
          liveness.checkOverdue(state.devices(), leader, nowNanos);
          catalog.retain(state.jobs());
          return state.appliedIndex();
        });
    List<Sent> answered = pending.stream().filter(sent -> sent.answer().isDone()).toList();
    pending.removeAll(answered);
    answered.stream().filter(Sent::isTaskTooMany).forEach(this::failForWantOfRoom);
    if (leader && pending.isEmpty() && liveness.isCurrent(nowNanos)) {
      List<Command> commands = ledger.read(state -> commands(state, nowNanos));
      commands.forEach(this::send);
    }
  }

  /** Another device may have ended. Any thread. */
  void alarm(long nowNanos) {
    liveness.alarm(nowNanos);
  }

  /** Whether something is under way that ends without an entry of the ledger. */
  boolean isBusy() {
    return !pending.isEmpty()
        || ledger.read(
            state ->
                state.jobs().stream()
                    .filter(job -> job.state() == JobState.RUNNING)
                    .anyMatch(job -> !state.parts(job.name()).isEmpty()));
  }

  /** Whether it looks at once who is not there any more. Any thread. */
  boolean isAlarmed(long nowNanos) {
    return liveness.isAlarmed(nowNanos);
  }

  /** Of a device, as seen from here, whoever leads. */
  Health health(Device device) {
    return liveness.health(device);
  }

  /** Whether a device has reported since this one looks, and is not gone. */
  boolean isUp(Device device) {
    return liveness.isUp(device);
  }

  /** For how long a device has not reported, as seen from here, whoever leads. */
  long silentNanos(Device device) {
    return liveness.silentNanos(device);
  }

  private List<Command> commands(SiteState state, long nowNanos) {
    Map<String, JobFragments> fragments = catalog.fragments(state);
    List<Command> commands = new ArrayList<>();
    boolean tidies = nowNanos - tidiedNanos >= TIDY_NANOS;
    tidiedNanos = tidies ? nowNanos : tidiedNanos;
    for (Job job : state.jobs()) {
      drive(state, job, fragments.getOrDefault(job.name(), JobFragments.NONE), tidies, commands);
    }
    place(state, fragments, nowNanos, commands);
    dealer.deal(state, fragments, this::health, nowNanos, commands);
    formatRise.due(state, nowNanos).ifPresent(commands::add);
    return commands;
  }

  /**
   * @param tidies whether what nobody reads is acknowledged too
   */
  private void drive(
      SiteState state, Job job, JobFragments fragments, boolean tidies, List<Command> commands) {
    List<Fragment> parts = fragments.all();
    Map<String, Task> tasks = new TreeMap<>();
    for (Task task : state.tasks()) {
      if (task.id().job().equals(job.name())) {
        tasks.put(task.id().shard(), task);
      }
    }
    if (job.state() == JobState.RUNNING) {
      catalog.refusal(job).ifPresent(why -> refused(state, job, why, commands));
      cut(state, job, commands);
      for (Fragment part : parts) {
        if (!tasks.containsKey(part.name()) && !SiteModel.isPart(part)) {
          commands.add(new Command.AssignTask(new TaskId(job.name(), part.name()), "", 0));
        }
      }
      if (!parts.isEmpty()) {
        end(state, job, fragments, tasks, commands);
      }
    }
    if (tidies && hasEnded(tasks, Fragments.MERGE)) {
      unread(state, job).ifPresent(commands::add);
    }
    for (Task task : tasks.values()) {
      if (!task.device().isEmpty() && !SiteModel.shallRun(job, task)) {
        commands.add(new Command.AssignTask(task.id(), "", task.epoch()));
      }
    }
  }

  /** A job that others run must not end because its leader lacks something. */
  private void refused(SiteState state, Job job, String why, List<Command> commands) {
    if (!SiteModel.hasCommitted(state, job.name())) {
      commands.add(failed(job, log.blank(why)));
    } else if (uncompiled.add(job.name())) {
      log.add(
          Severity.WARNING,
          "",
          "job %s goes on where it runs, but none of its tasks is given to another device while this one leads, which cannot compile it: %s"
              .formatted(job.name(), why));
    }
  }

  /** Has the input of a job cut into parts, once, so that all devices know the same ones. */
  private void cut(SiteState state, Job job, List<Command> commands) {
    if (!state.parts(job.name()).isEmpty() || !catalog.isCut(job)) {
      return;
    }
    CompletableFuture<List<InputPart>> cut =
        catalog.cut(job, PartDealer.sizes(state, this::health));
    if (cut.isCompletedExceptionally()) {
      String why =
          "%s (device %s, which leads, looked at the input to cut it)"
              .formatted(cut.exceptionNow().getMessage(), self);
      commands.add(failed(job, log.blank(why)));
    } else if (cut.isDone()) {
      commands.add(setParts(job, cut.join()));
    }
  }

  private static Command setParts(Job job, List<InputPart> parts) {
    try {
      return new Command.SetParts(job.name(), job.version(), parts);
    } catch (IllegalArgumentException e) {
      return failed(job, String.valueOf(e.getMessage()));
    }
  }

  /** Ends the job that a refused task was to be of. */
  private void failForWantOfRoom(Sent refused) {
    if (refused.command() instanceof Command.AssignTask assign) {
      Optional<Command> failure =
          ledger.read(
              state ->
                  state
                      .job(assign.task().job())
                      .map(
                          job ->
                              failed(
                                  job,
                                  "the site has no room for task %s: %d tasks are allowed; remove jobs that have ended, or allow more: `sedge site limits --tasks N`"
                                      .formatted(assign.task(), state.limits().tasks()))));
      failure.ifPresent(this::send);
    }
  }

  private static Command failed(Job job, String why) {
    return new Command.SetJobState(job.name(), job.version(), JobState.FAILED, StateText.cut(why));
  }

  /** Ends the tasks that have nothing to do any more, and the job when it has none left. */
  private static void end(
      SiteState state,
      Job job,
      JobFragments fragments,
      Map<String, Task> tasks,
      List<Command> commands) {
    List<Fragment> parts = fragments.all();
    if (parts.stream().allMatch(part -> hasEnded(tasks, part.name()))) {
      commands.add(new Command.SetJobState(job.name(), job.version(), JobState.FINISHED, ""));
      return;
    }
    Stream<String> idle = Stream.of();
    if (isRead(state, fragments, tasks)) {
      idle = readers(parts, tasks);
    } else if (hasEnded(tasks, Fragments.MERGE)) {
      idle = parts.stream().filter(Fragment::givesToMergeAlone).map(Fragment::name);
    }
    idle.map(tasks::get)
        .filter(task -> task != null && !task.ended())
        .forEach(task -> commands.add(new Command.EndTask(task.id(), task.epoch())));
  }

  /** Whether nothing is left to read on the devices of the site, and something was read. */
  private static boolean isRead(SiteState state, JobFragments fragments, Map<String, Task> tasks) {
    List<Fragment> parts = fragments.all();
    return readers(parts, tasks).anyMatch(name -> hasEnded(tasks, name))
        && readers(parts, tasks)
            .allMatch(name -> hasEnded(tasks, name) || isGone(state, fragments, name));
  }

  /** All fragments but the delivery, and what was one before its device went. */
  private static Stream<String> readers(List<Fragment> parts, Map<String, Task> tasks) {
    return Stream.concat(parts.stream().map(Fragment::name), tasks.keySet().stream())
        .filter(name -> !name.equals(CompiledJob.DELIVERY))
        .distinct();
  }

  /**
   * Whether the only device that could run it was removed or expelled. One that has other labels
   * than it had is of the site, though it has no fragment.
   */
  private static boolean isGone(SiteState state, JobFragments fragments, String name) {
    return fragments
        .of(name)
        .map(Fragment::device)
        .orElseGet(() -> Optional.of(name.substring(name.lastIndexOf('/') + 1)))
        .filter(device -> !SiteModel.isOfTheSite(state, device))
        .isPresent();
  }

  private static boolean hasEnded(Map<String, Task> tasks, String name) {
    Task task = tasks.get(name);
    return task != null && task.ended();
  }

  /**
   * Acknowledges what is in the exchange after the merging task has ended: it had all that counts,
   * and what nobody takes would fill the exchange.
   */
  private static Optional<Command> unread(SiteState state, Job job) {
    List<RowBlock> left = state.rows(job.name(), Channel.EXCHANGE, 0, Integer.MAX_VALUE);
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Command.AcknowledgeRows(job.name(), Channel.EXCHANGE, left.getLast().last()));
  }

  private void place(
      SiteState state, Map<String, JobFragments> fragments, long nowNanos, List<Command> commands) {
    Map<String, Health> now = new TreeMap<>();
    state.devices().forEach(device -> now.put(device.name(), health(device)));
    boolean homeless =
        SiteModel.running(state).stream()
            .filter(id -> !unplaced.contains(id.toString()))
            .filter(id -> SiteModel.isPlaced(SiteModel.fragment(fragments, id)))
            .map(state::task)
            .flatMap(Optional::stream)
            .anyMatch(task -> task.device().isEmpty() || SiteModel.isUnfit(state, task));
    boolean changed = noteRecovered(state, now, nowNanos) || !now.equals(healths);
    if (!homeless && !changed && nowNanos - balancedNanos < BALANCE_NANOS) {
      return;
    }
    balancedNanos = nowNanos;
    tellHealth(state, now);
    noteArrivals(state, now, nowNanos);
    healths = now;
    Site site = site(state, now, fragments, false);
    Plan plan = window.plan(site, policy, nowNanos);
    move(state, plan.moves(), commands);
    if (!arrivals.isEmpty() && plan.moves().isEmpty()) {
      move(state, toArrivals(site(state, now, fragments, true)), commands);
    }
    takeFromTheGone(state, plan, now, commands);
    tellUnplaced(plan);
  }

  private static Site site(
      SiteState state,
      Map<String, Health> healths,
      Map<String, JobFragments> fragments,
      boolean eager) {
    return SiteModel.site(
        state, device -> healths.getOrDefault(device.name(), Health.GONE), fragments, eager);
  }

  private void move(SiteState state, List<Move> moves, List<Command> commands) {
    for (Move move : moves) {
      TaskId id = SiteModel.task(move.shard());
      state
          .task(id)
          .ifPresent(task -> commands.add(new Command.AssignTask(id, move.to(), task.epoch())));
      log.add(
          Severity.INFO,
          id.toString(),
          "goes to %s: %s".formatted(move.to(), move.reason().text()));
    }
  }

  /**
   * What devices that have come are given though all have time enough. That happens once: what they
   * do little of is measured so badly that to go on would move tasks to and fro. No other moves are
   * taken from the plan, so that each device has what it had or what was planned for it, and less.
   */
  private List<Move> toArrivals(Site site) {
    List<Move> moves =
        Placement.plan(site, policy.eager()).moves().stream()
            .filter(move -> arrivals.containsKey(move.to()))
            .toList();
    moves.forEach(move -> arrivals.remove(move.to()));
    return moves;
  }

  /** What nobody else can run is nobody's while its device is gone. */
  private static void takeFromTheGone(
      SiteState state, Plan plan, Map<String, Health> healths, List<Command> commands) {
    plan.unplaced()
        .forEach(
            unplaced ->
                state
                    .task(SiteModel.task(unplaced.shard()))
                    .filter(task -> healths.get(task.device()) == Health.GONE)
                    .ifPresent(
                        task -> commands.add(new Command.AssignTask(task.id(), "", task.epoch()))));
  }

  /**
   * Notes who can be used that could not before. Who has just begun to lead cannot know that; but
   * those who came have nothing to do.
   */
  private void noteArrivals(SiteState state, Map<String, Health> now, long nowNanos) {
    Set<String> busy =
        healths.isEmpty()
            ? state.tasks().stream()
                .filter(task -> !task.ended())
                .map(Task::device)
                .collect(Collectors.toSet())
            : Set.of();
    now.forEach(
        (device, health) -> {
          boolean came =
              healths.isEmpty()
                  ? !busy.contains(device)
                  : UNUSED.contains(healths.getOrDefault(device, Health.GONE));
          if (health == Health.UP && came) {
            arrivals.put(device, nowNanos);
          }
        });
    arrivals
        .entrySet()
        .removeIf(
            device ->
                nowNanos - device.getValue() > SETTLE_NANOS
                    || UNUSED.contains(now.getOrDefault(device.getKey(), Health.GONE)));
  }

  /**
   * Notes who can run a job that it could not run, since a file of it has come or something was
   * mended: it has none of its tasks, as if it had just come. Whether there are some.
   */
  private boolean noteRecovered(SiteState state, Map<String, Health> now, long nowNanos) {
    Set<SiteModel.UnfitJob> present = SiteModel.unfit(state);
    boolean some = false;
    for (SiteModel.UnfitJob was : unfit) {
      boolean fit =
          !present.contains(was)
              && now.get(was.device()) == Health.UP
              && SiteModel.isRunning(state, was);
      if (fit && recovered.add(was)) {
        arrivals.put(was.device(), nowNanos);
        some = true;
      }
    }
    recovered.removeIf(was -> !SiteModel.isRunning(state, was));
    unfit = present;
    return some;
  }

  private void tellHealth(SiteState state, Map<String, Health> now) {
    for (Device device : state.devices()) {
      String name = device.name();
      boolean gone = now.get(name) == Health.GONE;
      boolean wasGone = healths.getOrDefault(name, Health.UP) == Health.GONE;
      if (gone && !wasGone) {
        tellGone(device);
      } else if (!gone && wasGone) {
        log.add(Severity.INFO, "", "device %s is up".formatted(name));
      }
    }
  }

  private void tellGone(Device device) {
    String name = device.name();
    if (device.stopped()) {
      log.add(Severity.INFO, "", "device %s was stopped".formatted(name));
    } else if (device.state() == DeviceState.EXPELLED) {
      log.add(Severity.INFO, "", "device %s was expelled".formatted(name));
    } else if (device.heard() == 0) {
      log.add(Severity.INFO, "", "device %s has not begun yet".formatted(name));
    } else if (liveness.refuses(device)) {
      log.add(
          Severity.WARNING,
          "",
          "device %s is gone: nobody listens at %s".formatted(name, device.address()));
    } else {
      long millis = liveness.silentNanos(device) / 1_000_000;
      log.add(
          Severity.WARNING,
          "",
          "device %s is gone: it has not reported for %d ms".formatted(name, millis));
    }
  }

  private void tellUnplaced(Plan plan) {
    Set<String> now =
        plan.unplaced().stream()
            .map(unplaced -> unplaced.shard().toString())
            .collect(Collectors.toSet());
    plan.unplaced().stream()
        .filter(missing -> !unplaced.contains(missing.shard().toString()))
        .forEach(missing -> log.add(Severity.WARNING, missing.shard().toString(), missing.text()));
    unplaced = now;
  }
}
