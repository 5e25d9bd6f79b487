package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import io.sedge.tensor.resolver.SimpleClusterResolver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.DeviceSpec;
import org.tensorflow.Graph;
import org.tensorflow.op.Ops;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GPUOptions;
import org.tensorflow.proto.ServerDef;

/** Rows SV-.. on servers themselves; rows on sessions are with {@link ClusterSessionTest}. */
class ServerTest {
  private static ClusterSpec spec(String address) {
    return ClusterSpec.builder().job("a", address).build();
  }

  private static void assertCode(StatusCode code, Runnable call, String... parts) {
    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(call::run)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(parts);
            });
  }

  /** SV-11. */
  @Test
  void aLocalServerKeepsItsConfiguration() {
    ConfigProto tenth =
        ConfigProto.newBuilder()
            .setGpuOptions(GPUOptions.newBuilder().setPerProcessGpuMemoryFraction(0.1))
            .build();

    Server server = Server.createLocal(tenth, false);

    assertThat(server.task().config()).isEqualTo(tenth);
    assertThat(server.task().job()).isEqualTo("localhost");
    assertThat(server.task().index()).isZero();
    assertThat(server.target()).matches("grpc://localhost:[1-9][0-9]*");
    server.close();
  }

  /** SV-12. */
  @Test
  void aConfigurationThatIsGivenReplacesThatOfTheDefinition() {
    ConfigProto one = ConfigProto.newBuilder().setInterOpParallelismThreads(1).build();
    ConfigProto two = ConfigProto.newBuilder().setInterOpParallelismThreads(2).build();
    ServerDef definition = ServerTask.of(spec("localhost:0")).withConfig(one).toServerDef();

    try (Server server = Server.bind(ServerTask.from(definition).withConfig(two))) {
      assertThat(server.task().toServerDef().getDefaultSessionConfig()).isEqualTo(two);
      assertThat(ServerTask.from(definition).config()).isEqualTo(one);
    }
  }

  /** SV-14, SV-38: what TensorFlow refuses late, or takes for another port. */
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:99999", "localhost:-1", "localhost:x"})
  void anAddressWithoutAPortIsRefused(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Server.bind(ServerTask.of(spec(address))))
        .withMessageContaining("port");
  }

  /** SV-16. */
  @Test
  void twoServersCannotHaveOnePort() {
    Server first = Server.createLocal();
    String address = first.target().substring("grpc://".length());

    assertCode(
        StatusCode.UNKNOWN,
        () -> Server.bind(ServerTask.of(spec(address))),
        "Could not start gRPC server",
        "port " + Peers.port(address) + " of " + address + " is taken");
    first.close();
  }

  /** SV-22. */
  @Test
  void theOnlyTaskOfASparseJobNeedsNoIndex() {
    ClusterSpec sparse = ClusterSpec.builder().job("local", Map.of(37, "localhost:0")).build();
    Server server = Server.start(ServerTask.of(sparse));
    assertThat(server.task().index()).isEqualTo(37);

    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph).withDevice(DeviceSpec.newBuilder().job("local").task(37).build());
      try (ClusterSession session = ClusterSession.open(server.target(), graph)) {
        assertThat(Values.floats(session, tf.constant(1f))).containsExactly(1f);
      }
    }
  }

  /** SV-28, SV-37. */
  @ParameterizedTest
  @ValueSource(strings = {"fake_protocol", ""})
  void anUnknownProtocolIsRefused(String protocol) {
    ServerDef definition =
        ServerTask.of(spec("localhost:0")).toServerDef().toBuilder().setProtocol(protocol).build();

    assertCode(
        StatusCode.NOT_FOUND,
        () -> Server.bind(ServerTask.from(definition)),
        "No server factory registered for the given ServerDef",
        "The available server factories are: [");
  }

  /** SV-31. */
  @Test
  void aJobMustBeNamedUnlessThereIsOne() {
    ClusterSpec two = ClusterSpec.builder().job("a", "h:1").job("b", "h:2").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(two))
        .withMessage("Must specify an explicit `job_name`. The cluster has 2 jobs: [a, b]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(ClusterSpec.empty()))
        .withMessage("Must specify an explicit `job_name`. The cluster has 0 jobs: []");
  }

  /** SV-32. */
  @Test
  void anIndexMustBeGivenUnlessThereIsOneTask() {
    ClusterSpec two = ClusterSpec.builder().job("a", "h:1", "h:2").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(two))
        .withMessage("Must specify an explicit `task_index`. Job 'a' has 2 tasks: [0, 1]");
  }

  /** SV-34. */
  @Test
  void aJobThatIsNotThereIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(spec("localhost:0"), "zz"))
        .withMessageStartingWith("No such job in cluster: 'zz'");
    assertCode(
        StatusCode.INTERNAL,
        () -> Server.bind(ServerTask.of(spec("localhost:0"), "zz", 0)),
        "Job \"zz\" was not defined in cluster");
  }

  /** SV-35. */
  @ParameterizedTest
  @ValueSource(ints = {4, -1})
  void aTaskThatIsNotThereIsRefused(int index) {
    assertCode(
        StatusCode.INTERNAL,
        () -> Server.bind(ServerTask.of(spec("localhost:0"), "a", index)),
        "Task " + index + " was not defined in job \"a\"");
  }

  /** TensorFlow means to refuse this, and does not. */
  @Test
  void anOpenPortIsRefusedInAJobOfSeveralTasks() {
    ClusterSpec two = ClusterSpec.builder().job("a", "localhost:0", "localhost:0").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Server.bind(ServerTask.of(two, "a", 0)))
        .withMessage(
            "An explicit server port must be specified when using jobs with multiple replicas; job"
                + " 'a' is {0=localhost:0, 1=localhost:0}");
  }

  @Test
  void aResolverSaysWhichTaskThisIs() {
    ClusterSpec two = ClusterSpec.builder().job("a", "h:1", "h:2").job("b", "h:3").build();
    SimpleClusterResolver resolver = new SimpleClusterResolver(two);

    assertThat(ServerTask.of(resolver.withTask("a", 1))).hasToString("/job:a/task:1");
    assertThat(ServerTask.of(resolver.withTask("b", null))).hasToString("/job:b/task:0");
    assertThatIllegalArgumentException().isThrownBy(() -> ServerTask.of(resolver));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(resolver.withTask("a", null)));
  }

  /** SV-39. */
  @ParameterizedTest
  @CsvSource({
    "203.0.113.7:0,grpc://203.0.113.7:",
    "[::1]:0,grpc://[::1]:",
    ":0,grpc://localhost:",
  })
  void theTargetHasTheHostOfTheAddressAndTheBoundPort(String address, String target) {
    try (Server server = Server.bind(ServerTask.of(spec(address)))) {
      assertThat(server.target()).startsWith(target);
      assertThat(Peers.port(server.target())).isPositive();
    }
  }

  /** SV-40, SV-41 as far as it is not closed off. */
  @Test
  void startingTwiceDoesNothingAndStartingAfterClosingIsRefused() {
    Server server = Server.createLocal();
    server.start();
    server.close();

    assertThatIllegalStateException()
        .isThrownBy(server::start)
        .withMessageContaining("/job:localhost/task:0");
  }

  /** SV-41, JV-01, JV-02: TensorFlow's server aborts the process, or throws. */
  @Test
  void closingNeverEndsTheProcessNorThrows() throws Exception {
    ChildJvm.start(Closing.class).awaitGoodEnd();
  }

  /** The program of the test above. */
  static final class Closing {
    private Closing() {}

    /** Closes a server in every state, twice. */
    public static void main(String[] arguments) {
      Server bound = Server.createLocal(ConfigProto.getDefaultInstance(), false);
      bound.close();
      bound.close();
      Server started = Server.createLocal();
      started.close();
      started.close();
      System.gc();
      System.exit(0);
    }
  }

  /** SV-42, JV-03: TensorFlow's join holds a lock that its stop and start need. */
  @Test
  void whoJoinsIsReleasedByClosing() throws Exception {
    Server server = Server.createLocal();
    Thread joining =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    server.join();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    Waiting.until(Duration.ofSeconds(10), () -> joining.getState() == Thread.State.WAITING);
    server.start();
    server.close();

    assertThat(joining.join(Duration.ofSeconds(10))).isTrue();
    server.join();
  }

  /** DF-16: a server aborts its process for such a filter in the session of a client. */
  @Test
  void aFilterThatWouldAbortAServerIsRefused() {
    ConfigProto bogus = ConfigProto.newBuilder().addDeviceFilters("bogus").build();
    String message = "Device filter 'bogus' of a session's configuration is not a device name";

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterSessionOptions.defaults().withConfig(bogus))
        .withMessageStartingWith(message);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.of(spec("localhost:0")).withConfig(bogus))
        .withMessageStartingWith(message);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ServerTask.from(
                    ServerTask.of(spec("localhost:0")).toServerDef().toBuilder()
                        .setDefaultSessionConfig(bogus)
                        .build()))
        .withMessageStartingWith(message);
  }

  /** A job name that no device name can hold aborts TensorFlow's server. */
  @Test
  void aDefinitionWithABadJobNameIsRefused() {
    ServerDef definition =
        ServerDef.newBuilder()
            .setCluster(
                org.tensorflow.proto.ClusterDef.newBuilder()
                    .addJob(
                        org.tensorflow.proto.JobDef.newBuilder()
                            .setName("my-job")
                            .putTasks(0, "localhost:0")))
            .setJobName("my-job")
            .setProtocol("grpc")
            .build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerTask.from(definition))
        .withMessageStartingWith("Job name 'my-job' is not");
  }

  /** CC-10: a session sees what its filters let through. */
  @Test
  void aSessionWithFiltersSeesFewerDevices() {
    ClusterSpec cluster = Clusters.inProcess("worker", 2);
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      var first = Clusters.on(tf, "worker", 0).constant(1f);
      var second = Clusters.on(tf, "worker", 1).constant(2f);
      ClusterSessionOptions filtered =
          ClusterSessionOptions.defaults()
              .withConfig(
                  ConfigProto.newBuilder()
                      .addDeviceFilters("/job:worker/task:0/device:CPU:0")
                      .build());
      String target = "grpc://" + cluster.taskAddress("worker", 0);
      try (ClusterSession session = ClusterSession.open(target, graph, filtered)) {
        assertThat(session.devices())
            .isEqualTo(List.of(DeviceName.of("/job:worker/replica:0/task:0/device:CPU:0")));
        assertCode(StatusCode.INVALID_ARGUMENT, () -> Values.floats(session, second), "task:1");
      }
      try (ClusterSession session = ClusterSession.open(target, graph)) {
        assertThat(session.devices()).hasSize(2);
        assertThat(Values.floats(session, first)).containsExactly(1f);
        assertThat(Values.floats(session, second)).containsExactly(2f);
      }
    }
  }
}
