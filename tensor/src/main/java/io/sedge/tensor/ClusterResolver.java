package io.sedge.tensor;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, where a program runs, which cluster it belongs to. Like TensorFlow's {@code
 * tf.distribute.cluster_resolver.ClusterResolver}.
 *
 * <p>Every method looks anew at each call and remembers nothing, so that the answer is up to date;
 * two calls may therefore differ. Resolvers are immutable and may be shared by threads; a method
 * may block for as long as what it asks over the network takes.
 *
 * <p>What the place where the program runs does not tell, or tells wrongly, is a {@link
 * ClusterResolutionException}, which says whether asking again can help.
 */
public interface ClusterResolver {
  /**
   * The cluster as it is now.
   *
   * @throws ClusterResolutionException if it cannot be found out
   */
  ClusterSpec clusterSpec();

  /**
   * The address of the master for a session or a connection: that of the task asked for, where both
   * type and index are given, else what the resolver takes for the master. Empty where that is this
   * process.
   *
   * @param taskType the job; null: the resolver's choice
   * @param taskId the task's index; null: the resolver's choice
   * @param rpcLayer what to put before the address, as in {@code grpc://}; null: {@link #rpcLayer}
   * @throws ClusterResolutionException if the cluster cannot be found out, or has no such task
   */
  String master(@Nullable String taskType, @Nullable Integer taskId, @Nullable String rpcLayer);

  /** The address of the resolver's own choice of master. */
  default String master() {
    return master(null, null, null);
  }

  /** The address of a task, with the resolver's own {@link #rpcLayer}. */
  default String master(String taskType, int taskId) {
    return master(taskType, taskId, null);
  }

  /**
   * How many accelerators (devices that are no CPU) of each type are visible.
   *
   * @param taskType with {@code taskId}, counts only the devices of this task
   * @param taskId with {@code taskType}, counts only the devices of this task
   * @throws ClusterResolutionException if the devices cannot be listed
   */
  Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId);

  /** How many accelerators of each type are visible to this task. */
  default Map<String, Integer> numAccelerators() {
    return numAccelerators(null, null);
  }

  /** The job that this process is a task of; null if unknown. */
  @Nullable String taskType();

  /** The index of this process's task; null if unknown. */
  @Nullable Integer taskId();

  /** The protocol that {@link #master} puts before addresses; null or empty for none. */
  @Nullable String rpcLayer();

  /** A word for where the program runs, for example {@code google}; empty if unknown. */
  String environment();

  /** This resolver for another task of the same cluster. */
  ClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId);

  /** This resolver with another protocol before its addresses. */
  ClusterResolver withRpcLayer(@Nullable String rpcLayer);
}
