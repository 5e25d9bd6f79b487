package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sedge.tensor.ClusterDeviceFilters;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.DeviceName;
import io.sedge.tensor.resolver.ResolverSettings;
import io.sedge.tensor.resolver.SimpleClusterResolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tensorflow.ConcreteFunction;
import org.tensorflow.DeviceSpec;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Output;
import org.tensorflow.Signature;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TString;

/**
 * Rows RC-.., RE-.., CC-.., DC-.. and DF-.. that need no process of their own. Long because
 * starting the servers of a class takes longer than its rows.
 */
class ClusterContextTest {
  private static final String CPU = "/replica:0/task:%d/device:CPU:0";
  private static final Duration SOON = Duration.ofSeconds(20);
  private static ClusterSpec workers;

  private ClusterContext context;

  @BeforeAll
  static void startServers() {
    workers = Clusters.inProcess("worker", 3);
  }

  @BeforeEach
  void createContext() {
    context = ClusterContext.create();
  }

  @AfterEach
  void closeContext() {
    context.close();
  }

  private static String worker(int task) {
    return "/job:worker" + CPU.formatted(task);
  }

  private static void assertCode(StatusCode code, Runnable call, String... parts) {
    assertThatExceptionOfType(TensorFlowStatusException.class)
        .isThrownBy(call::run)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(code);
              for (String part : parts) {
                assertThat(e.getMessage()).contains(part);
              }
            });
  }

  private RemoteTensor onDevice(String device, float... values) {
    try (TFloat32 tensor = TFloat32.vectorOf(values);
        RemoteTensor here = context.tensor(tensor)) {
      return here.copyTo(device);
    }
  }

  private RemoteTensor ones(String device) {
    try (TFloat32 tensor = TFloat32.tensorOf(StdArrays.ndCopyOf(new float[][] {{1, 1}, {1, 1}}));
        RemoteTensor here = context.tensor(tensor)) {
      return here.copyTo(device);
    }
  }

  private RemoteTensor product(String device, RemoteTensor a, RemoteTensor b) {
    return context.operation("MatMul").device(device).input(a).input(b).executeForOne();
  }

  private static float[] floats(RemoteTensor tensor) {
    try (tensor;
        TFloat32 value = (TFloat32) tensor.toTensor()) {
      return Values.floats(value);
    }
  }

  private List<RemoteTensor> call(ConcreteFunction function, String device, RemoteTensor... in) {
    context.register(function);
    RemoteOperation operation = context.operation(function.getDefinedName()).device(device);
    for (RemoteTensor tensor : in) {
      operation.input(tensor);
    }
    return operation.execute();
  }

  /** As {@link #call}, on a task that has just joined and may not know the function yet. */
  private List<RemoteTensor> callNewcomer(
      ConcreteFunction function, String device, RemoteTensor... in) {
    long begin = System.nanoTime();
    while (true) {
      try {
        return call(function, device, in);
      } catch (TensorFlowStatusException e) {
        if (e.code() != StatusCode.NOT_FOUND || System.nanoTime() - begin > SOON.toNanos()) {
          throw e;
        }
      }
    }
  }

  private static Signature.Builder signature(String name) {
    return Signature.builder(name);
  }

  /** RC-01, RC-03, RE-07, RC-52. */
  @Test
  void aFunctionSpansThisProcessAndARemoteHost() {
    context.connectToRemoteHost(
        List.of("grpc://" + workers.taskAddress("worker", 0)), "worker", ConnectOptions.defaults());
    ConcreteFunction function =
        ConcreteFunction.create(
            tf -> {
              Placeholder<TFloat32> i = tf.placeholder(TFloat32.class);
              Operand<TFloat32> there =
                  Clusters.on(tf, "worker", 0).math.add(i, tf.constant(new float[] {1}));
              return signature("rc01").input("i", i).output("o", there).build();
            });
    try (RemoteTensor two = onDevice("/job:localhost" + CPU.formatted(0), 2)) {
      List<RemoteTensor> out = call(function, "/job:localhost" + CPU.formatted(0), two);
      assertThat(out.getFirst().device()).isEqualTo(DeviceName.of(worker(0)));
      assertThat(floats(out.getFirst())).containsExactly(3);
    }
    for (List<String> none : List.of(List.<String>of(), List.of(""))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> context.connectToRemoteHost(none, "worker", ConnectOptions.defaults()))
          .withMessageStartingWith("Must provide at least one remote_host");
    }
  }

  /** RC-06, JV-04, JV-13. */
  @Test
  void anOperationThatIsWrongFailsWithItsCode() {
    context.connect(workers);
    try (RemoteTensor a = matrix(2, 3);
        RemoteTensor b = matrix(2, 2)) {
      assertCode(
          StatusCode.INVALID_ARGUMENT,
          () -> product(worker(0), a, b),
          "Dimensions must be equal",
          "MatMul on " + worker(0));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.operation("NoSuchOp"))
        .withMessageStartingWith("'NoSuchOp' is neither an operation of TensorFlow nor a function");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.operation("MatMul").attribute("bogus", true))
        .withMessageContaining("has no attribute 'bogus'; it has [transpose_a, transpose_b, T");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.operation("MatMul").device("bogus"));
  }

  private RemoteTensor matrix(int rows, int columns) {
    try (TFloat32 tensor = TFloat32.tensorOf(Shape.of(rows, columns))) {
      return context.tensor(tensor).copyTo(worker(0));
    }
  }

  /** An operation with an input that is a list, and one with several results. */
  @Test
  void operationsHaveAsManyInputsAndResultsAsTheyHave() {
    context.connect(workers);
    try (RemoteTensor a = onDevice(worker(0), 1, 2);
        RemoteTensor b = onDevice(worker(1), 3, 4);
        RemoteTensor axis = scalar(0)) {
      RemoteTensor packed =
          context
              .operation("Pack")
              .device(worker(1))
              .inputs(List.of(a, b))
              .attribute("axis", 0)
              .executeForOne();
      List<RemoteTensor> split =
          context
              .operation("Split")
              .device(worker(2))
              .input(axis)
              .input(packed)
              .attribute("num_split", 2)
              .execute();

      assertThat(split).hasSize(2);
      assertThat(split.get(1).device()).isEqualTo(DeviceName.of(worker(2)));
      assertThat(floats(split.get(0))).containsExactly(1, 2);
      assertThat(floats(split.get(1))).containsExactly(3, 4);
      packed.close();
      packed.close();
      assertThatIllegalStateException()
          .isThrownBy(packed::toTensor)
          .withMessage("The tensor on " + worker(1) + " was closed");
    }
  }

  private RemoteTensor scalar(int value) {
    try (TInt32 tensor = TInt32.scalarOf(value)) {
      return context.tensor(tensor);
    }
  }

  // Variables.

  private RemoteTensor variable(String device, String name, float value) {
    RemoteTensor handle =
        context
            .operation("VarHandleOp")
            .device(device)
            .attribute("dtype", DataType.DT_FLOAT)
            .attribute("shape", Shape.scalar())
            .attribute("shared_name", name)
            .executeForOne();
    try (TFloat32 tensor = TFloat32.scalarOf(value)) {
      context.operation("AssignVariableOp").device(device).input(handle).input(tensor).execute();
    }
    return handle;
  }

  private float[] read(String device, RemoteTensor handle) {
    return floats(
        context
            .operation("ReadVariableOp")
            .device(device)
            .input(handle)
            .attribute("dtype", DataType.DT_FLOAT)
            .executeForOne());
  }

  /** Adds 1 to a variable of one task and takes 2 from another's; returns their sum. */
  private static ConcreteFunction plusMinus(String name, String job, int first, int second) {
    return ConcreteFunction.create(
        tf -> {
          Ops one = Clusters.on(tf, job, first);
          Ops two = Clusters.on(tf, job, second);
          VarHandleOp v1 =
              one.varHandleOp(TFloat32.class, Shape.scalar(), VarHandleOp.sharedName(name + "-v1"));
          VarHandleOp v2 =
              two.varHandleOp(TFloat32.class, Shape.scalar(), VarHandleOp.sharedName(name + "-v2"));
          Op add = one.assignAddVariableOp(v1, tf.constant(1f));
          Op sub = two.assignSubVariableOp(v2, tf.constant(2f));
          Ops after = tf.withControlDependencies(List.of(add, sub));
          Operand<TFloat32> sum =
              after.math.add(
                  after.readVariableOp(v1, TFloat32.class),
                  after.readVariableOp(v2, TFloat32.class));
          return signature(name).output("sum", sum).build();
        });
  }

  /** RC-02, RC-25, RC-27, RE-04. */
  @Test
  void variablesLiveOnATaskAndFunctionsOfOthersUseThem() {
    context.connect(workers);
    RemoteTensor v1 = variable(worker(2), "rc25-v1", 0);
    RemoteTensor v2 = variable(worker(2), "rc25-v2", 10);
    ConcreteFunction function = plusMinus("rc25", "worker", 2, 2);

    assertThat(floats(call(function, worker(0)).getFirst())).containsExactly(9);
    assertThat(floats(call(function, worker(1)).getFirst())).containsExactly(8);
    assertThat(read(worker(2), v1)).containsExactly(2);
    assertThat(read(worker(0), v2)).containsExactly(6);
    assertThat(v1.dataType()).isEqualTo(DataType.DT_RESOURCE);
    assertThatIllegalStateException()
        .isThrownBy(v1::toTensor)
        .withMessageContaining("is a handle, which has no value");
    v1.close();
    v2.close();
  }

  /** RC-14, RC-23, RE-01. */
  @Test
  void resultsStayWhereTheyAreMade() {
    context.connect(workers);
    ConcreteFunction two =
        ConcreteFunction.create(
            tf -> {
              Placeholder<TFloat32> a = tf.placeholder(TFloat32.class);
              Placeholder<TFloat32> b = tf.placeholder(TFloat32.class);
              return signature("re01")
                  .input("a", a)
                  .input("b", b)
                  .output("x", Clusters.on(tf, "worker", 1).linalg.matMul(a, b))
                  .output("y", Clusters.on(tf, "worker", 2).math.add(a, b))
                  .build();
            });
    try (RemoteTensor a = ones(worker(1));
        RemoteTensor b = ones(worker(2))) {
      List<RemoteTensor> out = call(two, worker(0), a, b);
      assertThat(out)
          .extracting(RemoteTensor::device)
          .containsExactly(DeviceName.of(worker(1)), DeviceName.of(worker(2)));
      assertThat(floats(out.get(0))).containsOnly(2);
      assertThat(floats(out.get(1))).containsOnly(2);
      assertThat(floats(product(worker(0), a, b))).containsOnly(2);
    }
  }

  /** RE-05. */
  @Test
  void aGradientIsComputedAcrossTasks() {
    context.connect(workers);
    variable(worker(1), "re05-w", 3).close();
    ConcreteFunction gradient;
    try (Graph graph = new Graph()) {
      Ops tf = Ops.create(graph);
      Placeholder<TFloat32> w = tf.placeholder(TFloat32.class);
      Operand<TFloat32> loss = Clusters.on(tf, "worker", 0).math.mul(w, w);
      Operand<?> slope = graph.addGradients(loss.asOutput(), array(w.asOutput()))[0];
      gradient =
          ConcreteFunction.create(
              signature("re05").input("w", w).output("loss", loss).output("slope", slope).build(),
              graph);
    }
    RemoteTensor w =
        context
            .operation("VarHandleOp")
            .device(worker(1))
            .attribute("dtype", DataType.DT_FLOAT)
            .attribute("shape", Shape.scalar())
            .attribute("shared_name", "re05-w")
            .executeForOne();
    RemoteTensor value =
        context
            .operation("ReadVariableOp")
            .device(worker(1))
            .input(w)
            .attribute("dtype", DataType.DT_FLOAT)
            .executeForOne();
    List<RemoteTensor> out = call(gradient, worker(0), value);

    assertThat(floats(out.get(0))).containsExactly(9);
    assertThat(floats(out.get(1))).containsExactly(6);
  }

  private static Output<?>[] array(Output<?> output) {
    return new Output<?>[] {output};
  }

  /** RC-15. */
  @Test
  void aDeviceThatIsNotOneIsRefused() {
    context.connect(workers);
    ConcreteFunction function =
        ConcreteFunction.create(
            tf -> {
              Placeholder<TFloat32> i = tf.placeholder(TFloat32.class);
              Ops any = tf.withDevice(DeviceSpec.newBuilder().job("worker").build());
              return signature("rc15").input("i", i).output("o", any.identity(i)).build();
            });
    try (RemoteTensor one = onDevice(worker(0), 1)) {
      assertCode(
          StatusCode.INVALID_ARGUMENT,
          () -> call(function, "/job:localhost" + CPU.formatted(0), one),
          "the output node must match exactly one device");
    }
    assertCode(StatusCode.INVALID_ARGUMENT, () -> onDevice(worker(7), 1), "unknown device");
  }

  private RemoteOperation blockingDequeue(String device) {
    AttrValue types =
        AttrValue.newBuilder()
            .setList(AttrValue.ListValue.newBuilder().addType(DataType.DT_FLOAT))
            .build();
    RemoteTensor queue =
        context
            .operation("FIFOQueueV2")
            .device(device)
            .attribute("component_types", types)
            .executeForOne();
    return context
        .operation("QueueDequeueV2")
        .device(device)
        .input(queue)
        .attribute("component_types", types);
  }

  /** RC-16, RC-17: what Python does with a cancellation manager, a thread's interruption does. */
  @Test
  void interruptingAThreadCancelsWhatItWaitsFor() throws Exception {
    context.connect(workers);
    RemoteOperation blocking = blockingDequeue(worker(1));
    CompletableFuture<StatusCode> seen = new CompletableFuture<>();
    Thread waiting =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    blocking.execute();
                  } catch (TensorFlowStatusException e) {
                    seen.complete(e.code());
                  }
                });
    Waiting.until(SOON, () -> waiting.getState() == Thread.State.TIMED_WAITING);
    waiting.interrupt();
    assertThat(seen.get(20, TimeUnit.SECONDS)).isEqualTo(StatusCode.CANCELLED);

    Thread.currentThread().interrupt();
    assertCode(StatusCode.CANCELLED, () -> blockingDequeue(worker(1)).execute());
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anOperationThatTakesTooLongEnds() {
    context.connect(workers);
    RemoteOperation blocking = blockingDequeue(worker(1)).limit(Duration.ofMillis(300));

    assertCode(
        StatusCode.DEADLINE_EXCEEDED,
        blocking::execute,
        "executing QueueDequeueV2 took longer than PT0.3S");
    assertThat(floats(onDevice(worker(1), 5))).containsExactly(5);
    context.connect(workers);
  }

  /** RC-09. */
  @Test
  void aFunctionIsCalledRemotely() {
    context.connect(workers);
    ConcreteFunction function =
        ConcreteFunction.create(
            tf -> {
              Placeholder<TFloat32> a = tf.placeholder(TFloat32.class);
              return signature("rc09").input("a", a).output("o", tf.math.add(a, a)).build();
            });
    context.register(function);
    AttrValue floatList =
        AttrValue.newBuilder()
            .setList(AttrValue.ListValue.newBuilder().addType(DataType.DT_FLOAT))
            .build();
    try (TString target = TString.scalarOf("/job:worker/task:0");
        RemoteTensor where = context.tensor(target);
        RemoteTensor one = onDevice("/job:localhost" + CPU.formatted(0), 1)) {
      RemoteTensor out =
          context
              .operation("RemoteCall")
              .input(where)
              .inputs(List.of(one))
              .attribute("Tin", floatList)
              .attribute("Tout", floatList)
              .attribute(
                  "f",
                  AttrValue.newBuilder()
                      .setFunc(NameAttrList.newBuilder().setName(function.getDefinedName()))
                      .build())
              .executeForOne();
      assertThat(floats(out)).containsExactly(2);
    }
  }

  // Connecting.

  /** RC-55, RC-58, RE-08, CC-05. */
  @Test
  void thisProcessIsATaskOfTheClusterUnderItsName() {
    assertThat(context.devices()).hasSize(1);
    assertThat(context.cluster().isEmpty()).isTrue();
    context.connect(workers, ConnectOptions.defaults().withTask("client", 0));

    assertThat(context.devices())
        .containsExactlyInAnyOrder(
            DeviceName.of("/job:client" + CPU.formatted(0)),
            DeviceName.of(worker(0)),
            DeviceName.of(worker(1)),
            DeviceName.of(worker(2)));
    assertThat(context.cluster().taskAddress("client", 0)).matches("localhost:[1-9][0-9]*");
    try (RemoteTensor here = onDevice("/device:CPU:0", 1);
        RemoteTensor same =
            context.operation("Identity").device("/cpu:0").input(here).executeForOne();
        RemoteTensor there =
            context
                .operation("Identity")
                .device("/job:worker/task:1")
                .input(here)
                .executeForOne()) {
      assertThat(here.device()).isEqualTo(DeviceName.of("/job:client" + CPU.formatted(0)));
      assertThat(same.device()).isEqualTo(here.device());
      assertThat(there.device()).isEqualTo(DeviceName.of(worker(1)));
    }
  }

  /** RC-31, RC-56, CC-02. */
  @Test
  void connectingTwiceToTheSameClusterKeepsTensors() {
    context.connect(workers);
    RemoteTensor before = ones(worker(1));
    context.connect(workers);

    assertThat(floats(product(worker(1), before, before))).containsOnly(2);
    before.close();
  }

  /** RC-28, RE-06, CC-01, CC-05. */
  @Test
  void connectingUnderAnotherNameWorksEachTime() {
    for (String name : List.of("localhost", "client", "localhost")) {
      context.connect(workers, ConnectOptions.defaults().withTask(name, 0));
      try (RemoteTensor one = ones(worker(1))) {
        assertThat(floats(product(worker(2), one, one))).containsOnly(2);
        assertThat(floats(product("/job:" + name + CPU.formatted(0), one, one))).containsOnly(2);
        String other = name.equals("client") ? "localhost" : "client";
        assertCode(
            StatusCode.INVALID_ARGUMENT, () -> one.copyTo("/job:" + other + CPU.formatted(0)));
      }
    }
  }

  /**
   * RC-57, JV-06: what ends a process that uses TensorFlow itself; here in a child all the same.
   */
  @Test
  void aTensorOfAnEarlierConnectionIsRefused() throws Exception {
    ChildJvm child =
        ChildJvm.start(
            Reconnecting.class, workers.taskAddress("worker", 0), workers.taskAddress("worker", 1));
    assertThat(child.awaitLine("stale ")).isEqualTo("stale 12 of 12");
    child.awaitGoodEnd();
  }

  /** The program of the test above. */
  static final class Reconnecting {
    private Reconnecting() {}

    /** Connects to one address, then to another; uses what it has in every way, and frees it. */
    public static void main(String[] addresses) {
      ClusterContext context = ClusterContext.create();
      int stale = 0;
      for (int round = 0; round < 2; round++) {
        context.connect(ClusterSpec.builder().job("worker", addresses[round]).build());
        List<RemoteTensor> old;
        try (TFloat32 tensor = TFloat32.tensorOf(Shape.of(2, 2))) {
          RemoteTensor here = context.tensor(tensor);
          RemoteTensor there = here.copyTo(worker(0));
          RemoteTensor handle =
              context
                  .operation("VarHandleOp")
                  .device(worker(0))
                  .attribute("dtype", DataType.DT_FLOAT)
                  .attribute("shape", Shape.scalar())
                  .attribute("shared_name", "rc57")
                  .executeForOne();
          old = List.of(here, there, handle);
        }
        context.connect(ClusterSpec.builder().job("other", addresses[1 - round]).build());
        for (RemoteTensor tensor : old) {
          stale += refused(tensor::toTensor);
          stale +=
              refused(
                  () ->
                      context
                          .operation("Identity")
                          .device("/job:other/task:0/device:CPU:0")
                          .input(tensor)
                          .execute());
        }
        old.forEach(RemoteTensor::close);
        old.forEach(RemoteTensor::close);
      }
      ChildJvm.say("stale " + stale + " of 12");
      context.close();
      System.exit(0);
    }

    private static int refused(Runnable use) {
      try {
        use.run();
        return 0;
      } catch (StaleTensorException e) {
        return 1;
      }
    }
  }

  /** RC-33, RC-53. */
  @Test
  void aResolverWhoseMasterIsThisProcessConnectsNothing() {
    for (String master : List.of("", "local")) {
      context.connect(resolver(ClusterSpec.empty(), master), ConnectOptions.defaults());
      assertThat(context.cluster().isEmpty()).isTrue();
    }
  }

  private static ClusterResolver resolver(ClusterSpec cluster, String master) {
    return new SimpleClusterResolver(cluster, master, Map.of(), ResolverSettings.defaults());
  }

  /** RC-35, and the default it leaves out. */
  @Test
  void theMasterIsTheDefaultDeviceUnlessSaidOtherwise() {
    String master = "grpc://" + workers.taskAddress("worker", 1);
    context.connect(resolver(workers, master), ConnectOptions.defaults());
    assertThat(context.defaultDevice()).isEqualTo(worker(1));
    try (RemoteTensor one = ones("/job:localhost" + CPU.formatted(0))) {
      RemoteTensor out = context.operation("MatMul").input(one).input(one).executeForOne();
      assertThat(out.device()).isEqualTo(DeviceName.of(worker(1)));
      assertThat(floats(out)).containsOnly(2);
    }
    try (ClusterContext other = ClusterContext.create()) {
      other.connect(resolver(workers, master), ConnectOptions.defaults().withoutDefaultDevice());
      assertThat(other.defaultDevice()).isEmpty();
    }
  }

  /** RC-54, where TensorFlow connects first and complains then. */
  @Test
  void aMasterThatIsNotInTheClusterIsRefusedBeforeConnecting() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> context.connect(resolver(workers, "grpc://nowhere:1"), ConnectOptions.defaults()))
        .withMessageStartingWith(
            "`make_master_device_default` is set to True but cannot find master grpc://nowhere:1"
                + " in the cluster");
    assertThat(context.cluster().isEmpty()).isTrue();
  }

  /** JV-15: TensorFlow says that a server could not be started. */
  @Test
  void aFixedPortCannotBeConnectedFromTwice() {
    String own = "localhost:" + Ports.unused(1).getFirst();
    ConnectOptions client = ConnectOptions.defaults().withTask("client", 0);
    ClusterSpec one =
        ClusterSpec.builder()
            .job("client", own)
            .job("worker", workers.taskAddress("worker", 0))
            .build();
    ClusterSpec two =
        ClusterSpec.builder()
            .job("client", own)
            .job("worker", workers.taskAddress("worker", 1))
            .build();
    context.connect(one, client);
    context.connect(one, client);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.connect(two, client))
        .withMessageContaining("cannot be again for another cluster; use update");
    assertThat(floats(onDevice(worker(0), 7))).containsExactly(7);
    context.update(two, SOON);
    assertThat(floats(onDevice(worker(0), 8))).containsExactly(8);
  }

  @Test
  void aPeerThatIsNotThereIsNamedAndNothingIsLost() {
    context.connect(workers);
    RemoteTensor before = ones(worker(0));
    ClusterSpec absent =
        ClusterSpec.builder().job("worker", "127.0.0.1:" + Ports.unused(1).getFirst()).build();

    assertCode(
        StatusCode.UNAVAILABLE,
        () -> context.connect(absent, ConnectOptions.defaults().withLimit(Duration.ofMillis(200))),
        "task 0 of job 'worker'",
        "tried for");
    assertThat(floats(before)).containsOnly(1);
  }

  @Test
  void aClusterBeyondThisMachineIsRefusedUnlessSaidAloud() {
    ClusterSpec far = ClusterSpec.builder().job("worker", "192.0.2.1:2222").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> context.connect(far))
        .withMessageContaining("is '192.0.2.1:2222', which is not on this machine's loopback");
    assertCode(
        StatusCode.UNAVAILABLE,
        () ->
            context.connect(
                far,
                ConnectOptions.defaults()
                    .withInsecureNetwork("localhost")
                    .withLimit(Duration.ofMillis(100))));
  }

  @Test
  void manyThreadsConnectAtOnceAndUseWhatTheyGet() throws Exception {
    context.connect(workers);
    List<Thread> threads = new ArrayList<>();
    AtomicInteger good = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      int task = i % 3;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int round = 0; round < 5; round++) {
                      context.connect(workers);
                      try (RemoteTensor one = ones(worker(task))) {
                        float[] out = floats(product(worker(task), one, one));
                        good.addAndGet(out[0] == 2 ? 1 : 0);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    }
    assertThat(good).hasValue(20);
  }

  @Test
  void aContextThatWasClosedIsRefusedAndClosesTwice() {
    context.connect(workers);
    RemoteTensor one = ones(worker(0));
    context.close();
    context.close();

    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(one::toTensor)
        .withMessageContaining("closed");
    one.close();
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> context.connect(workers))
        .withMessageContaining("closed");
  }

  // Clusters that change.

  private static ClusterSpec workers(int... tasks) {
    Map<Integer, String> chosen = new TreeMap<>();
    for (int i = 0; i < tasks.length; i++) {
      chosen.put(i, workers.taskAddress("worker", tasks[i]));
    }
    return ClusterSpec.builder().job("worker", chosen).build();
  }

  private static ConcreteFunction matMul(String name) {
    return ConcreteFunction.create(
        tf -> {
          Placeholder<TFloat32> a = tf.placeholder(TFloat32.class);
          return signature(name).input("a", a).output("o", tf.linalg.matMul(a, a)).build();
        });
  }

  /** DC-02, DC-05. */
  @Test
  void aServerIsAdded() {
    context.connect(workers(0, 1));
    RemoteTensor x1 = ones(worker(0));
    ConcreteFunction function = matMul("dc05");
    assertThat(floats(call(function, worker(0), x1).getFirst())).containsOnly(2);

    context.update(workers(0, 1, 2), SOON);
    RemoteTensor x2 = ones(worker(2));
    assertThat(floats(product(worker(2), x1, x2))).containsOnly(2);
    assertThat(floats(product(worker(1), x1, x2))).containsOnly(2);
    assertThat(floats(call(function, worker(2), x1).getFirst())).containsOnly(2);
    assertThat(floats(call(function, worker(0), x2).getFirst())).containsOnly(2);
  }

  /** DC-03, DC-08, DC-09. */
  @Test
  void aServerIsRemovedAndAddedBack() {
    context.connect(workers(0, 1));
    RemoteTensor x1 = ones(worker(0));
    RemoteTensor x2 = ones(worker(1));
    ConcreteFunction function = matMul("dc08");
    assertThat(floats(call(function, worker(1), x2).getFirst())).containsOnly(2);

    context.update(workers(0), SOON);
    assertThat(floats(product(worker(0), x1, x1))).containsOnly(2);
    assertThat(floats(call(function, worker(0), x1).getFirst())).containsOnly(2);
    assertCode(StatusCode.INVALID_ARGUMENT, () -> product(worker(1), x1, x1), "unknown device");
    assertCode(StatusCode.INVALID_ARGUMENT, () -> call(function, worker(1), x1), "unknown device");
    assertThatExceptionOfType(StaleTensorException.class).isThrownBy(x2::toTensor);

    context.update(workers(0, 1), SOON);
    assertThat(floats(call(function, worker(1), x1).getFirst())).containsOnly(2);
    assertThatExceptionOfType(StaleTensorException.class)
        .isThrownBy(x2::toTensor)
        .withMessageContaining("was on a task that has left the cluster, or moved within it");
    x2.close();
  }

  /** DC-10, DC-17: the second task becomes another server; what is on the first stays. */
  @Test
  void aServerIsReplaced() {
    context.connect(workers(0, 1));
    RemoteTensor x1 = ones(worker(0));
    RemoteTensor x2 = ones(worker(1));
    ConcreteFunction function = matMul("dc10");
    ConcreteFunction both = plusMinus("dc17", "worker", 0, 1);
    variable(worker(0), "dc17-v1", 0).close();
    variable(worker(1), "dc17-v2", 10).close();
    assertThat(floats(call(both, worker(0)).getFirst())).containsExactly(9);

    context.update(workers(0, 2), SOON);
    assertThat(floats(callNewcomer(function, worker(1), x1).getFirst())).containsOnly(2);
    assertThatExceptionOfType(StaleTensorException.class).isThrownBy(x2::toTensor);
    variable(worker(1), "dc17-v2", 20).close();
    assertThat(floats(call(both, worker(1)).getFirst())).containsExactly(20);
    assertThat(floats(call(both, worker(0)).getFirst())).containsExactly(19);
  }

  /** DC-15, DC-16. */
  @Test
  void aFunctionWithAnOperationElsewhereFollowsTheCluster() {
    context.connect(workers(0, 1));
    ConcreteFunction function =
        ConcreteFunction.create(
            tf -> {
              Placeholder<TFloat32> a = tf.placeholder(TFloat32.class);
              Operand<TFloat32> there = Clusters.on(tf, "worker", 0).linalg.matMul(a, a);
              return signature("dc15").input("a", a).output("o", there).build();
            });
    RemoteTensor x = ones(worker(0));
    assertThat(floats(call(function, worker(1), x).getFirst())).containsOnly(2);
    context.update(workers(0, 1, 2), SOON);
    assertThat(floats(callNewcomer(function, worker(2), x).getFirst())).containsOnly(2);
    context.update(workers(0), SOON);
    assertThat(floats(call(function, worker(0), x).getFirst())).containsOnly(2);
    context.update(workers(0, 1), SOON);
    assertThat(floats(callNewcomer(function, worker(1), x).getFirst())).containsOnly(2);
  }

  /** DC-13, DC-18: calls in other threads while the cluster is updated. */
  @Test
  void callsGoOnWhileTheClusterIsUpdated() throws Exception {
    context.connect(workers(0, 1));
    RemoteTensor x = ones(worker(0));
    ConcreteFunction function = matMul("dc13");
    context.register(function);
    CompletableFuture<Integer> good = new CompletableFuture<>();
    Thread calling =
        Thread.ofPlatform()
            .start(
                () -> {
                  int right = 0;
                  for (int i = 0; i < 30; i++) {
                    right += floats(call(function, worker(0), x).getFirst())[0] == 2 ? 1 : 0;
                  }
                  good.complete(right);
                });
    for (int i = 0; i < 6; i++) {
      context.update(i % 2 == 0 ? workers(0, 2) : workers(0, 1), SOON);
    }
    assertThat(good.get(60, TimeUnit.SECONDS)).isEqualTo(30);
    assertThat(calling.join(SOON)).isTrue();
  }

  /** DC-20, JV-11. */
  @Test
  void whetherATaskAnswersIsAsked() {
    assertThatIllegalStateException()
        .isThrownBy(() -> context.isAlive("worker", 0))
        .withMessageStartingWith("Context is not initialized");
    assertThatIllegalStateException().isThrownBy(() -> context.update(workers, SOON));
    context.connect(workers);
    assertThat(context.isAlive("worker", 0)).isTrue();
    assertThat(context.isAlive("worker", 1)).isTrue();
    assertCode(
        StatusCode.INVALID_ARGUMENT,
        () -> context.isAlive("worker", 10),
        "Unable to find worker interface");
  }

  // Device filters.

  private static ClusterDeviceFilters filter(int task, String... filters) {
    return ClusterDeviceFilters.builder().set("worker", task, filters).build();
  }

  private static ConcreteFunction sum(String name, int first, int second) {
    return ConcreteFunction.create(
        tf -> {
          Operand<TFloat32> a = Clusters.on(tf, "worker", first).constant(1f);
          Operand<TFloat32> b = Clusters.on(tf, "worker", second).constant(2f);
          return signature(name).output("sum", tf.math.add(a, b)).build();
        });
  }

  /** DF-01, DF-10, DF-11, RC-29. */
  @Test
  void aTaskDoesNotSeeWhatItsFilterHides() {
    ClusterDeviceFilters hiding = filter(0, "/job:localhost");
    context.connect(workers, ConnectOptions.defaults().withFilters(hiding));
    ConcreteFunction function = sum("df10", 0, 1);

    assertThat(floats(call(function, worker(2)).getFirst())).containsExactly(3);
    assertCode(
        StatusCode.INVALID_ARGUMENT,
        () -> call(function, worker(0)),
        "/job:worker/task:1 but available devices are");

    context.connect(workers);
    assertCode(
        StatusCode.INVALID_ARGUMENT,
        () -> call(function, worker(0)),
        "/job:worker/task:1 but available devices are");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                context.connect(
                    workers, ConnectOptions.defaults().withFilters(filter(0, "/job:worker"))))
        .withMessageStartingWith("Device filters cannot be changed once there was a connection.");
  }

  /** DF-15. */
  @Test
  void aFilterForGraphicsCardsHidesOtherTasksProcessors() {
    context.connect(workers, ConnectOptions.defaults().withFilters(filter(0, "/device:GPU:*")));

    assertThat(floats(call(sum("df15-own", 0, 0), worker(0)).getFirst())).containsExactly(3);
    ConcreteFunction other = sum("df15-other", 0, 1);
    assertCode(
        StatusCode.INVALID_ARGUMENT,
        () -> call(other, worker(0)),
        "/job:worker/task:1 but available devices are");
  }

  /** DF-14, where TensorFlow ignores them. */
  @Test
  void filtersOfATaskThatIsNotThereAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                context.connect(
                    workers, ConnectOptions.defaults().withFilters(filter(9, "/job:localhost"))))
        .withMessageStartingWith("Device filters are set for task 9 of job 'worker'");
  }
}
