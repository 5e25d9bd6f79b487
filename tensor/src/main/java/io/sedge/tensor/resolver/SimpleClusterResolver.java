package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A resolver for a cluster that is known. Like TensorFlow's {@code SimpleClusterResolver}. */
public final class SimpleClusterResolver extends SettledResolver {
  private final ClusterSpec cluster;
  private final String master;
  private final Map<String, Integer> accelerators;

  /** A resolver without a master and without accelerators. */
  public SimpleClusterResolver(ClusterSpec cluster) {
    this(cluster, "", Map.of(), ResolverSettings.defaults());
  }

  /**
   * A resolver with everything.
   *
   * @param master the address that {@link #master()} gives; empty for none
   * @param accelerators what {@link #numAccelerators()} gives for every task
   */
  public SimpleClusterResolver(
      ClusterSpec cluster,
      String master,
      Map<String, Integer> accelerators,
      ResolverSettings settings) {
    super(settings);
    this.cluster = cluster;
    this.master = master;
    this.accelerators = Map.copyOf(accelerators);
  }

  @Override
  public ClusterSpec clusterSpec() {
    return cluster;
  }

  /**
   * The address of the task asked for if both type and index are given, else the given master. The
   * protocol is put before an empty master too, as TensorFlow does.
   */
  @Override
  public String master(
      @Nullable String taskType, @Nullable Integer taskId, @Nullable String rpcLayer) {
    return taskType == null || taskId == null
        ? url(rpcLayer, master)
        : url(rpcLayer, address(cluster, "the cluster", Reason.INVALID, taskType, taskId));
  }

  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    return accelerators;
  }

  @Override
  public SimpleClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return with(settings.withTask(taskType, taskId));
  }

  @Override
  public SimpleClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return with(settings.withRpcLayer(rpcLayer));
  }

  private SimpleClusterResolver with(ResolverSettings changed) {
    return new SimpleClusterResolver(cluster, master, accelerators, changed);
  }
}
