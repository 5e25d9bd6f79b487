package io.sedge.tensor.training.cluster;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.ClusterSessionOptions;
import org.tensorflow.Graph;
import org.tensorflow.proto.ConfigProto;

/**
 * Opens sessions of one graph on the tasks of a cluster. A session sees its own task and the
 * parameter servers and no other worker: TensorFlow would wait for each task that a session can
 * see, those included that are away.
 */
final class Sessions {
  private final ClusterSpec cluster;
  private final Graph graph;
  private final CoordinatorOptions options;

  Sessions(ClusterSpec cluster, Graph graph, CoordinatorOptions options) {
    this.cluster = cluster;
    this.graph = graph;
    this.options = options;
  }

  /** On a worker. What has no device runs there. */
  ClusterSession onWorker(int task) {
    return open(
        address(ParameterServerStrategy.WORKER, task),
        config().addDeviceFilters("/job:" + ParameterServerStrategy.WORKER + "/task:" + task));
  }

  /** On the first parameter server. */
  ClusterSession onParameterServers() {
    return open(address(ParameterServerStrategy.PS, firstParameterServer()), config());
  }

  private int firstParameterServer() {
    return cluster.taskIndices(ParameterServerStrategy.PS).getFirst();
  }

  String address(String job, int task) {
    return cluster.taskAddress(job, task);
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
            .withCluster(cluster);
    return ClusterSession.open("grpc://" + address, graph, session);
  }
}
