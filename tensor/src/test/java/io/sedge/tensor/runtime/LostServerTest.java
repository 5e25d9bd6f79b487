package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TFloat32;

/**
 * Rows M and JV of a context whose servers are killed, stopped and started anew: what TensorFlow
 * answers then is what a coordinator must tell apart.
 */
class LostServerTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RestartPolicy QUICK =
      new RestartPolicy(5, Duration.ofMillis(10), Duration.ofMillis(100), Duration.ofMinutes(1));
  private static final String PS = "/job:ps/replica:0/task:0/device:CPU:0";
  private static final String WORKER = "/job:worker/replica:0/task:0/device:CPU:0";

  private ClusterSpec cluster;
  private ServerProcess ps;
  private ServerProcess worker;
  private ClusterContext context;

  @BeforeEach
  void startCluster() {
    List<Integer> ports = Ports.unused(2);
    cluster =
        ClusterSpec.builder()
            .job("ps", "127.0.0.1:" + ports.get(0))
            .job("worker", "127.0.0.1:" + ports.get(1))
            .build();
    ServerProcessOptions options = ServerProcessOptions.defaults().withRestart(QUICK);
    ps = ServerProcess.launch(ServerTask.of(cluster, "ps"), options);
    worker = ServerProcess.launch(ServerTask.of(cluster, "worker"), options);
    context = ClusterContext.create();
    context.connect(cluster);
  }

  @AfterEach
  void endCluster() {
    context.close();
    worker.close();
    ps.close();
  }

  private RemoteTensor onDevice(String device, float value) {
    try (TFloat32 tensor = TFloat32.scalarOf(value);
        RemoteTensor here = context.tensor(tensor)) {
      return here.copyTo(device);
    }
  }

  private float add(String device, float a, float b) {
    try (TFloat32 one = TFloat32.scalarOf(a);
        TFloat32 two = TFloat32.scalarOf(b);
        RemoteTensor sum =
            context.operation("AddV2").device(device).input(one).input(two).executeForOne();
        TFloat32 value = (TFloat32) sum.toTensor()) {
      return value.getFloat();
    }
  }

  private RemoteTensor variable(String name) {
    return context
        .operation("VarHandleOp")
        .device(PS)
        .attribute("dtype", DataType.DT_FLOAT)
        .attribute("shape", Shape.scalar())
        .attribute("shared_name", name)
        .executeForOne();
  }

  private float read(RemoteTensor variable) {
    try (RemoteTensor value =
            context
                .operation("ReadVariableOp")
                .device(PS)
                .input(variable)
                .attribute("dtype", DataType.DT_FLOAT)
                .executeForOne();
        TFloat32 here = (TFloat32) value.toTensor()) {
      return here.getFloat();
    }
  }

  private static TensorFlowStatusException failure(Runnable call) {
    try {
      call.run();
    } catch (TensorFlowStatusException e) {
      return e;
    }
    throw new AssertionError("It did not fail");
  }

  private static void awaitRestart(ServerProcess server, long before) {
    Waiting.until(SOON, () -> server.pid() != before);
    server.awaitServing(SOON);
  }

  /** JV-07, JV-08, JV-09, JV-11, FT-14, GT-02: the worker goes and returns, the variable stays. */
  @Test
  void aWorkerThatWasLostIsFoundAgainByConnectingAgain() {
    RemoteTensor variable = variable("w");
    try (TFloat32 five = TFloat32.scalarOf(5)) {
      context.operation("AssignVariableOp").device(PS).input(variable).input(five).execute();
    }
    assertThat(add(WORKER, 1, 2)).isEqualTo(3);
    long before = worker.pid();

    worker.kill();
    // Twice, since the second call is the one that hangs with TensorFlow's own executor.
    for (int i = 0; i < 2; i++) {
      assertThat(failure(() -> add(WORKER, 1, 2)).isServerLost()).isTrue();
    }
    assertThat(read(variable)).isEqualTo(5);

    awaitRestart(worker, before);
    context.connect(cluster);
    assertThat(context.isAlive("worker", 0)).isTrue();
    assertThat(add(WORKER, 1, 2)).isEqualTo(3);
    assertThat(read(variable)).isEqualTo(5);
  }

  /** JV-10, GT-03: the parameter server goes and returns without what it held. */
  @Test
  void aParameterServerThatWasLostReturnsWithoutItsVariables() {
    RemoteTensor variable = variable("w");
    try (TFloat32 five = TFloat32.scalarOf(5)) {
      context.operation("AssignVariableOp").device(PS).input(variable).input(five).execute();
    }
    long before = ps.pid();
    ps.kill();
    assertThat(failure(() -> read(variable)).isServerLost()).isTrue();
    assertThat(context.isAlive("worker", 0)).isTrue();
    awaitRestart(ps, before);
    context.connect(cluster);
    assertThat(context.isAlive("ps", 0)).isTrue();

    assertThat(failure(() -> read(variable)).code())
        .isIn(StatusCode.INVALID_ARGUMENT, StatusCode.FAILED_PRECONDITION);
    RemoteTensor again = variable("w");
    assertThat(failure(() -> read(again)).code())
        .isIn(StatusCode.FAILED_PRECONDITION, StatusCode.NOT_FOUND);
    try (TFloat32 six = TFloat32.scalarOf(6)) {
      context.operation("AssignVariableOp").device(PS).input(again).input(six).execute();
    }
    assertThat(read(again)).isEqualTo(6);
    variable.close();
  }

  /** FT-07, FT-13, GT-02: what a lost worker is told by; what was copied from it stays. */
  @Test
  void theErrorNamesTheTaskThatWasLost() {
    RemoteTensor there = onDevice(WORKER, 7);
    Tensor copied = there.toTensor();
    worker.close();

    assertThat(((TFloat32) copied).getFloat()).isEqualTo(7);
    copied.close();
    TensorFlowStatusException gone = failure(() -> there.toTensor().close());
    assertThat(gone.code()).isEqualTo(StatusCode.UNAVAILABLE);
    assertThat(gone.getMessage()).contains("/job:worker/replica:0/task:0");
    TensorFlowStatusException error = failure(() -> add(WORKER, 1, 2));
    assertThat(error.code()).isIn(StatusCode.UNAVAILABLE, StatusCode.ABORTED);
    assertThat(error.getMessage()).contains("/job:worker").doesNotContain("/job:ps");
    assertThat(context.isAlive("worker", 0)).isFalse();
    assertThat(context.isAlive("ps", 0)).isTrue();
    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(
            () ->
                context.connect(
                    cluster, ConnectOptions.defaults().withLimit(Duration.ofMillis(300))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.UNAVAILABLE))
        .withMessageContaining("task 0 of job 'worker'");
    try (RemoteTensor here = onDevice(PS, 4);
        TFloat32 value = (TFloat32) here.toTensor()) {
      assertThat(value.getFloat()).isEqualTo(4);
    }
  }

  /** A process that was stopped answers nothing and breaks no connection. */
  @Test
  void aServerThatNeverAnswersIsGivenUp() throws Exception {
    assertThat(add(WORKER, 1, 2)).isEqualTo(3);
    RemoteTensor there = onDevice(WORKER, 9);
    signal("STOP", worker.pid());

    try (TFloat32 one = TFloat32.scalarOf(1)) {
      assertThat(
              failure(
                      () ->
                          context
                              .operation("AddV2")
                              .device(WORKER)
                              .input(there)
                              .input(one)
                              .limit(Duration.ofMillis(500))
                              .execute())
                  .code())
          .isEqualTo(StatusCode.DEADLINE_EXCEEDED);
    }
    signal("CONT", worker.pid());
    // What was given up is still being cancelled there, and takes calls that follow at once with
    // it.
    Waiting.until(SOON, () -> adds(WORKER));
    there.close();
  }

  private boolean adds(String device) {
    try {
      return add(device, 1, 2) == 3;
    } catch (TensorFlowStatusException e) {
      assertThat(e.code()).isEqualTo(StatusCode.CANCELLED);
      return false;
    }
  }

  /** A connection that was given up can be made once the peer answers again. */
  @Test
  void connectingToAServerThatNeverAnswersIsGivenUpAndCanBeRepeated() throws Exception {
    signal("STOP", worker.pid());
    ConnectOptions impatient = ConnectOptions.defaults().withLimit(Duration.ofMillis(500));
    try (ClusterContext other = ClusterContext.create()) {
      assertThat(failure(() -> other.connect(cluster, impatient)).isServerLost()).isTrue();
      signal("CONT", worker.pid());
      Waiting.until(SOON, () -> isConnected(other));
      assertThat(other.isAlive("worker", 0)).isTrue();
    }
  }

  private boolean isConnected(ClusterContext other) {
    try {
      other.connect(cluster);
      return true;
    } catch (TensorFlowStatusException e) {
      assertThat(e.isServerLost()).isTrue();
      return false;
    }
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }
}
