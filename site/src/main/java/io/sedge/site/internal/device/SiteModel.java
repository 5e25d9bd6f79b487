package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import io.sedge.division.Labels;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Measures;
import io.sedge.ledger.Remark;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.placement.Device;
import io.sedge.placement.Health;
import io.sedge.placement.Shard;
import io.sedge.placement.ShardId;
import io.sedge.placement.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the ledger knows, as placement sees it. Pure functions. */
final class SiteModel {
  /** The label by which a fragment demands one device; each device has its own name there. */
  static final String DEVICE_LABEL = "sedge.device";

  /** What a task takes besides its state: a thread, batches, the connector's queues. */
  private static final long TASK_BYTES = 4L << 20;

  /** State takes more on the heap than in the ledger. */
  private static final long STATE_FACTOR = 3;

  /**
   * For how long a task stands still when it moves: some tenths of a second, and as much again for
   * the doubt in what was measured. Loads and speeds of tasks that do little vary by half, and
   * tasks are not to go to and fro for it.
   */
  private static final double MOVE_SECONDS = 3;

  /** The same when a device has just come: it is to get some tasks. */
  private static final double FIRST_MOVE_SECONDS = 0.1;

  private SiteModel() {}

  /**
   * The site for {@link io.sedge.placement.Placement}.
   *
   * @param health of each device of the ledger
   * @param fragments of each job that is compiled
   * @param eager whether tasks are to move for little, since a device has just come
   */
  static Site site(
      SiteState state,
      Function<io.sedge.ledger.Device, Health> health,
      Map<String, JobFragments> fragments,
      boolean eager) {
    List<Device> devices = new ArrayList<>();
    Map<String, Map<String, Double>> loads = new HashMap<>();
    List<io.sedge.ledger.Device> known = state.devices();
    for (io.sedge.ledger.Device device : known) {
      devices.add(device(device, health.apply(device)));
      loads.put(device.name(), device.measures().loads());
    }
    Map<Task, Fragment> placed = placed(state, fragments);
    double usual = usualLoad(loads, placed.keySet());
    double moveSeconds = eager ? FIRST_MOVE_SECONDS : MOVE_SECONDS;
    List<Shard> shards = new ArrayList<>();
    Map<ShardId, String> places = new HashMap<>();
    placed.forEach(
        (task, fragment) -> {
          ShardId id = shard(task.id());
          OptionalDouble load = load(loads, task);
          shards.add(
              new Shard(
                  id,
                  CompiledJob.algorithm(fragment),
                  load.orElse(usual),
                  TASK_BYTES + STATE_FACTOR * task.stateBytes(),
                  demands(fragment),
                  task.stateBytes(),
                  moveSeconds,
                  unfit(known, task.id()),
                  load.isPresent()));
          if (!task.device().isEmpty()) {
            places.put(id, task.device());
          }
        });
    return new Site(devices, shards, places);
  }

  /** The tasks that some device should run where placement says, each with what it runs. */
  private static Map<Task, Fragment> placed(SiteState state, Map<String, JobFragments> fragments) {
    Set<TaskId> running = running(state);
    Map<Task, Fragment> placed = new LinkedHashMap<>();
    for (Task task : state.tasks()) {
      Fragment fragment = running.contains(task.id()) ? fragment(fragments, task.id()) : null;
      if (fragment != null && isPlaced(fragment)) {
        placed.put(task, fragment);
      }
    }
    return placed;
  }

  /**
   * What a task counts for whose load nobody knows yet: as much as others. Were it taken for
   * silent, all tasks of a new job would go to the device that has least to do.
   */
  private static double usualLoad(Map<String, Map<String, Double>> loads, Set<Task> tasks) {
    return tasks.stream().flatMapToDouble(task -> load(loads, task).stream()).average().orElse(0);
  }

  /**
   * As its device has measured it, or while that has not, the one that it comes from; empty if
   * nobody has.
   */
  private static OptionalDouble load(Map<String, Map<String, Double>> loads, Task task) {
    String id = task.id().toString();
    Double own = loads.getOrDefault(task.device(), Map.of()).get(id);
    return own != null
        ? OptionalDouble.of(own)
        : loads.values().stream()
            .flatMap(others -> Stream.ofNullable(others.get(id)))
            .mapToDouble(load -> load)
            .max();
  }

  /** The labels that a device must have to run a fragment. */
  private static Map<String, String> demands(Fragment fragment) {
    Map<String, String> labels = new HashMap<>(Labels.demanded(fragment.job()));
    fragment.device().ifPresent(name -> labels.put(DEVICE_LABEL, name));
    return labels;
  }

  /** The devices that say that they cannot run a task, each with its reason. */
  private static Map<String, String> unfit(List<io.sedge.ledger.Device> devices, TaskId id) {
    Map<String, String> unfit = new HashMap<>();
    for (io.sedge.ledger.Device device : devices) {
      device.measures().unfitFor(id).ifPresent(why -> unfit.put(device.name(), why));
    }
    return unfit;
  }

  /** A device that cannot run a version of a job, as it says. */
  record UnfitJob(String device, String job, long version) {}

  /** All that devices say so of. */
  static Set<UnfitJob> unfit(SiteState state) {
    Set<UnfitJob> unfit = new HashSet<>();
    for (io.sedge.ledger.Device device : state.devices()) {
      Map<String, Remark> remarks = device.measures().remarks();
      for (Job job : state.jobs()) {
        Remark remark = remarks.get(job.name());
        if (remark != null && remark.kind() == Remark.Kind.UNFIT) {
          unfit.add(new UnfitJob(device.name(), job.name(), job.version()));
        }
      }
    }
    return unfit;
  }

  /** Whether that version of the job is the one that runs. */
  static boolean isRunning(SiteState state, UnfitJob unfit) {
    return state
        .job(unfit.job())
        .filter(job -> job.version() == unfit.version() && job.state() == JobState.RUNNING)
        .isPresent();
  }

  /** Whether a device was neither removed nor expelled. */
  static boolean isOfTheSite(SiteState state, String device) {
    return state.device(device).filter(known -> known.state() != DeviceState.EXPELLED).isPresent();
  }

  /** Whether its device says that it cannot run it. */
  static boolean isUnfit(SiteState state, Task task) {
    return state
        .device(task.device())
        .flatMap(device -> device.measures().unfitFor(task.id()))
        .isPresent();
  }

  /** Whether any task of a job has ever committed: some device could compile it. */
  static boolean hasCommitted(SiteState state, String job) {
    return state.tasks().stream()
        .anyMatch(task -> task.id().job().equals(job) && task.sequence() > 0);
  }

  /**
   * Whether what a task does was ever done, on whichever device: a task of the same {@link
   * CompiledJob#algorithm} has committed or, as the delivery commits nothing, rows of the job were
   * delivered. Then the tables that it reads and writes have been good.
   *
   * @param fragments of its job
   */
  static boolean hasSucceeded(SiteState state, TaskId id, JobFragments fragments) {
    if (id.shard().equals(CompiledJob.DELIVERY)) {
      return state.job(id.job()).filter(job -> job.acknowledgedRow() >= job.firstRow()).isPresent();
    }
    Optional<String> algorithm = algorithm(fragments, id);
    return algorithm.isPresent()
        && state.tasks().stream()
            .filter(task -> task.id().job().equals(id.job()) && task.sequence() > 0)
            .anyMatch(task -> algorithm(fragments, task.id()).equals(algorithm));
  }

  private static Optional<String> algorithm(JobFragments fragments, TaskId id) {
    return fragments.of(id.shard()).map(CompiledJob::algorithm);
  }

  /** Whether it is a part of an input, which {@link PartDealer} gives out. */
  static boolean isPart(Fragment fragment) {
    return fragment.part().isPresent();
  }

  /** Whether placement says where it runs. */
  static boolean isPlaced(@Nullable Fragment fragment) {
    return fragment != null && !isPart(fragment);
  }

  /** What a task runs; null if its job is not compiled yet, or has no such part any more. */
  static @Nullable Fragment fragment(Map<String, JobFragments> fragments, TaskId id) {
    return fragments.getOrDefault(id.job(), JobFragments.NONE).of(id.shard()).orElse(null);
  }

  private static Device device(io.sedge.ledger.Device device, Health health) {
    Measures measures = device.measures();
    Map<String, String> labels = new HashMap<>(device.labels());
    labels.put(DEVICE_LABEL, device.name());
    return new Device(
        device.name(),
        health,
        measures.cpuShare(),
        measures.limitFactor(),
        measures.memoryBytes(),
        labels,
        measures.speeds());
  }

  /** The tasks that some device should run. */
  static Set<TaskId> running(SiteState state) {
    Set<TaskId> running = new HashSet<>();
    for (Task task : state.tasks()) {
      if (state.job(task.id().job()).filter(job -> shallRun(job, task)).isPresent()) {
        running.add(task.id());
      }
    }
    return running;
  }

  /** Whether some device should run it. */
  static boolean shallRun(Job job, Task task) {
    boolean delivery = task.id().shard().equals(CompiledJob.DELIVERY);
    return !task.ended()
        && (job.state() == JobState.RUNNING || (delivery && job.state().hasEnded()));
  }

  static ShardId shard(TaskId id) {
    return new ShardId(id.job(), id.shard());
  }

  static TaskId task(ShardId id) {
    return new TaskId(id.job(), id.shard());
  }
}
