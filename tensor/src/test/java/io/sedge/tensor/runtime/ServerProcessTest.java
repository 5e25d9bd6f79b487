package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.ServerHealth.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.DeviceSpec;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Variable;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.types.TFloat32;

/** A server as a process: what becomes of it, of its port, of its log, and of what it held. */
class ServerProcessTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final RestartPolicy QUICK =
      new RestartPolicy(3, Duration.ofMillis(10), Duration.ofMillis(20), Duration.ofMinutes(1));

  /** The pid of a process that a test stopped; it would outlive the test otherwise. */
  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  private static ServerTask alone() {
    return ServerTask.of(ClusterSpec.builder().job("ps", "127.0.0.1:0").build());
  }

  @Test
  void aVariableLivesInTheProcessAndGoesWithIt() {
    try (Graph graph = new Graph();
        ServerProcess server =
            ServerProcess.start(alone(), ServerProcessOptions.defaults().withRestart(QUICK))) {
      Ops tf = Ops.create(graph).withDevice(DeviceSpec.newBuilder().job("ps").task(0).build());
      Variable<TFloat32> variable = tf.variable(tf.constant(1f), Variable.sharedName("v"));
      String init = tf.assign(variable, tf.constant(1f)).op().name();
      String add = tf.assignAdd(variable, tf.constant(2f)).op().name();
      ClusterSessionOptions options =
          ClusterSessionOptions.defaults()
              .withLimit(Duration.ofSeconds(30))
              .withCluster(server.task().cluster());
      long firstPid = server.pid();

      try (ClusterSession first = ClusterSession.open(server.target(), graph, options);
          ClusterSession second = ClusterSession.open(server.target(), graph, options)) {
        first.run(init);
        first.run(add);
        assertThat(value(second, variable)).isEqualTo(3f);

        server.kill();
        awaitRestart(server, firstPid);
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> value(first, variable))
            .satisfies(e -> assertThat(e.isServerLost()).isTrue());
      }
      try (ClusterSession session = ClusterSession.open(server.target(), graph, options)) {
        assertThatExceptionOfType(TensorFlowStatusException.class)
            .isThrownBy(() -> value(session, variable))
            .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.FAILED_PRECONDITION));
        session.run(init);
        assertThat(value(session, variable)).isEqualTo(1f);
      }
      assertThat(server.health().lastEnd()).isEqualTo("exit code 137 (signal 9)");
      assertThat(server.health().restarts()).isEqualTo(1);
    }
  }

  @Test
  void aProcessThatEndsStaysSoUnlessSaidOtherwise() {
    try (ServerProcess server = ServerProcess.start(alone())) {
      server.kill();

      await(() -> server.health().state() == State.FAILED);
      assertThat(server.isAlive()).isFalse();
      assertThatExceptionOfType(TensorFlowStatusException.class)
          .isThrownBy(() -> server.awaitServing(SOON))
          .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.UNAVAILABLE))
          .withMessageContaining("ended with exit code 137 (signal 9)");
    }
  }

  @Test
  void restartsAreBounded() throws Exception {
    RestartPolicy once = new RestartPolicy(1, Duration.ZERO, Duration.ZERO, Duration.ofHours(1));
    try (ServerProcess server =
        ServerProcess.start(alone(), ServerProcessOptions.defaults().withRestart(once))) {
      long first = server.pid();
      server.kill();
      awaitRestart(server, first);
      server.kill();
      await(() -> server.health().state() == State.FAILED);
    }
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    RestartPolicy policy =
        new RestartPolicy(9, Duration.ofMillis(100), Duration.ofMillis(350), Duration.ZERO);

    assertThat(List.of(0, 1, 2, 3, 8))
        .extracting(policy::pause)
        .extracting(Duration::toMillis)
        .containsExactly(100L, 200L, 350L, 350L, 350L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RestartPolicy(-1, Duration.ZERO, Duration.ZERO, Duration.ZERO))
        .withMessage("restart attempts -1 are not from 0 to 1000");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RestartPolicy(1, Duration.ofHours(2), Duration.ofHours(2), Duration.ZERO))
        .withMessage("restart pauses from PT2H to PT2H are not from 0 up to an hour");
  }

  @Test
  void aPortThatIsTakenIsNamedAndNotTriedAgain() throws IOException {
    try (ServerSocket taken = new ServerSocket(0)) {
      ServerTask task =
          ServerTask.of(
              ClusterSpec.builder().job("ps", "127.0.0.1:" + taken.getLocalPort()).build());

      assertThatExceptionOfType(TensorFlowStatusException.class)
          .isThrownBy(
              () -> ServerProcess.start(task, ServerProcessOptions.defaults().withRestart(QUICK)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.UNKNOWN))
          .withMessageContaining("Could not start gRPC server")
          .withMessageContaining("port " + taken.getLocalPort() + " of 127.0.0.1:");
    }
  }

  @Test
  void aProcessThatCannotRunSaysWhy() {
    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(
            () ->
                ServerProcess.start(
                    alone(), ServerProcessOptions.defaults().withClassPath("/nonexistent.jar")))
        .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.INTERNAL))
        .withMessageContaining("ServerMain");
    ServerProcessOptions defaults = ServerProcessOptions.defaults();
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(
            () ->
                ServerProcess.start(
                    alone(), defaults.withLog(Path.of("/nonexistent/directory/log"), 10_000)))
        .withMessageContaining("No process for /job:ps/task:0");
  }

  @Test
  void aProcessThatDoesNotAnswerLivesAndIsFoundOut() throws Exception {
    try (ServerProcess server = ServerProcess.start(alone())) {
      server.checkAnswers(SOON);
      signal("STOP", server.pid());

      assertThatExceptionOfType(TensorFlowStatusException.class)
          .isThrownBy(() -> server.checkAnswers(Duration.ofMillis(500)))
          .satisfies(e -> assertThat(e.code()).isEqualTo(StatusCode.DEADLINE_EXCEEDED));
      assertThat(server.isAlive()).isTrue();
      assertThat(server.health().state()).isEqualTo(State.SERVING);

      signal("CONT", server.pid());
      server.checkAnswers(SOON);
    }
  }

  /** A stopped process cannot end by itself when it is told. */
  @Test
  void aProcessThatDoesNotAnswerIsEndedAllTheSame() throws Exception {
    ServerProcess server = ServerProcess.start(alone());
    signal("STOP", server.pid());

    server.close();

    assertThat(server.isAlive()).isFalse();
    server.close();
    assertThatIllegalStateException().isThrownBy(() -> server.awaitServing(SOON));
    assertThat(server.health().state()).isEqualTo(State.CLOSED);
  }

  @Test
  void theLogIsBounded(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("ps.log");
    BoundedLog log = new BoundedLog(file, 4_096);
    log.open();
    for (int i = 0; i < 1_000; i++) {
      log.add("line " + i);
    }
    log.close();

    assertThat(log.tail()).hasSize(BoundedLog.MOST_LINES).last().isEqualTo("line 999");
    assertThat(Files.size(file)).isLessThanOrEqualTo(4_096);
    Path aside = directory.resolve("ps.log.1");
    assertThat(Files.size(aside)).isLessThanOrEqualTo(4_096);
    List<String> both = Files.readAllLines(aside);
    both.addAll(Files.readAllLines(file));
    assertThat(both).last().isEqualTo("line 999");
    assertThat(both.getFirst()).isEqualTo("line " + (1_000 - both.size()));
    try (java.io.StringReader in = new java.io.StringReader("x".repeat(5_000) + "\nend")) {
      assertThat(BoundedLog.readLine(in)).hasSize(BoundedLog.MOST_LINE_CHARACTERS);
      assertThat(BoundedLog.readLine(in)).isEqualTo("end");
      assertThat(BoundedLog.readLine(in)).isNull();
    }
  }

  @Test
  void whatTheProcessWritesGoesToTheFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("ps.log");
    try (ServerProcess server =
        ServerProcess.start(alone(), ServerProcessOptions.defaults().withLog(file, 1 << 20))) {
      assertThat(server.logTail()).anyMatch(line -> line.startsWith("sedge-server ready grpc://"));
    }
    assertThat(Files.readString(file)).contains("sedge-server ready grpc://127.0.0.1:");
  }

  /** The greatest part are pages of TensorFlow's library, which all processes share. */
  @Test
  void aProcessTakesLessThan400MegabytesOnASmallGraph() throws IOException {
    try (ServerProcess server = ServerProcess.start(alone());
        Graph graph = new Graph();
        ClusterSession session = ClusterSession.open(server.target(), graph)) {
      Path status = Path.of("/proc", Long.toString(server.pid()), "status");
      assumeThat(status).as("what Linux says of the process").exists();
      Ops tf = Ops.create(graph);
      Variable<TFloat32> variable = tf.variable(tf.constant(1f));
      session.run(tf.assign(variable, tf.constant(1f)).op().name());
      for (int i = 0; i < 100; i++) {
        value(session, variable);
      }

      String resident =
          Files.readAllLines(status).stream()
              .filter(line -> line.startsWith("VmRSS:"))
              .findFirst()
              .orElseThrow();
      assertThat(Long.parseLong(resident.replaceAll("[^0-9]", "")))
          .as("kilobytes")
          .isLessThan(400_000);
    }
  }

  /** Fewer threads than workers can block each other for ever. */
  @Test
  void thereIsAThreadMoreThanTasksThatRunSteps() {
    List<Integer> ports = Ports.unused(5);
    ClusterSpec cluster =
        ClusterSpec.builder()
            .job("ps", "127.0.0.1:" + ports.getFirst())
            .job("worker", ports.subList(1, 5).stream().map(port -> "127.0.0.1:" + port).toList())
            .build();
    ConfigProto one = ConfigProto.newBuilder().setInterOpParallelismThreads(1).build();

    try (ServerProcess server = ServerProcess.start(ServerTask.of(cluster, "ps").withConfig(one))) {
      assertThat(server.task().config().getInterOpParallelismThreads()).isEqualTo(5);
    }
  }

  @Test
  void aClusterBeyondThisMachineIsRefusedUnlessSaidAloud() {
    ServerTask task =
        ServerTask.of(
            ClusterSpec.builder().job("ps", "127.0.0.1:0").job("worker", "192.0.2.1:2222").build(),
            "ps");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerProcess.start(task))
        .withMessageStartingWith(
            "The address of task 0 of job 'worker' is '192.0.2.1:2222', which is not on this"
                + " machine's loopback interface.")
        .withMessageContaining("insecureNetwork");
    try (ServerProcess server =
        ServerProcess.start(task, ServerProcessOptions.defaults().withInsecureNetwork())) {
      assertThat(server.target()).startsWith("grpc://127.0.0.1:");
    }
  }

  @Test
  void aTaskThatTheClusterLacksIsRefused() {
    ServerTask task =
        ServerTask.of(ClusterSpec.builder().job("ps", "127.0.0.1:0").build(), "ps", 3);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerProcess.launch(task, ServerProcessOptions.defaults()))
        .withMessage("No task with index 3 in job 'ps'; it has tasks 0");
  }

  /** The parent is killed, so that it can tell the child nothing. */
  @Test
  void theProcessEndsWhenItsParentDies() throws Exception {
    ChildJvm parent = ChildJvm.start(ParentOfServer.class);
    long server = Long.parseLong(parent.awaitLine("server ").substring("server ".length()));
    ProcessHandle handle = ProcessHandle.of(server).orElseThrow();
    assertThat(handle.isAlive()).isTrue();

    parent.kill();

    handle.onExit().get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  /** The program of the parent. */
  static final class ParentOfServer {
    private ParentOfServer() {}

    /** Starts a server and waits to be killed. */
    public static void main(String[] arguments) throws InterruptedException {
      ServerProcess server = ServerProcess.start(alone());
      ChildJvm.say("server " + server.pid());
      Thread.sleep(Duration.ofMinutes(5));
    }
  }

  @Test
  void waitingCanBeInterrupted() throws Exception {
    ServerProcess server = ServerProcess.launch(alone(), ServerProcessOptions.defaults());
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    server.awaitServing(SOON);
                  } catch (TensorFlowStatusException e) {
                    seen.complete(e);
                  }
                });
    waiting.interrupt();

    assertThat(seen.get(SOON.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            TensorFlowStatusException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.CANCELLED));
    server.close();
    assertThat(server.isAlive()).isFalse();
  }

  private static void awaitRestart(ServerProcess server, long before) {
    await(() -> server.pid() != before);
    server.awaitServing(SOON);
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    Waiting.until(SOON, condition);
  }

  private static float value(ClusterSession session, Variable<TFloat32> variable) {
    try (Result result = session.step().fetch(variable).run()) {
      return ((TFloat32) result.get(0)).getFloat();
    }
  }
}
