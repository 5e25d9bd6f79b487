package io.sedge.tensor;

import io.sedge.tensor.internal.JobNames;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.JobDeviceFilters;
import org.tensorflow.proto.TaskDeviceFilters;

/**
 * Which remote devices each task of a cluster sees. Like TensorFlow's {@code
 * tf.config.experimental.ClusterDeviceFilters}.
 *
 * <p>A task sees its own devices, and any that agrees with one of its filters in every part that
 * both have; a task without filters sees all. Who connects is not filtered. Filters hold for as
 * long as the process that connects lives: TensorFlow ignores those of a later connection.
 *
 * <p>Filters are checked when they are set: TensorFlow fails at the first operation after
 * connecting, and a server to which a session brings a filter that cannot be read ends its process.
 *
 * <p>Immutable; {@link #builder} makes one.
 */
public final class ClusterDeviceFilters {
  private final SortedMap<String, SortedMap<Integer, List<String>>> filtersByTask;

  private ClusterDeviceFilters(SortedMap<String, SortedMap<Integer, List<String>>> filtersByTask) {
    SortedMap<String, SortedMap<Integer, List<String>>> copy = new TreeMap<>();
    filtersByTask.forEach(
        (job, tasks) -> copy.put(job, Collections.unmodifiableSortedMap(new TreeMap<>(tasks))));
    this.filtersByTask = Collections.unmodifiableSortedMap(copy);
  }

  /** A builder without filters. */
  public static Builder builder() {
    return new Builder();
  }

  /** The filters of a task; empty if it has none and therefore sees all devices. */
  public List<String> filters(String job, int taskIndex) {
    SortedMap<Integer, List<String>> tasks =
        filtersByTask.getOrDefault(job, Collections.emptySortedMap());
    return tasks.getOrDefault(taskIndex, List.of());
  }

  /** Whether a task sees a device, by the rule of the class. */
  public boolean letsThrough(String job, int taskIndex, DeviceName device) {
    List<String> filters = filters(job, taskIndex);
    DeviceName task = new DeviceName(job, 0, taskIndex, null, null);
    return filters.isEmpty()
        || task.agreesWith(device)
        || filters.stream().anyMatch(filter -> DeviceName.of(filter).agreesWith(device));
  }

  /**
   * Checks that every task that has filters is in a cluster. TensorFlow ignores the others, which
   * hides a misspelt job.
   *
   * @throws IllegalArgumentException naming the first job and task that are not there
   */
  public void checkAgainst(ClusterSpec cluster) {
    filtersByTask.forEach(
        (job, tasks) ->
            tasks
                .keySet()
                .forEach(
                    index -> {
                      try {
                        cluster.taskAddress(job, index);
                      } catch (IllegalArgumentException e) {
                        throw new IllegalArgumentException(
                            "Device filters are set for task "
                                + index
                                + " of job '"
                                + job
                                + "', which the cluster does not have: "
                                + e.getMessage(),
                            e);
                      }
                    }));
  }

  /** The protocol buffer: jobs by name, tasks by index, without jobs that have no filters. */
  public org.tensorflow.proto.ClusterDeviceFilters toProto() {
    org.tensorflow.proto.ClusterDeviceFilters.Builder filters =
        org.tensorflow.proto.ClusterDeviceFilters.newBuilder();
    filtersByTask.forEach(
        (job, tasks) -> {
          JobDeviceFilters.Builder ofJob = JobDeviceFilters.newBuilder().setName(job);
          tasks.forEach(
              (index, texts) ->
                  ofJob.putTasks(
                      index, TaskDeviceFilters.newBuilder().addAllDeviceFilters(texts).build()));
          filters.addJobs(ofJob);
        });
    return filters.build();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ClusterDeviceFilters filters
        && filtersByTask.equals(filters.filtersByTask);
  }

  @Override
  public int hashCode() {
    return filtersByTask.hashCode();
  }

  @Override
  public String toString() {
    return "ClusterDeviceFilters(" + filtersByTask + ")";
  }

  /** Collects filters. For one thread. */
  public static final class Builder {
    private final SortedMap<String, SortedMap<Integer, List<String>>> filtersByTask =
        new TreeMap<>();

    private Builder() {}

    /**
     * Sets the filters of a task, in place of those set before. An empty list takes them away, and
     * the task sees all devices.
     *
     * @param filters patterns such as {@code /job:ps} or {@code /job:worker/task:0/device:GPU:*}
     * @throws IllegalArgumentException if the index is negative, or a name is none
     */
    public Builder set(String job, int taskIndex, List<String> filters) {
      JobNames.check(job);
      if (taskIndex < 0 || taskIndex > ClusterSpec.MOST_TASK_INDEX) {
        throw new IllegalArgumentException(
            "Task index "
                + taskIndex
                + " of job '"
                + job
                + "' is not from 0 to "
                + ClusterSpec.MOST_TASK_INDEX);
      }
      List<String> copy = List.copyOf(filters);
      copy.forEach(filter -> check(job, taskIndex, filter));
      if (copy.isEmpty()) {
        filtersByTask.computeIfPresent(job, (name, tasks) -> without(tasks, taskIndex));
      } else {
        filtersByTask.computeIfAbsent(job, name -> new TreeMap<>()).put(taskIndex, copy);
      }
      return this;
    }

    /** Sets the filters of a task, as {@link #set(String, int, List)} does. */
    public Builder set(String job, int taskIndex, String... filters) {
      return set(job, taskIndex, List.of(filters));
    }

    /** The filters. */
    public ClusterDeviceFilters build() {
      return new ClusterDeviceFilters(filtersByTask);
    }

    private static void check(String job, int taskIndex, String filter) {
      if (filter.isEmpty() || DeviceName.parse(filter).isEmpty()) {
        throw new IllegalArgumentException(
            "Device filter '"
                + filter
                + "' of task "
                + taskIndex
                + " of job '"
                + job
                + "' is not a device name such as /job:ps or /job:worker/task:0/device:GPU:*");
      }
    }

    private static @Nullable SortedMap<Integer, List<String>> without(
        SortedMap<Integer, List<String>> tasks, int taskIndex) {
      tasks.remove(taskIndex);
      return tasks.isEmpty() ? null : tasks;
    }
  }
}
