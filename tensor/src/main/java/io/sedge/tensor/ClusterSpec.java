package io.sedge.tensor;

import io.sedge.tensor.internal.Addresses;
import io.sedge.tensor.internal.JobNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.JobDef;

/**
 * The tasks of a cluster: for every job, the address ({@code host:port}) of each of its tasks. Like
 * TensorFlow's {@code tf.train.ClusterSpec}.
 *
 * <p>A job is dense when its tasks are numbered 0 to n-1, and sparse when some numbers are left
 * out, which is how a task says that it need not know of the others. A job may have no tasks.
 *
 * <p>Unlike TensorFlow's, a spec checks what it is made of. Job names are a letter followed by
 * letters, digits or underscores; task indices go from 0 to {@value #MOST_TASK_INDEX}; addresses
 * have a port from 0 to 65535 (0: chosen when the server starts) and no scheme; no two tasks have
 * the same address, port 0 aside; no job occurs twice. What breaks this is refused with an {@link
 * IllegalArgumentException} that names job and task.
 *
 * <p>Immutable, and equal to a spec with the same tasks, whatever the order of its jobs.
 */
public final class ClusterSpec {
  /** The greatest task index. */
  public static final int MOST_TASK_INDEX = 999_999;

  private static final ClusterSpec EMPTY = new ClusterSpec(Map.of());

  private final Map<String, SortedMap<Integer, String>> tasksByJob;

  private ClusterSpec(Map<String, SortedMap<Integer, String>> tasksByJob) {
    Map<String, SortedMap<Integer, String>> copy = new LinkedHashMap<>();
    tasksByJob.forEach(
        (job, tasks) -> copy.put(job, Collections.unmodifiableSortedMap(new TreeMap<>(tasks))));
    this.tasksByJob = Collections.unmodifiableMap(copy);
  }

  /** The spec without jobs. */
  public static ClusterSpec empty() {
    return EMPTY;
  }

  /**
   * A spec from job names to tasks, where the tasks of a job are either a list of addresses or a
   * map from task index (a whole number, or a string that is one) to address.
   *
   * @throws IllegalArgumentException for anything else, and for what the class refuses
   */
  public static ClusterSpec of(Map<String, ?> cluster) {
    Builder builder = builder();
    for (Map.Entry<?, ?> entry : cluster.entrySet()) {
      if (!(entry.getKey() instanceof String job)) {
        throw new IllegalArgumentException("Job name " + entry.getKey() + " must be a string");
      }
      addTasks(builder.newJob(job), job, entry.getValue());
    }
    return builder.build();
  }

  /**
   * The spec that a protocol buffer describes.
   *
   * @throws IllegalArgumentException for what the class refuses
   */
  public static ClusterSpec from(ClusterDef cluster) {
    Builder builder = builder();
    for (JobDef job : cluster.getJobList()) {
      builder.job(job.getName(), job.getTasksMap());
    }
    return builder.build();
  }

  /** A builder without jobs. */
  public static Builder builder() {
    return new Builder();
  }

  /** The names of the jobs, in the order in which they were given. */
  public List<String> jobs() {
    return List.copyOf(tasksByJob.keySet());
  }

  /** Whether the spec has a job of this name. */
  public boolean hasJob(String job) {
    return tasksByJob.containsKey(job);
  }

  /** Whether there are no jobs; a job without tasks counts. */
  public boolean isEmpty() {
    return tasksByJob.isEmpty();
  }

  /**
   * How many tasks a job has.
   *
   * @throws IllegalArgumentException if there is no such job
   */
  public int numTasks(String job) {
    return tasks(job).size();
  }

  /**
   * The indices of a job's tasks, ascending.
   *
   * @throws IllegalArgumentException if there is no such job
   */
  public List<Integer> taskIndices(String job) {
    return List.copyOf(tasks(job).keySet());
  }

  /**
   * The address of a task.
   *
   * @throws IllegalArgumentException if there is no such job, or no such task in it
   */
  public String taskAddress(String job, int index) {
    SortedMap<Integer, String> tasks = tasks(job);
    @Nullable String address = tasks.get(index);
    if (address == null) {
      throw new IllegalArgumentException(
          "No task with index "
              + index
              + " in job '"
              + job
              + "'; it has "
              + (tasks.isEmpty() ? "no tasks" : "tasks " + list(tasks.keySet())));
    }
    return address;
  }

  /**
   * The addresses of a job's tasks at the places of their indices; null where an index is left out.
   * Empty for a job without tasks.
   *
   * @throws IllegalArgumentException if there is no such job
   */
  public List<@Nullable String> jobTasks(String job) {
    SortedMap<Integer, String> tasks = tasks(job);
    int length = tasks.isEmpty() ? 0 : tasks.lastKey() + 1;
    List<@Nullable String> addresses = new ArrayList<>(Collections.nCopies(length, null));
    tasks.forEach(addresses::set);
    return Collections.unmodifiableList(addresses);
  }

  /**
   * The tasks of a job by index, ascending.
   *
   * @throws IllegalArgumentException if there is no such job
   */
  public SortedMap<Integer, String> tasks(String job) {
    @Nullable SortedMap<Integer, String> tasks = tasksByJob.get(job);
    if (tasks == null) {
      throw new IllegalArgumentException(
          "No such job in cluster: '"
              + job
              + "'; "
              + (isEmpty() ? "it has no jobs" : "its jobs are " + list(tasksByJob.keySet())));
    }
    return tasks;
  }

  /** Whether the tasks of a job are numbered 0 to n-1; not so for a job without tasks. */
  private static boolean isDense(SortedMap<Integer, String> tasks) {
    return !tasks.isEmpty() && tasks.lastKey() == tasks.size() - 1;
  }

  /**
   * The jobs in the form that {@link #of} takes: a list of addresses for a dense job, a map from
   * index to address for a sparse one and for one without tasks.
   */
  public Map<String, Object> asMap() {
    Map<String, Object> cluster = new LinkedHashMap<>();
    tasksByJob.forEach(
        (job, tasks) -> cluster.put(job, isDense(tasks) ? List.copyOf(tasks.values()) : tasks));
    return Collections.unmodifiableMap(cluster);
  }

  /** The protocol buffer: jobs by name, tasks by index. */
  public ClusterDef toClusterDef() {
    ClusterDef.Builder cluster = ClusterDef.newBuilder();
    for (Map.Entry<String, SortedMap<Integer, String>> job : new TreeMap<>(tasksByJob).entrySet()) {
      cluster.addJob(JobDef.newBuilder().setName(job.getKey()).putAllTasks(job.getValue()));
    }
    return cluster.build();
  }

  /**
   * This spec without a job, or this spec if it has none of that name. Meant for the evaluator,
   * which runs beside a cluster and which a coordinator would wait for in vain.
   */
  public ClusterSpec withoutJob(String job) {
    if (!hasJob(job)) {
      return this;
    }
    Map<String, SortedMap<Integer, String>> others = new LinkedHashMap<>(tasksByJob);
    others.remove(job);
    return new ClusterSpec(others);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusterSpec spec && tasksByJob.equals(spec.tasksByJob);
  }

  @Override
  public int hashCode() {
    return tasksByJob.hashCode();
  }

  /** The text that TensorFlow prints, jobs by name. */
  @Override
  public String toString() {
    return new TreeMap<>(tasksByJob)
        .entrySet().stream()
            .map(job -> "'" + job.getKey() + "': " + text(job.getValue()))
            .collect(Collectors.joining(", ", "ClusterSpec({", "})"));
  }

  private static String text(SortedMap<Integer, String> tasks) {
    return isDense(tasks)
        ? tasks.values().stream()
            .map(address -> "'" + address + "'")
            .collect(Collectors.joining(", ", "[", "]"))
        : tasks.entrySet().stream()
            .map(task -> task.getKey() + ": '" + task.getValue() + "'")
            .collect(Collectors.joining(", ", "{", "}"));
  }

  /** The first few, since a message must stay readable. */
  private static String list(Iterable<?> items) {
    List<String> texts = new ArrayList<>();
    for (Object item : items) {
      if (texts.size() == 10) {
        texts.add("…");
        break;
      }
      texts.add(item.toString());
    }
    return String.join(", ", texts);
  }

  private static void addTasks(
      SortedMap<Integer, String> tasks, String job, @Nullable Object value) {
    if (value instanceof List<?> addresses) {
      for (int index = 0; index < addresses.size(); index++) {
        Builder.add(tasks, job, index, addresses.get(index));
      }
    } else if (value instanceof Map<?, ?> addresses) {
      addresses.forEach((index, address) -> Builder.add(tasks, job, index(job, index), address));
    } else {
      throw new IllegalArgumentException(
          "The tasks for job '"
              + job
              + "' must be a list of addresses or a map from task index to address, not "
              + value);
    }
  }

  private static int index(String job, @Nullable Object index) {
    if (index instanceof Integer number) {
      return number;
    }
    try {
      if (index instanceof String text) {
        return Integer.parseInt(text.strip());
      }
    } catch (NumberFormatException e) {
      throw notAnIndex(job, "'" + index + "'", e);
    }
    throw notAnIndex(job, String.valueOf(index), null);
  }

  private static IllegalArgumentException notAnIndex(
      String job, String index, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "Task index " + index + " of job '" + job + "' is not a whole number", cause);
  }

  /** Collects the jobs of a spec. For one thread. */
  public static final class Builder {
    private final Map<String, SortedMap<Integer, String>> tasksByJob = new LinkedHashMap<>();

    private Builder() {}

    /**
     * Adds a dense job.
     *
     * @throws IllegalArgumentException if the job is there already, or for what the spec refuses
     */
    public Builder job(String job, List<String> addresses) {
      addTasks(newJob(job), job, addresses);
      return this;
    }

    /** Adds a dense job, as {@link #job(String, List)} does. */
    public Builder job(String job, String... addresses) {
      return job(job, Arrays.asList(addresses));
    }

    /**
     * Adds a job with the tasks of these indices.
     *
     * @throws IllegalArgumentException if the job is there already, or for what the spec refuses
     */
    public Builder job(String job, Map<Integer, String> tasks) {
      addTasks(newJob(job), job, tasks);
      return this;
    }

    /**
     * Adds a task, and its job if that is not there yet.
     *
     * @throws IllegalArgumentException if the task is there already, or for what the spec refuses
     */
    public Builder task(String job, int index, String address) {
      JobNames.check(job);
      add(tasksByJob.computeIfAbsent(job, name -> new TreeMap<>()), job, index, address);
      return this;
    }

    /**
     * The spec.
     *
     * @throws IllegalArgumentException if two tasks have the same address
     */
    public ClusterSpec build() {
      checkThatAddressesDiffer();
      return new ClusterSpec(tasksByJob);
    }

    private SortedMap<Integer, String> newJob(String job) {
      JobNames.check(job);
      SortedMap<Integer, String> tasks = new TreeMap<>();
      if (tasksByJob.putIfAbsent(job, tasks) != null) {
        throw new IllegalArgumentException("Job '" + job + "' is given twice");
      }
      return tasks;
    }

    private static void add(
        SortedMap<Integer, String> tasks, String job, int index, @Nullable Object address) {
      if (index < 0 || index > MOST_TASK_INDEX) {
        throw new IllegalArgumentException(
            "Task index " + index + " of job '" + job + "' is not from 0 to " + MOST_TASK_INDEX);
      }
      if (!(address instanceof String text)) {
        throw new IllegalArgumentException(
            "The address of " + name(job, index) + " is " + address + ", which is not a string");
      }
      Addresses.check(text, name(job, index));
      if (tasks.putIfAbsent(index, text) != null) {
        throw new IllegalArgumentException("The " + name(job, index) + " is given twice");
      }
    }

    private void checkThatAddressesDiffer() {
      Map<String, String> taskByAddress = new HashMap<>();
      tasksByJob.forEach(
          (job, tasks) ->
              tasks.forEach(
                  (index, address) -> {
                    if (!Addresses.hasOpenPort(address)) {
                      String task = name(job, index);
                      @Nullable String other =
                          taskByAddress.putIfAbsent(Addresses.canonical(address), task);
                      checkNoOther(task, address, other);
                    }
                  }));
    }

    private static void checkNoOther(String task, String address, @Nullable String other) {
      if (other != null) {
        throw new IllegalArgumentException(
            "The address of "
                + task
                + " is '"
                + address
                + "', which is that of "
                + other
                + " already; each task needs an address of its own");
      }
    }

    private static String name(String job, int index) {
      return "task " + index + " of job '" + job + "'";
    }
  }
}
