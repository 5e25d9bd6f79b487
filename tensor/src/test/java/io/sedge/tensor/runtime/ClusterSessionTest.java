package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.op.io.FifoQueue;
import org.tensorflow.op.io.QueueDequeue;
import org.tensorflow.op.linalg.MatMul;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.RpcOptions.RPCOptions;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.family.TType;

/** Rows SV-.. on sessions. */
class ClusterSessionTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static Server local;

  @BeforeAll
  static void startServer() {
    local = Server.createLocal();
  }

  private static ClusterSessionOptions rpc() {
    return ClusterSessionOptions.defaults()
        .withConfig(
            ConfigProto.newBuilder()
                .setRpcOptions(RPCOptions.newBuilder().setUseRpcForInprocessMaster(true))
                .build());
  }

  private static void assertCode(StatusCode code, Runnable call) {
    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(code));
  }

  private static MatMul<TFloat32> product(Ops tf) {
    return tf.linalg.matMul(
        tf.constant(new float[][] {{2, 1}}), tf.constant(new float[][] {{1}, {2}}));
  }

  /** SV-01, SV-02, JV-05. */
  @Test
  void twoSessionsOnOneServerRunStepsAndCloseCleanly() {
    try (Graph graph = new Graph()) {
      MatMul<TFloat32> product = product(Ops.create(graph));
      ClusterSession first = ClusterSession.open(local.target(), graph);
      ClusterSession second = ClusterSession.open(local.target(), graph);
      assertThat(Values.floats(first, product)).containsExactly(4f);
      assertThat(Values.floats(second, product)).containsExactly(4f);
      first.close();
      second.close();
      first.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> Values.floats(first, product))
          .withMessage("The session on " + local.target() + " was closed");
    }
  }

  /** SV-03 where TensorFlow looks for a kind of session of that name. */
  @ParameterizedTest
  @ValueSource(strings = {"nonexistent", "", "grpc://localhost", "http://localhost:1"})
  void aTargetThatIsNoneIsRefused(String target) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterSession.reset(target, SOON, "test0"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> {
              try (Graph graph = new Graph()) {
                ClusterSession.open(target, graph).close();
              }
            });
  }

  /** SV-04, where port 0 could never answer; here, one where nobody listens. */
  @Test
  void aServerThatIsNotThereIsNamedWithTheTimeItWasTried() {
    String target = "grpc://localhost:" + Ports.unused(1).getFirst();

    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(() -> ClusterSession.reset(target, Duration.ofMillis(5), "test0"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.UNAVAILABLE))
        .withMessageContaining("No server answers at " + target.substring("grpc://".length()))
        .withMessageContaining("tried for 5 ms");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterSession.reset("grpc://localhost:0", SOON))
        .withMessageContaining("whose port nobody can dial");
  }

  /** Variables of two containers, and what is needed to read and write them. */
  private record Two(
      Operand<?> v0, Operand<?> v1, Op init, Operand<TFloat32> read0, Operand<TFloat32> read1) {
    static Two in(Ops tf, String container0, String container1, String names) {
      VarHandleOp v0 =
          tf.varHandleOp(
              TFloat32.class,
              Shape.scalar(),
              VarHandleOp.container(container0).sharedName(names + 0));
      VarHandleOp v1 =
          tf.varHandleOp(
              TFloat32.class,
              Shape.scalar(),
              VarHandleOp.container(container1).sharedName(names + 1));
      Op first = tf.assignVariableOp(v0, tf.constant(1f));
      Op second = tf.assignVariableOp(v1, tf.constant(2f));
      Op init = tf.withControlDependencies(List.of(first, second)).noOp();
      return new Two(
          v0,
          v1,
          init,
          tf.readVariableOp(v0, TFloat32.class),
          tf.readVariableOp(v1, TFloat32.class));
    }
  }

  /** SV-05. */
  @Test
  void resettingAnotherContainerLeavesVariables() {
    Server server = Server.createLocal();
    try (Graph graph = new Graph()) {
      Two two = Two.in(Ops.create(graph), "test0", "", "sv05-");
      try (ClusterSession session = ClusterSession.open(server.target(), graph)) {
        session.step().target(two.init()).run().close();
      }
      ClusterSession.reset(server.target(), SOON, "test1");
      try (ClusterSession session = ClusterSession.open(server.target(), graph)) {
        assertThat(Values.floats(session, two.read0())).containsExactly(1f);
        assertThat(Values.floats(session, two.read1())).containsExactly(2f);
      }
    }
  }

  /** SV-23. */
  @Test
  void resettingAContainerClearsItAndAbortsOpenSessions() {
    Server server = Server.createLocal();
    try (Graph graph = new Graph()) {
      Two two = Two.in(Ops.create(graph), "test0", "test1", "sv23-");
      try (ClusterSession old = ClusterSession.open(server.target(), graph)) {
        old.step().target(two.init()).run().close();

        ClusterSession.reset(server.target(), SOON, "test0");
        assertCode(StatusCode.ABORTED, () -> Values.floats(old, two.read0()));
      }
      try (ClusterSession session = ClusterSession.open(server.target(), graph)) {
        assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(session, two.read0()));
        assertThat(Values.floats(session, two.read1())).containsExactly(2f);
      }
    }
  }

  /** SV-24, SV-26. */
  @Test
  void variablesAreTheServersUntilItIsReset() {
    Server server = Server.createLocal();
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      Two two = Two.in(tf, "", "", "sv24-");
      Operand<TFloat32> product = tf.math.mul(two.read0(), two.read1());
      try (ClusterSession first = ClusterSession.open(server.target(), graph);
          ClusterSession second = ClusterSession.open(server.target(), graph)) {
        first.step().target(two.init()).run().close();
        assertThat(Values.floats(first, product)).containsExactly(2f);
        assertThat(Values.floats(second, product)).containsExactly(2f);

        ClusterSession.reset(server.target(), SOON);
        assertCode(StatusCode.ABORTED, () -> Values.floats(second, product));
      }
      try (ClusterSession third = ClusterSession.open(server.target(), graph)) {
        assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(third, product));
        third.step().target(two.init()).run().close();
        assertThat(Values.floats(third, product)).containsExactly(2f);
      }
    }
  }

  /** SV-06, SV-07, SV-08: 120 MB in each direction, over gRPC although in one process. */
  @Test
  void largeTensorsGoBothWays() {
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      Operand<TFloat32> large = tf.fill(tf.constant(new int[] {10_000, 3_000}), tf.constant(0.5f));
      Placeholder<TFloat32> fed = tf.placeholder(TFloat32.class);
      Operand<TFloat32> least = tf.min(fed, tf.constant(new int[] {0, 1}));
      Operand<TFloat32> most = tf.max(fed, tf.constant(new int[] {0, 1}));
      try (ClusterSession session = ClusterSession.open(local.target(), graph, rpc());
          Result result = session.step().fetch(large).run()) {
        TFloat32 value = (TFloat32) result.get(0);
        assertThat(value.shape()).isEqualTo(Shape.of(10_000, 3_000));
        assertThat(value.getFloat(0, 0)).isEqualTo(0.5f);
        assertThat(value.getFloat(9_999, 2_999)).isEqualTo(0.5f);
        try (Result extremes = session.step().feed(fed, value).fetch(least).fetch(most).run()) {
          assertThat(((TFloat32) extremes.get(0)).getFloat()).isEqualTo(0.5f);
          assertThat(((TFloat32) extremes.get(1)).getFloat()).isEqualTo(0.5f);
        }
      }
    }
  }

  /** SV-13. */
  @Test
  void aMasterThatWasStartedAnewTakesTheWorkerFromTheOldOne() {
    Server worker = Server.createLocal();
    Server masterOld = Server.createLocal();
    Server masterNew = Server.createLocal();
    try (Graph graph = new Graph()) {
      Ops tf = Clusters.on(Ops.create(graph), "worker", 0);
      Operand<TFloat32> one = tf.constant(1f);
      Operand<TFloat32> sum = tf.math.add(one, one);
      List<DeviceName> both =
          List.of(
              DeviceName.of("/job:master/replica:0/task:0/device:CPU:0"),
              DeviceName.of("/job:worker/replica:0/task:0/device:CPU:0"));
      try (ClusterSession old = open(masterOld, worker, graph)) {
        assertThat(old.devices()).containsAll(both);
        try (ClusterSession current = open(masterNew, worker, graph)) {
          assertThat(current.devices()).containsAll(both);
          assertThat(Values.floats(current, sum)).containsExactly(2f);
          assertThatExceptionOfType(TensorFlowStatusException.class)
              .isThrownBy(() -> Values.floats(old, sum))
              .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.ABORTED))
              .withMessageContaining("Session handle is not found");
        }
      }
    }
  }

  private static ClusterSession open(Server master, Server worker, Graph graph) {
    ClusterDef cluster =
        ClusterDef.newBuilder()
            .addJob(JobDef.newBuilder().setName("master").putTasks(0, Clusters.address(master)))
            .addJob(JobDef.newBuilder().setName("worker").putTasks(0, Clusters.address(worker)))
            .build();
    return ClusterSession.open(
        master.target(),
        graph,
        ClusterSessionOptions.defaults()
            .withConfig(ConfigProto.newBuilder().setClusterDef(cluster).build()));
  }

  private static QueueDequeue blocking(Ops tf) {
    FifoQueue queue = tf.io.fifoQueue(List.<Class<? extends TType>>of(TFloat32.class));
    return tf.io.queueDequeue(queue, List.<Class<? extends TType>>of(TFloat32.class));
  }

  /** SV-15. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStepThatTakesTooLongEnds(boolean overRpc) {
    ClusterSessionOptions options = overRpc ? rpc() : ClusterSessionOptions.defaults();
    try (Graph graph = new Graph()) {
      QueueDequeue blocking = blocking(Ops.create(graph));
      try (ClusterSession session = ClusterSession.open(local.target(), graph, options)) {
        assertCode(
            StatusCode.DEADLINE_EXCEEDED,
            () -> session.step().target(blocking).limit(Duration.ofMillis(300)).run());
      }
      try (ClusterSession session =
          ClusterSession.open(local.target(), graph, options.withLimit(Duration.ofMillis(300)))) {
        assertCode(StatusCode.DEADLINE_EXCEEDED, () -> session.step().target(blocking).run());
      }
    }
  }

  /** Closing is the way to give up a step; the native session is not freed under it. */
  @Test
  void closingEndsTheStepsThatRun() throws Exception {
    try (Graph graph = new Graph()) {
      QueueDequeue blocking = blocking(Ops.create(graph));
      ClusterSession session = ClusterSession.open(local.target(), graph);
      CompletableFuture<StatusCode> seen = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  session.step().target(blocking).run();
                } catch (TensorFlowStatusException e) {
                  seen.complete(e.code());
                }
              });
      Waiting.until(SOON, () -> session.running() == 1);

      session.close();

      assertThat(seen.get(SOON.toSeconds(), TimeUnit.SECONDS))
          .as("the last one if it was closed before the step was in TensorFlow's hands")
          .isIn(StatusCode.CANCELLED, StatusCode.ABORTED, StatusCode.FAILED_PRECONDITION);
    }
  }

  /** A process that was stopped accepts connections, and never says anything. */
  @Test
  void aServerThatNeverAnswersIsGivenUp() throws Exception {
    ServerTask task = ServerTask.of(ClusterSpec.builder().job("a", "127.0.0.1:0").build());
    try (ServerProcess server = ServerProcess.start(task);
        Graph graph = new Graph()) {
      MatMul<TFloat32> product = product(Ops.create(graph));
      assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(server.pid())).start().waitFor())
          .isZero();
      ClusterSessionOptions patient =
          ClusterSessionOptions.defaults().withLimit(Duration.ofMillis(500));
      try (ClusterSession session = ClusterSession.open(server.target(), graph, patient)) {
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> Values.floats(session, product))
            .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.DEADLINE_EXCEEDED))
            .withMessageContaining("session on " + server.target() + ", limit PT0.5S");
      }
    }
  }

  /** A worker that is not there keeps the master waiting; the message says which it is. */
  @Test
  void theTaskThatDoesNotAnswerIsNamed() {
    List<Integer> ports = Ports.unused(2);
    ClusterSpec cluster =
        ClusterSpec.builder()
            .job("ps", "127.0.0.1:" + ports.get(0))
            .job("worker", "127.0.0.1:" + ports.get(1))
            .build();
    Server ps = Server.start(ServerTask.of(cluster, "ps"));
    try (Graph graph = new Graph()) {
      MatMul<TFloat32> product = product(Ops.create(graph));
      ClusterSessionOptions options =
          ClusterSessionOptions.defaults().withLimit(Duration.ofMillis(500)).withCluster(cluster);
      try (ClusterSession session = ClusterSession.open(ps.target(), graph, options)) {
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> Values.floats(session, product))
            .satisfies(e -> assertThat(e.isServerLost()).isTrue())
            .withMessageContaining(
                "nobody answers as /job:worker/task:0 at 127.0.0.1:" + ports.get(1));
      }
    }
  }

  /** SV-18, SV-19, SV-20. */
  @Test
  void isolatedSessionsShareNothing() {
    Server server = Server.createLocal();
    ClusterSessionOptions alone =
        ClusterSessionOptions.defaults()
            .withConfig(ConfigProto.newBuilder().setIsolateSessionState(true).build());
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      VarHandleOp v =
          tf.varHandleOp(TFloat32.class, Shape.scalar(), VarHandleOp.sharedName("sv18"));
      Placeholder<TFloat32> fed = tf.placeholder(TFloat32.class);
      Op assign = tf.assignVariableOp(v, fed);
      Operand<TFloat32> read = tf.readVariableOp(v, TFloat32.class);
      try (ClusterSession sharing0 = ClusterSession.open(server.target(), graph);
          ClusterSession sharing1 = ClusterSession.open(server.target(), graph);
          ClusterSession isolated0 = ClusterSession.open(server.target(), graph, alone);
          ClusterSession isolated1 = ClusterSession.open(server.target(), graph, alone)) {
        for (ClusterSession session : List.of(sharing0, sharing1, isolated0, isolated1)) {
          assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(session, read));
        }
        assign(sharing0, assign, fed, 86);
        assertThat(Values.floats(sharing0, read)).containsExactly(86f);
        assertThat(Values.floats(sharing1, read)).containsExactly(86f);
        assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(isolated0, read));
        assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(isolated1, read));
        assign(sharing1, assign, fed, 99);
        assign(isolated0, assign, fed, 37);
        assign(isolated1, assign, fed, 19);
        assertThat(Values.floats(sharing0, read)).containsExactly(99f);
        assertThat(Values.floats(isolated0, read)).containsExactly(37f);
        assertThat(Values.floats(isolated1, read)).containsExactly(19f);
      }
    }
  }

  private static void assign(
      ClusterSession session, Op assign, Placeholder<TFloat32> fed, float value) {
    try (TFloat32 tensor = TFloat32.scalarOf(value)) {
      session.step().feed(fed, tensor).target(assign).run().close();
    }
  }

  /** SV-21. */
  @Test
  void aVariableCanChangeItsShapeInAnotherGraph() {
    Server server = Server.createLocal();
    ClusterSessionOptions alone =
        ClusterSessionOptions.defaults()
            .withConfig(ConfigProto.newBuilder().setIsolateSessionState(true).build());
    try (Graph first = new Graph();
        Graph second = new Graph();
        Graph third = new Graph()) {
      try (ClusterSession session = ClusterSession.open(server.target(), first)) {
        W w = W.in(Ops.create(first), 1, 2, 3);
        session.step().target(w.init()).run().close();
        assertThat(Values.floats(session, w.read())).containsExactly(1, 2, 3);
      }
      try (ClusterSession session = ClusterSession.open(server.target(), second)) {
        W w = W.in(Ops.create(second), 4, 5, 6);
        assertThat(Values.floats(session, w.read())).containsExactly(1, 2, 3);
        session.step().target(w.init()).run().close();
        assertThat(Values.floats(session, w.read())).containsExactly(4, 5, 6);
      }
      try (ClusterSession session = ClusterSession.open(server.target(), third, alone)) {
        W w = W.in(Ops.create(third), 37);
        assertCode(StatusCode.FAILED_PRECONDITION, () -> Values.floats(session, w.read()));
        session.step().target(w.init()).run().close();
        assertThat(Values.floats(session, w.read())).containsExactly(37);
      }
    }
  }

  private record W(Op init, Operand<TFloat32> read) {
    static W in(Ops tf, float... values) {
      VarHandleOp w =
          tf.varHandleOp(TFloat32.class, Shape.of(values.length), VarHandleOp.sharedName("w"));
      return new W(
          tf.assignVariableOp(w, tf.constant(values)), tf.readVariableOp(w, TFloat32.class));
    }
  }

  /** An operation of another graph would be read as this one's memory. */
  @Test
  void whatIsNotOfTheGraphIsRefused() {
    try (Graph graph = new Graph();
        Graph other = new Graph()) {
      MatMul<TFloat32> product = product(Ops.create(other));
      try (ClusterSession session = ClusterSession.open(local.target(), graph)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> session.step().fetch(product))
            .withMessageContaining("is not of the graph of the session on");
        assertThatIllegalArgumentException().isThrownBy(() -> session.step().fetch("nothing:0"));
        assertThatIllegalArgumentException().isThrownBy(() -> session.run("nothing"));
      }
    }
  }

  @Test
  void aTensorOrGraphThatWasClosedIsRefused() {
    Graph graph = new Graph();
    Ops tf = Ops.create(graph);
    Placeholder<TFloat32> fed = tf.placeholder(TFloat32.class);
    TFloat32 tensor = TFloat32.scalarOf(1f);
    tensor.close();
    try (ClusterSession session = ClusterSession.open(local.target(), graph)) {
      assertThatIllegalStateException()
          .isThrownBy(() -> session.step().feed(fed, tensor).fetch(fed).run());
    }
    graph.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> ClusterSession.open(local.target(), graph))
        .withMessage("A session was asked for on a graph that was closed");
  }

  @Test
  void theGraphMayGrowWhileASessionIsOpen() {
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      Operand<TFloat32> one = tf.constant(1f);
      try (ClusterSession session = ClusterSession.open(local.target(), graph)) {
        assertThat(Values.floats(session, one)).containsExactly(1f);
        assertThat(Values.floats(session, tf.math.add(one, one))).containsExactly(2f);
      }
    }
  }
}
