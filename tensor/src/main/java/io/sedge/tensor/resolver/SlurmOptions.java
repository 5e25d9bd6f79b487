package io.sedge.tensor.resolver;

import io.sedge.tensor.internal.Addresses;
import io.sedge.tensor.internal.JobNames;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link SlurmClusterResolver} shares out the tasks of a Slurm step. Immutable.
 *
 * @param tasksByJob how many tasks each job has; null: all are of job {@code worker}
 * @param portBase the port of the first task on each host; the next has the next
 * @param gpusPerNode how many GPUs each host gives; null: as many as this one
 * @param gpusPerTask how many GPUs each task gets; null: a host's, divided by the most tasks that a
 *     host has
 * @param tasksPerNode how many tasks each host runs; null: as Slurm says
 * @param tasksByHost how many tasks each host runs, and which hosts there are; null: as Slurm says
 * @param gpusOfThisNode counts the GPUs of this host where neither {@code gpusPerNode} nor the
 *     environment says how many
 */
public record SlurmOptions(
    @Nullable SortedMap<String, Integer> tasksByJob,
    int portBase,
    @Nullable Integer gpusPerNode,
    @Nullable Integer gpusPerTask,
    @Nullable Integer tasksPerNode,
    @Nullable Map<String, Integer> tasksByHost,
    IntSupplier gpusOfThisNode) {
  private static final int DEFAULT_PORT = 8888;

  /** Checks names and ranges. */
  public SlurmOptions {
    Addresses.checkPort(portBase, "Port base");
    if (tasksByJob != null) {
      tasksByJob.forEach(
          (job, tasks) -> checkCount("Tasks of job '" + JobNames.check(job) + "'", tasks));
      tasksByJob = Collections.unmodifiableSortedMap(new TreeMap<>(tasksByJob));
    }
    if (tasksByHost != null) {
      tasksByHost.forEach((host, tasks) -> checkCount("Tasks of host '" + host + "'", tasks));
      tasksByHost = Map.copyOf(tasksByHost);
    }
    checkCount("GPUs per node", gpusPerNode);
    checkCount("GPUs per task", gpusPerTask);
    checkCount("Tasks per node", tasksPerNode);
  }

  /** All as Slurm says, GPUs counted by {@code nvidia-smi} where that is there, port 8888. */
  public static SlurmOptions defaults() {
    return new SlurmOptions(
        null, DEFAULT_PORT, null, null, null, null, new NvidiaSmi("nvidia-smi"));
  }

  /** These options with jobs of these numbers of tasks, which ranks are given in order of names. */
  public SlurmOptions withJobs(Map<String, Integer> jobs) {
    return new SlurmOptions(
        new TreeMap<>(jobs),
        portBase,
        gpusPerNode,
        gpusPerTask,
        tasksPerNode,
        tasksByHost,
        gpusOfThisNode);
  }

  /** These options with another first port. */
  public SlurmOptions withPortBase(int port) {
    return new SlurmOptions(
        tasksByJob, port, gpusPerNode, gpusPerTask, tasksPerNode, tasksByHost, gpusOfThisNode);
  }

  /** These options with numbers of GPUs; null: found out. */
  public SlurmOptions withGpus(@Nullable Integer perNode, @Nullable Integer perTask) {
    return new SlurmOptions(
        tasksByJob, portBase, perNode, perTask, tasksPerNode, tasksByHost, gpusOfThisNode);
  }

  /** These options with a number of tasks on each host that Slurm names. */
  public SlurmOptions withTasksPerNode(int tasks) {
    return new SlurmOptions(
        tasksByJob, portBase, gpusPerNode, gpusPerTask, tasks, null, gpusOfThisNode);
  }

  /** These options with hosts and their numbers of tasks. */
  public SlurmOptions withTasksByHost(Map<String, Integer> tasks) {
    return new SlurmOptions(
        tasksByJob, portBase, gpusPerNode, gpusPerTask, null, tasks, gpusOfThisNode);
  }

  /** These options with another way to count this host's GPUs. */
  public SlurmOptions withGpuCounter(IntSupplier counter) {
    return new SlurmOptions(
        tasksByJob, portBase, gpusPerNode, gpusPerTask, tasksPerNode, tasksByHost, counter);
  }

  private static void checkCount(String what, @Nullable Integer count) {
    if (count != null && (count < 0 || count > HostLists.MOST_ITEMS)) {
      throw new IllegalArgumentException(
          what + ": " + count + " is not from 0 to " + HostLists.MOST_ITEMS);
    }
  }
}
