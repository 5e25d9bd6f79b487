package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.JobNames;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may be set of every resolver, in place of what it finds out. Immutable.
 *
 * @param taskType the job of this process; null: as the resolver finds it
 * @param taskId the index of this process's task; null: as the resolver finds it
 * @param rpcLayer what goes before addresses, as in {@code grpc://}; null: as the resolver finds
 *     it; empty: nothing
 * @param environment a word for where the program runs
 * @param devices lists the devices for {@code numAccelerators}; null: that cannot be asked
 */
public record ResolverSettings(
    @Nullable String taskType,
    @Nullable Integer taskId,
    @Nullable String rpcLayer,
    String environment,
    @Nullable DeviceLister devices) {
  private static final Pattern LAYER = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)?");

  /** Checks job, index and protocol. */
  public ResolverSettings {
    if (taskType != null) {
      JobNames.check(taskType);
    }
    if (taskId != null && (taskId < 0 || taskId > ClusterSpec.MOST_TASK_INDEX)) {
      throw new IllegalArgumentException(
          "Task index " + taskId + " is not from 0 to " + ClusterSpec.MOST_TASK_INDEX);
    }
    if (rpcLayer != null && !LAYER.matcher(rpcLayer).matches()) {
      throw new IllegalArgumentException(
          "RPC layer '" + rpcLayer + "' is not a protocol such as grpc, without ://");
    }
  }

  /** Nothing set. */
  public static ResolverSettings defaults() {
    return new ResolverSettings(null, null, null, "", null);
  }

  /** These settings for another task. */
  public ResolverSettings withTask(@Nullable String type, @Nullable Integer id) {
    return new ResolverSettings(type, id, rpcLayer, environment, devices);
  }

  /** These settings with another protocol. */
  public ResolverSettings withRpcLayer(@Nullable String layer) {
    return new ResolverSettings(taskType, taskId, layer, environment, devices);
  }

  /** These settings with another word for where the program runs. */
  public ResolverSettings withEnvironment(String word) {
    return new ResolverSettings(taskType, taskId, rpcLayer, word, devices);
  }

  /** These settings with a way to list devices. */
  public ResolverSettings withDevices(@Nullable DeviceLister lister) {
    return new ResolverSettings(taskType, taskId, rpcLayer, environment, lister);
  }
}
