package io.sedge.tensor.training.cluster;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.Ports;
import io.sedge.tensor.runtime.Server;
import io.sedge.tensor.runtime.ServerTask;
import java.util.List;
import org.tensorflow.proto.ConfigProto;

/**
 * A cluster within the JVM of a test: quick to start; stays until the JVM ends, since TensorFlow
 * cannot end a server.
 */
public final class LocalCluster {
  private LocalCluster() {}

  /** Starts so many parameter servers and workers. */
  public static ClusterSpec start(int parameterServers, int workers) {
    ClusterSpec cluster = spec(parameterServers, workers);
    for (String job : cluster.jobs()) {
      for (int task : cluster.taskIndices(job)) {
        start(cluster, job, task);
      }
    }
    return cluster;
  }

  /** Starts one task. */
  public static void start(ClusterSpec cluster, String job, int task) {
    ConfigProto config = ConfigProto.newBuilder().setInterOpParallelismThreads(16).build();
    Server.start(ServerTask.of(cluster, job, task).withConfig(config));
  }

  /** A cluster of ports that are free, now. */
  public static ClusterSpec spec(int parameterServers, int workers) {
    List<String> addresses =
        Ports.unused(parameterServers + workers).stream().map(port -> "127.0.0.1:" + port).toList();
    return ClusterSpec.builder()
        .job("ps", addresses.subList(0, parameterServers).toArray(String[]::new))
        .job("worker", addresses.subList(parameterServers, addresses.size()).toArray(String[]::new))
        .build();
  }
}
