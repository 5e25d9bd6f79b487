package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.DeviceSpec;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.ConfigProto;

/**
 * Clusters of servers in this process, which stay until it ends. They share the threads that the
 * first one made, and TensorFlow waits for other servers in those: with one for each of two
 * processors all may wait for a thread.
 */
final class Clusters {
  private static final ConfigProto THREADS =
      ConfigProto.newBuilder().setInterOpParallelismThreads(16).build();

  private Clusters() {}

  /** Starts the servers of a job. */
  static ClusterSpec inProcess(String job, int tasks) {
    List<String> addresses = new ArrayList<>();
    Ports.unused(tasks).forEach(port -> addresses.add("127.0.0.1:" + port));
    ClusterSpec cluster = ClusterSpec.builder().job(job, addresses).build();
    for (int i = 0; i < tasks; i++) {
      Server.start(ServerTask.of(cluster, job, i).withConfig(THREADS));
    }
    return cluster;
  }

  static Ops on(Ops tf, String job, int task) {
    return tf.withDevice(DeviceSpec.newBuilder().job(job).task(task).build());
  }

  static String address(Server server) {
    return server.target().substring("grpc://".length());
  }
}
