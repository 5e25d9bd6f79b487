package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.DeviceSpec;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.NodeExecStats;
import org.tensorflow.proto.OptimizerOptions;
import org.tensorflow.proto.RunOptions;
import org.tensorflow.types.TFloat32;

/**
 * Rows CP-..: servers that know of no cluster are made one by the configuration of a session. Not a
 * {@link io.sedge.tensor.ClusterSpec} each time, since two tasks of one server are not one.
 */
class ClusterSpecPropagationTest {
  private static final String WORKER = "/job:worker/replica:0/task:%d/device:CPU:0";
  private static Server one;
  private static Server two;
  private static Server three;

  @BeforeAll
  static void startServers() {
    ConfigProto twoProcessors = ConfigProto.newBuilder().putDeviceCount("CPU", 2).build();
    one = Server.createLocal(twoProcessors, true);
    two = Server.createLocal(twoProcessors, true);
    three = Server.createLocal(twoProcessors, true);
  }

  private static ClusterSessionOptions cluster(Server... servers) {
    JobDef.Builder job = JobDef.newBuilder().setName("worker");
    for (int i = 0; i < servers.length; i++) {
      job.putTasks(i, Clusters.address(servers[i]));
    }
    ConfigProto.Builder config =
        ConfigProto.newBuilder().setClusterDef(ClusterDef.newBuilder().addJob(job));
    // Constants would be folded into one, somewhere.
    config
        .getGraphOptionsBuilder()
        .getOptimizerOptionsBuilder()
        .setOptLevel(OptimizerOptions.Level.L0);
    config.getGraphOptionsBuilder().getRewriteOptionsBuilder().setDisableMetaOptimizer(true);
    return with(config);
  }

  private static ClusterSessionOptions with(ConfigProto.Builder config) {
    return ClusterSessionOptions.defaults().withConfig(config.build());
  }

  /** The devices on which constants ran, in a step that is watched. */
  private static List<String> devicesOfConstants(
      ClusterSession session, Operand<TFloat32> fetched) {
    List<String> devices = new ArrayList<>();
    RunOptions watched =
        RunOptions.newBuilder().setTraceLevel(RunOptions.TraceLevel.FULL_TRACE).build();
    try (Result result = session.step().fetch(fetched).options(watched).runWithMetadata()) {
      for (DeviceStepStats device :
          result.getMetadata().orElseThrow().getStepStats().getDevStatsList()) {
        for (NodeExecStats node : device.getNodeStatsList()) {
          if (node.getNodeName().startsWith("Const")) {
            devices.add(device.getDevice());
          }
        }
      }
    }
    return devices;
  }

  /** CP-01. */
  @Test
  void aSessionMakesAClusterOfServersThatKnowNothingOfEachOther() {
    try (Graph graph = new Graph()) {
      Operand<TFloat32> value = Ops.create(graph).constant(17f);
      try (ClusterSession session = ClusterSession.open(one.target(), graph, cluster(one, two))) {
        assertThat(Values.floats(session, value)).containsExactly(17);
        assertThat(session.devices()).hasSize(4);
      }
    }
  }

  /** CP-02, CP-03, CP-07. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void operationsRunWhereTheyArePlaced(int task) {
    try (Graph graph = new Graph()) {
      Operand<TFloat32> value =
          Ops.create(graph)
              .withDevice(
                  DeviceSpec.newBuilder()
                      .job("worker")
                      .task(task)
                      .deviceType(DeviceSpec.DeviceType.CPU)
                      .deviceIndex(0)
                      .build())
              .constant(17f);
      try (ClusterSession session = ClusterSession.open(one.target(), graph, cluster(one, two))) {
        assertThat(Values.floats(session, value)).containsExactly(17);
        assertThat(devicesOfConstants(session, value)).containsExactly(WORKER.formatted(task));
      }
    }
  }

  /** CP-06. */
  @Test
  void aTaskCanHaveSeveralDevices() {
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      Operand<TFloat32> sum = tf.constant(0f);
      for (int task = 0; task < 2; task++) {
        Operand<TFloat32> first = cpu(tf, task, 0).constant(17f);
        Operand<TFloat32> second = cpu(tf, task, 1).constant(3f);
        sum = tf.math.add(sum, cpu(tf, task, 1).math.add(first, second));
      }
      try (ClusterSession session = ClusterSession.open(one.target(), graph, cluster(one, two))) {
        assertThat(Values.floats(session, sum)).containsExactly(40);
      }
    }
  }

  private static Ops cpu(Ops tf, int task, int index) {
    return tf.withDevice(
        DeviceSpec.newBuilder()
            .job("worker")
            .task(task)
            .deviceType(DeviceSpec.DeviceType.CPU)
            .deviceIndex(index)
            .build());
  }

  /** CP-10: the master is the last task. */
  @Test
  void threeServersAreOneCluster() {
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      List<Operand<TFloat32>> parts = new ArrayList<>();
      for (int task = 0; task < 3; task++) {
        parts.add(Clusters.on(tf, "worker", task).constant(2f));
      }
      Operand<TFloat32> sum = tf.math.addN(parts);
      try (ClusterSession session =
          ClusterSession.open(three.target(), graph, cluster(one, two, three))) {
        assertThat(Values.floats(session, sum)).containsExactly(6);
        assertThat(devicesOfConstants(session, sum))
            .containsExactlyInAnyOrder(
                WORKER.formatted(0), WORKER.formatted(1), WORKER.formatted(2));
      }
    }
  }

  private record Variable(Op assign, Placeholder<TFloat32> value, Operand<TFloat32> read) {
    static Variable in(Ops tf, String name) {
      VarHandleOp handle =
          tf.varHandleOp(TFloat32.class, Shape.unknown(), VarHandleOp.sharedName(name));
      Placeholder<TFloat32> value = tf.placeholder(TFloat32.class);
      return new Variable(
          tf.assignVariableOp(handle, value), value, tf.readVariableOp(handle, TFloat32.class));
    }

    void set(ClusterSession session, float... to) {
      try (TFloat32 tensor = TFloat32.vectorOf(to)) {
        session.step().feed(value, tensor).target(assign).run().close();
      }
    }

    void isUnset(ClusterSession session) {
      assertThatExceptionOfType(TensorFlowStatusException.class)
          .isThrownBy(() -> Values.floats(session, read))
          .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.FAILED_PRECONDITION));
    }
  }

  /** CP-08, CP-09: two clusters with one master; a variable of one is not the other's. */
  @Test
  void twoClustersOfOneMasterShareNothing() {
    try (Graph graph = new Graph()) {
      Variable variable = Variable.in(Clusters.on(Ops.create(graph), "worker", 1), "cp08");
      try (ClusterSession first = ClusterSession.open(one.target(), graph, cluster(one, two));
          ClusterSession second = ClusterSession.open(one.target(), graph, cluster(one, three))) {
        variable.set(first, 1, 1);
        variable.isUnset(second);
        variable.set(second, 5, 5);
        assertThat(Values.floats(first, variable.read())).containsExactly(1, 1);
        variable.set(first, 2, 2);
        assertThat(Values.floats(first, variable.read())).containsExactly(2, 2);
        assertThat(Values.floats(second, variable.read())).containsExactly(5, 5);
      }
    }
  }

  /** CP-11. */
  @Test
  void sessionsWithAClusterOfTheirOwnAreIsolated() {
    try (Graph graph = new Graph()) {
      Variable variable = Variable.in(Ops.create(graph), "cp11");
      try (ClusterSession second = ClusterSession.open(one.target(), graph, cluster(one))) {
        try (ClusterSession first = ClusterSession.open(one.target(), graph, cluster(one))) {
          variable.set(first, 37);
          variable.isUnset(second);
          variable.set(second, 86);
          assertThat(Values.floats(first, variable.read())).containsExactly(37);
        }
        assertThat(Values.floats(second, variable.read())).containsExactly(86);
        try (ClusterSession third = ClusterSession.open(one.target(), graph, cluster(one))) {
          variable.isUnset(third);
        }
      }
    }
  }

  /** CP-12, CP-13: unless they are told to share, by name, over graphs and over their end. */
  @Test
  void sessionsWithAClusterShareIfTheyAreToldTo() {
    ConfigProto.Builder config = cluster(one).config().toBuilder();
    config.getExperimentalBuilder().setShareSessionStateInClusterspecPropagation(true);
    ClusterSessionOptions sharing = with(config);
    try (Graph graph = new Graph();
        Graph other = new Graph()) {
      Variable variable = Variable.in(Ops.create(graph), "cp12");
      Variable same = Variable.in(Ops.create(other), "cp12");
      try (ClusterSession second = ClusterSession.open(one.target(), other, sharing)) {
        try (ClusterSession first = ClusterSession.open(one.target(), graph, sharing)) {
          variable.set(first, 1, 1);
          assertThat(Values.floats(second, same.read())).containsExactly(1, 1);
          same.set(second, 2, 2);
          assertThat(Values.floats(first, variable.read())).containsExactly(2, 2);
        }
        assertThat(Values.floats(second, same.read())).containsExactly(2, 2);
      }
    }
  }
}
