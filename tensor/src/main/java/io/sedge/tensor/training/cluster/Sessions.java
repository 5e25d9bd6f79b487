package io.sedge.tensor.training.cluster;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.ClusterSessionOptions;
import java.util.Map;
import java.util.TreeMap;
import org.tensorflow.Graph;
import org.tensorflow.proto.ConfigProto;

/**
 * Opens sessions of one graph on the tasks of a cluster. A session sees its own task and the
 * parameter servers and no other worker: TensorFlow would wait for each task that a session can
 * see, those included that are away.
 */
final class Sessions {
  /** The job of a worker that joined, in the sessions on it. */
  private static final String JOINED = "joined";

  /** The cluster that its parameter servers were started with. */
  private final ClusterSpec cluster;

  /** With the workers that there are now. */
  private volatile ClusterSpec current;

  private final Graph graph;
  private final CoordinatorOptions options;

  Sessions(ClusterSpec cluster, Graph graph, CoordinatorOptions options) {
    this.cluster = cluster;
    this.current = cluster;
    this.graph = graph;
    this.options = options;
  }

  /** From now on these workers count; the parameter servers stay. */
  void update(ClusterSpec other) {
    current = other;
  }

  /**
   * On a worker. What has no device runs there.
   *
   * <p>A worker that joined is unknown to the parameter servers, which could send it nothing: the
   * session brings along the cluster that it is of. In that the worker has to have another name
   * than its own, and variables have to be shared with all other sessions.
   */
  ClusterSession onWorker(int task) {
    String address = address(ParameterServerStrategy.WORKER, task);
    if (isOriginal(task, address)) {
      return open(
          address,
          config().addDeviceFilters("/job:" + ParameterServerStrategy.WORKER + "/task:" + task));
    }
    ClusterSpec own =
        ClusterSpec.builder()
            .job(
                ParameterServerStrategy.PS,
                new TreeMap<>(cluster.tasks(ParameterServerStrategy.PS)))
            .job(JOINED, new TreeMap<>(Map.of(task, address)))
            .build();
    ConfigProto.Builder config = options.config().toBuilder().clearDeviceFilters();
    config.setClusterDef(own.toClusterDef());
    config.getExperimentalBuilder().setShareSessionStateInClusterspecPropagation(true);
    return open(address, config);
  }

  private boolean isOriginal(int task, String address) {
    return address.equals(cluster.tasks(ParameterServerStrategy.WORKER).get(task));
  }

  /** On the first parameter server. */
  ClusterSession onParameterServers() {
    return open(address(ParameterServerStrategy.PS, firstParameterServer()), config());
  }

  private int firstParameterServer() {
    return cluster.taskIndices(ParameterServerStrategy.PS).getFirst();
  }

  String address(String job, int task) {
    return current.taskAddress(job, task);
  }

  private ConfigProto.Builder config() {
    return options.config().toBuilder()
        .clearDeviceFilters()
        .addDeviceFilters("/job:" + ParameterServerStrategy.PS);
  }

  private ClusterSession open(String address, ConfigProto.Builder config) {
    ClusterSessionOptions session =
        ClusterSessionOptions.defaults()
            .withConfig(config.build())
            .withLimit(options.stepLimit())
            .withCluster(current);
    return ClusterSession.open("grpc://" + address, graph, session);
  }
}
