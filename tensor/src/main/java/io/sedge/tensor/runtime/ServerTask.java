package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import io.sedge.tensor.internal.Addresses;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.ServerDef;

/**
 * Which task of which cluster a server is, and with which options of TensorFlow's: the arguments of
 * {@code tf.distribute.Server}. Immutable.
 *
 * <p>Job and index may be left out where there is but one. What would abort the server's process is
 * refused: names and addresses as {@link ClusterSpec} does, and device filters in the configuration
 * that TensorFlow cannot read.
 */
public final class ServerTask {
  private final ServerDef definition;

  private ServerTask(ServerDef definition) {
    this.definition = definition;
  }

  /**
   * The only task of a cluster.
   *
   * @throws IllegalArgumentException if it has several jobs, or its job several tasks
   */
  public static ServerTask of(ClusterSpec cluster) {
    if (cluster.jobs().size() != 1) {
      throw new IllegalArgumentException(
          "Must specify an explicit `job_name`. The cluster has "
              + cluster.jobs().size()
              + " jobs: "
              + cluster.jobs());
    }
    return of(cluster, cluster.jobs().getFirst());
  }

  /**
   * The only task of a job.
   *
   * @throws IllegalArgumentException if there is no such job, or it has not one task
   */
  public static ServerTask of(ClusterSpec cluster, String job) {
    if (cluster.numTasks(job) != 1) {
      throw new IllegalArgumentException(
          "Must specify an explicit `task_index`. Job '"
              + job
              + "' has "
              + cluster.numTasks(job)
              + " tasks: "
              + cluster.taskIndices(job));
    }
    return of(cluster, job, cluster.taskIndices(job).getFirst());
  }

  /**
   * The task that a resolver says this process is.
   *
   * @throws IllegalArgumentException if it does not say, and there are several
   */
  public static ServerTask of(ClusterResolver resolver) {
    ClusterSpec cluster = resolver.clusterSpec();
    @Nullable String job = resolver.taskType();
    @Nullable Integer index = resolver.taskId();
    if (job == null) {
      return of(cluster);
    }
    return index == null ? of(cluster, job) : of(cluster, job, index);
  }

  /** A task of a cluster; that it exists is checked when the server is made, as TensorFlow does. */
  public static ServerTask of(ClusterSpec cluster, String job, int index) {
    ServerDef.Builder definition =
        ServerDef.newBuilder()
            .setCluster(cluster.toClusterDef())
            .setJobName(job)
            .setTaskIndex(index)
            .setProtocol("grpc");
    return new ServerTask(definition.build());
  }

  /**
   * What a protocol buffer says, unchanged: a protocol that is empty stays so, and no server is
   * found for it.
   *
   * @throws IllegalArgumentException for a cluster that {@link ClusterSpec} refuses
   */
  public static ServerTask from(ServerDef definition) {
    checkFilters(definition.getDefaultSessionConfig());
    ClusterSpec.from(definition.getCluster());
    return new ServerTask(definition);
  }

  /** This task, served by another protocol than {@code grpc}. */
  public ServerTask withProtocol(String protocol) {
    return new ServerTask(definition.toBuilder().setProtocol(protocol).build());
  }

  /**
   * This task, with other options for the sessions that bring none.
   *
   * @throws IllegalArgumentException for a device filter that TensorFlow cannot read
   */
  public ServerTask withConfig(ConfigProto config) {
    checkFilters(config);
    return new ServerTask(definition.toBuilder().setDefaultSessionConfig(config).build());
  }

  /** TensorFlow lets servers choose ports that the others cannot know. */
  void checkPort() {
    ClusterSpec cluster = cluster();
    if (cluster.hasJob(job())
        && cluster.numTasks(job()) > 1
        && cluster.tasks(job()).values().stream().anyMatch(Addresses::hasOpenPort)) {
      throw new IllegalArgumentException(
          "An explicit server port must be specified when using jobs with multiple replicas; job '"
              + job()
              + "' is "
              + cluster.tasks(job()));
    }
  }

  /** This task, with the port that was bound for it. */
  ServerTask withPort(int port) {
    ClusterSpec.Builder cluster = ClusterSpec.builder();
    ClusterSpec before = cluster();
    for (String job : before.jobs()) {
      Map<Integer, String> tasks = new TreeMap<>(before.tasks(job));
      if (job.equals(job())) {
        tasks.computeIfPresent(
            index(), (index, at) -> at.substring(0, at.lastIndexOf(':') + 1) + port);
      }
      cluster.job(job, tasks);
    }
    return new ServerTask(
        definition.toBuilder().setCluster(cluster.build().toClusterDef()).build());
  }

  /** The cluster. */
  public ClusterSpec cluster() {
    return ClusterSpec.from(definition.getCluster());
  }

  /** The job. */
  public String job() {
    return definition.getJobName();
  }

  /** The index within the job. */
  public int index() {
    return definition.getTaskIndex();
  }

  /** The options for sessions that bring none. */
  public ConfigProto config() {
    return definition.getDefaultSessionConfig();
  }

  /**
   * The address of the task.
   *
   * @throws IllegalArgumentException if the cluster has no such task
   */
  public String address() {
    return cluster().taskAddress(job(), index());
  }

  /** The protocol buffer that TensorFlow's servers are made from. */
  public ServerDef toServerDef() {
    return definition;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ServerTask task && definition.equals(task.definition);
  }

  @Override
  public int hashCode() {
    return definition.hashCode();
  }

  /** The device name of the task: {@code /job:worker/task:1}. */
  @Override
  public String toString() {
    return "/job:" + job() + "/task:" + index();
  }

  /** A server aborts its process for a filter that it cannot read. */
  static void checkFilters(ConfigProto config) {
    for (String filter : config.getDeviceFiltersList()) {
      if (filter.isEmpty() || DeviceName.parse(filter).isEmpty()) {
        throw new IllegalArgumentException(
            "Device filter '"
                + filter
                + "' of a session's configuration is not a device name such as /job:ps or"
                + " /job:worker/task:0/device:GPU:*; a server would abort for it");
      }
    }
  }
}
