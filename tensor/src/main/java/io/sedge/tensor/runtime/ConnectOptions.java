package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterDeviceFilters;
import io.sedge.tensor.internal.JobNames;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ClusterContext} joins a cluster: the arguments of {@code
 * tf.config.experimental_connect_to_cluster}.
 *
 * @param job the job that this process is in the cluster; added to it if it is not there
 * @param taskIndex the task that this process is
 * @param protocol the protocol between the tasks
 * @param masterIsDefaultDevice whether operations without a device run on the master that a
 *     resolver names; heeded only where a resolver is given
 * @param filters which task sees which devices; null for all see all, or for those of the
 *     connection before
 * @param localHost the host under which the other tasks reach this process, where its job is added
 * @param limit how long every other task together may take to answer
 * @param insecureNetwork whether addresses of the cluster may be others than loopback ones: the
 *     process becomes a server too, and whoever reaches it can run anything with its rights
 */
public record ConnectOptions(
    String job,
    int taskIndex,
    String protocol,
    boolean masterIsDefaultDevice,
    @Nullable ClusterDeviceFilters filters,
    String localHost,
    Duration limit,
    boolean insecureNetwork) {
  /**
   * Checks the job's name and the limit.
   *
   * @throws IllegalArgumentException for a wrong one
   */
  public ConnectOptions {
    JobNames.check(job);
    ClusterSessionOptions.checkLimit(limit);
  }

  /** Task 0 of job {@code localhost}, at host {@code localhost}, within half a minute. */
  public static ConnectOptions defaults() {
    return new ConnectOptions(
        "localhost",
        0,
        "grpc",
        true,
        null,
        "localhost",
        ClusterSessionOptions.DEFAULT_LIMIT,
        false);
  }

  /** These, as another task. */
  public ConnectOptions withTask(String newJob, int newIndex) {
    return new ConnectOptions(
        newJob,
        newIndex,
        protocol,
        masterIsDefaultDevice,
        filters,
        localHost,
        limit,
        insecureNetwork);
  }

  /** These, with filters. */
  public ConnectOptions withFilters(ClusterDeviceFilters newFilters) {
    return new ConnectOptions(
        job,
        taskIndex,
        protocol,
        masterIsDefaultDevice,
        newFilters,
        localHost,
        limit,
        insecureNetwork);
  }

  /** These, with operations without a device left to this process. */
  public ConnectOptions withoutDefaultDevice() {
    return new ConnectOptions(
        job, taskIndex, protocol, false, filters, localHost, limit, insecureNetwork);
  }

  /** These, with another limit. */
  public ConnectOptions withLimit(Duration newLimit) {
    return new ConnectOptions(
        job,
        taskIndex,
        protocol,
        masterIsDefaultDevice,
        filters,
        localHost,
        newLimit,
        insecureNetwork);
  }

  /** These, for a network that is known to be open to nobody else. */
  public ConnectOptions withInsecureNetwork(String newLocalHost) {
    return new ConnectOptions(
        job, taskIndex, protocol, masterIsDefaultDevice, filters, newLocalHost, limit, true);
  }
}
