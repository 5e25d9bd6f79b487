package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;

/** A server as a process, and sessions on it. Rows M and JV of the conformance file. */
class ServerProcessTest {
  @Test
  void aVariableLivesInTheProcessAndGoesWithIt() {
    ClusterSpec cluster =
        ClusterSpec.builder().job("ps", "127.0.0.1:" + Ports.unused(1).getFirst()).build();
    ServerTask task = ServerTask.of(cluster);
    ClusterSessionOptions options =
        ClusterSessionOptions.defaults().withLimit(Duration.ofSeconds(5)).withCluster(cluster);

    try (Graph graph = new Graph()) {
      Ops tf =
          Ops.create(graph)
              .withDevice(org.tensorflow.DeviceSpec.newBuilder().job("ps").task(0).build());
      Variable<TFloat32> variable = tf.variable(tf.constant(1f), Variable.sharedName("v"));
      String init = tf.assign(variable, tf.constant(1f)).op().name();
      String add = tf.assignAdd(variable, tf.constant(2f)).op().name();

      ServerProcess server = ServerProcess.start(task);
      try (ClusterSession first = ClusterSession.open(server.target(), graph, options);
          ClusterSession second = ClusterSession.open(server.target(), graph, options)) {
        first.run(init);
        first.run(add);
        assertThat(value(second, variable)).isEqualTo(3f);

        server.close();
        assertThat(server.isAlive()).isFalse();
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> value(first, variable))
            .satisfies(e -> assertThat(e.isServerLost()).isTrue())
            .withMessageContaining("nobody answers as /job:ps/task:0 at 127.0.0.1:");
      }
      try (ServerProcess again = ServerProcess.start(task);
          ClusterSession session = ClusterSession.open(again.target(), graph, options)) {
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> value(session, variable))
            .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.FAILED_PRECONDITION));
      }
    }
  }

  private static float value(ClusterSession session, Variable<TFloat32> variable) {
    try (Result result = session.step().fetch(variable).run()) {
      return ((TFloat32) result.get(0)).getFloat();
    }
  }
}
