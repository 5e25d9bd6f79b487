package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for programs that {@code srun} starts. Like TensorFlow's {@code SlurmClusterResolver}.
 *
 * <p>Reads {@code SLURM_PROCID}, {@code SLURM_STEP_NODELIST}, {@code SLURM_STEP_TASKS_PER_NODE} and
 * {@code SLURM_STEP_NUM_TASKS}. Tasks are numbered host by host, in blocks, as Slurm does unless it
 * is told otherwise; hosts are sorted with the numbers in their names compared as numbers. The jobs
 * share the tasks out in order of their names.
 *
 * <p>Works on hosts without GPUs. The GPUs of this task are {@link #visibleGpus()}; a process
 * cannot set {@code CUDA_VISIBLE_DEVICES} for itself, so give that to the process that is to use
 * them.
 */
public final class SlurmClusterResolver extends SettledResolver {
  private static final String RANK = "SLURM_PROCID";
  private static final String NUM_TASKS = "SLURM_STEP_NUM_TASKS";
  private static final String HOSTS = "SLURM_STEP_NODELIST";
  private static final String TASKS_PER_NODE = "SLURM_STEP_TASKS_PER_NODE";
  private static final String GPUS = "CUDA_VISIBLE_DEVICES";

  private final Environment variables;
  private final SlurmOptions options;

  /** A resolver for workers only that finds all in the variables. */
  public SlurmClusterResolver(Environment variables) {
    this(variables, SlurmOptions.defaults(), ResolverSettings.defaults());
  }

  /** A resolver whose options and settings, where set, win over the variables. */
  public SlurmClusterResolver(
      Environment variables, SlurmOptions options, ResolverSettings settings) {
    super(settings);
    this.variables = variables;
    this.options = options;
  }

  @Override
  public ClusterSpec clusterSpec() {
    return allocation().cluster();
  }

  /** The address of the task asked for, else of this process's. */
  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    Allocation allocation = allocation();
    return url(
        rpcLayer,
        address(
            allocation.cluster(),
            "The Slurm step",
            Reason.INVALID,
            or(askedType, taskType(allocation)),
            or(askedId, taskId(allocation))));
  }

  /** The GPUs of each task, the same for all. */
  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    int gpus = allocation().gpusPerTask();
    return gpus == 0 ? Map.of() : Map.of("GPU", gpus);
  }

  /** The numbers of this task's GPUs, for {@code CUDA_VISIBLE_DEVICES}: {@code 0,1} or empty. */
  public String visibleGpus() {
    return allocation().visibleGpus();
  }

  @Override
  public String taskType() {
    return taskType(allocation());
  }

  @Override
  public Integer taskId() {
    return taskId(allocation());
  }

  @Override
  public String rpcLayer() {
    return or(settings.rpcLayer(), "grpc");
  }

  @Override
  public SlurmClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new SlurmClusterResolver(variables, options, settings.withTask(taskType, taskId));
  }

  @Override
  public SlurmClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new SlurmClusterResolver(variables, options, settings.withRpcLayer(rpcLayer));
  }

  private String taskType(Allocation allocation) {
    return or(settings.taskType(), allocation.taskType());
  }

  private Integer taskId(Allocation allocation) {
    return or(settings.taskId(), allocation.taskId());
  }

  /**
   * What this process is in the step, and the rest of it.
   *
   * @param cluster all tasks
   * @param taskType the job of this one
   * @param taskId its index
   * @param gpusPerTask how many GPUs each has
   * @param visibleGpus the numbers of those of this one
   */
  private record Allocation(
      ClusterSpec cluster, String taskType, int taskId, int gpusPerTask, String visibleGpus) {}

  private Allocation allocation() {
    int rank = number(RANK);
    @Nullable SortedMap<String, Integer> given = options.tasksByJob();
    SortedMap<String, Integer> jobs =
        given == null ? new TreeMap<>(Map.of("worker", number(NUM_TASKS))) : given;
    SortedMap<String, Integer> tasksByHost = tasksByHost();
    int assigned = tasksByHost.values().stream().mapToInt(Integer::intValue).sum();
    int requested = jobs.values().stream().mapToInt(Integer::intValue).sum();
    if (requested != assigned) {
      throw invalid("Requested " + requested + " tasks but only " + assigned + " were assigned.");
    }
    if (rank >= assigned) {
      throw invalid(RANK + " is " + rank + ", but there are " + assigned + " tasks");
    }
    int gpusPerTask = gpusPerTask(tasksByHost);
    List<Place> places = places(tasksByHost);
    return allocation(rank, jobs, places, gpusPerTask);
  }

  private Allocation allocation(
      int rank, SortedMap<String, Integer> jobs, List<Place> places, int gpusPerTask) {
    ClusterSpec.Builder cluster = ClusterSpec.builder();
    String taskType = "";
    int taskId = 0;
    int begin = 0;
    for (Map.Entry<String, Integer> job : jobs.entrySet()) {
      int end = begin + job.getValue();
      List<String> addresses =
          places.subList(begin, end).stream()
              .map(place -> place.address(options.portBase()))
              .toList();
      translate("The Slurm step", Reason.INVALID, () -> cluster.job(job.getKey(), addresses));
      if (begin <= rank && rank < end) {
        taskType = job.getKey();
        taskId = rank - begin;
      }
      begin = end;
    }
    ClusterSpec spec = translate("The Slurm step", Reason.INVALID, cluster::build);
    return new Allocation(
        spec, taskType, taskId, gpusPerTask, places.get(rank).visibleGpus(gpusPerTask));
  }

  /** The place of a task: a host, and which of the host's tasks it is. */
  private record Place(String host, int offset) {
    String address(int portBase) {
      return Addresses.join(host, portBase + offset);
    }

    String visibleGpus(int perTask) {
      int first = offset * perTask;
      return String.join(
          ",", IntStream.range(first, first + perTask).mapToObj(Integer::toString).toList());
    }
  }

  private static List<Place> places(SortedMap<String, Integer> tasksByHost) {
    List<Place> places = new ArrayList<>();
    tasksByHost.forEach(
        (host, tasks) -> {
          for (int offset = 0; offset < tasks; offset++) {
            places.add(new Place(host, offset));
          }
        });
    return places;
  }

  private SortedMap<String, Integer> tasksByHost() {
    SortedMap<String, Integer> tasksByHost = new TreeMap<>(HostLists.BY_NUMBER);
    if (options.tasksByHost() != null) {
      tasksByHost.putAll(options.tasksByHost());
      return tasksByHost;
    }
    List<String> hosts = translate(HOSTS, Reason.INVALID, () -> HostLists.expand(text(HOSTS)));
    @Nullable Integer each = options.tasksPerNode();
    List<Integer> counts =
        each == null
            ? translate(
                TASKS_PER_NODE, Reason.INVALID, () -> HostLists.expandCounts(text(TASKS_PER_NODE)))
            : hosts.stream().map(host -> each).toList();
    if (counts.size() != hosts.size()) {
      throw invalid(
          HOSTS
              + " names "
              + hosts.size()
              + " hosts, but "
              + TASKS_PER_NODE
              + " has "
              + counts.size());
    }
    for (int host = 0; host < hosts.size(); host++) {
      if (tasksByHost.putIfAbsent(hosts.get(host), counts.get(host)) != null) {
        throw invalid(HOSTS + " names host '" + hosts.get(host) + "' twice");
      }
    }
    return tasksByHost;
  }

  private int gpusPerTask(SortedMap<String, Integer> tasksByHost) {
    int mostTasks = tasksByHost.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    int perNode = options.gpusPerNode() == null ? gpusOfThisNode() : options.gpusPerNode();
    int perTask = or(options.gpusPerTask(), perNode / Math.max(1, mostTasks));
    if ((long) mostTasks * perTask > perNode) {
      throw invalid("Requested more GPUs per node than available.");
    }
    return perTask;
  }

  /** CUDA sees the devices up to the first that is not a number or name; an empty list is none. */
  private int gpusOfThisNode() {
    @Nullable String visible = variables.get(GPUS);
    if (visible == null) {
      return options.gpusOfThisNode().getAsInt();
    }
    int count = 0;
    for (String device : visible.split(",", -1)) {
      String name = device.strip();
      if (name.isEmpty() || name.startsWith("-") || name.equals("NoDevFiles")) {
        break;
      }
      count++;
    }
    return count;
  }

  private int number(String variable) {
    String text = text(variable);
    try {
      int number = Integer.parseInt(text.strip());
      if (number >= 0 && number <= HostLists.MOST_ITEMS) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw notANumber(variable, text, e);
    }
    throw notANumber(variable, text, null);
  }

  private String text(String variable) {
    @Nullable String text = variables.get(variable);
    if (text == null) {
      throw new ClusterResolutionException(
          Reason.ABSENT, variable + " not found in environment. Not running inside a SLURM step?");
    }
    return text;
  }

  private static ClusterResolutionException notANumber(
      String variable, String text, @Nullable Throwable cause) {
    return new ClusterResolutionException(
        Reason.INVALID,
        variable + " is '" + text + "', not a whole number from 0 to " + HostLists.MOST_ITEMS,
        cause);
  }

  private static ClusterResolutionException invalid(String message) {
    return new ClusterResolutionException(Reason.INVALID, message);
  }
}
