package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import org.tensorflow.proto.ConfigProto;

/**
 * How a session on a cluster behaves.
 *
 * @param config TensorFlow's options; its {@code operation_timeout_in_ms} is set from {@code limit}
 * @param limit how long the server may take to accept a connection, and after that how long any
 *     call may take, a step without a limit of its own included; at least a millisecond
 * @param cluster the cluster, from which a message names the tasks that do not answer; may be empty
 */
public record ClusterSessionOptions(ConfigProto config, Duration limit, ClusterSpec cluster) {
  /** How long a call may take unless something else is said. */
  public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

  private static final Duration MOST = Duration.ofDays(1);

  /**
   * Checks limit and device filters.
   *
   * @throws IllegalArgumentException unless the limit is from a millisecond to a day, and for a
   *     device filter that TensorFlow cannot read, for which its server would abort
   */
  public ClusterSessionOptions {
    checkLimit(limit);
    ServerTask.checkFilters(config);
  }

  /** TensorFlow's own options, {@link #DEFAULT_LIMIT}, no cluster. */
  public static ClusterSessionOptions defaults() {
    return new ClusterSessionOptions(
        ConfigProto.getDefaultInstance(), DEFAULT_LIMIT, ClusterSpec.empty());
  }

  /** These, with other options of TensorFlow's. */
  public ClusterSessionOptions withConfig(ConfigProto newConfig) {
    return new ClusterSessionOptions(newConfig, limit, cluster);
  }

  /** These, with another limit. */
  public ClusterSessionOptions withLimit(Duration newLimit) {
    return new ClusterSessionOptions(config, newLimit, cluster);
  }

  /** These, with a cluster to name in messages. */
  public ClusterSessionOptions withCluster(ClusterSpec newCluster) {
    return new ClusterSessionOptions(config, limit, newCluster);
  }

  static void checkLimit(Duration limit) {
    if (limit.toMillis() < 1 || limit.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          "A limit of " + limit + " is not from a millisecond to " + MOST.toDays() + " day");
    }
  }
}
