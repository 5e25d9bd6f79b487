package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.tensor.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.NoOp;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt32;

/**
 * What a caller can do wrong, in a JVM of its own each: the library under this module answers some
 * mistakes by ending the process.
 */
class MisuseTest {
  @Test
  void noWrongOperationEndsTheProcess() throws Exception {
    ChildJvm child = ChildJvm.start(Operations.class);
    assertThat(child.awaitLine("not refused ")).isEqualTo("not refused []");
    child.awaitGoodEnd();
  }

  @Test
  void noWrongStepEndsTheProcess() throws Exception {
    ChildJvm child = ChildJvm.start(Steps.class);
    assertThat(child.awaitLine("not refused ")).isEqualTo("not refused []");
    child.awaitGoodEnd();
  }

  /** What was tried, and those tries that nothing was thrown for. */
  private static final class Tries {
    private final List<String> notRefused = new ArrayList<>();

    void refused(String what, Runnable misuse) {
      ChildJvm.say("tries " + what);
      try {
        misuse.run();
        notRefused.add(what);
      } catch (RuntimeException e) {
        ChildJvm.say(what + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }

    /** TensorFlow takes the inputs' word or refuses, depending on the device. */
    void either(String what, Runnable misuse) {
      ChildJvm.say("tries " + what);
      try {
        misuse.run();
      } catch (RuntimeException e) {
        ChildJvm.say(what + ": " + e.getMessage());
      }
    }

    void end() {
      ChildJvm.say("not refused " + notRefused);
      System.exit(0);
    }
  }

  /** Through a context. */
  static final class Operations {
    private static final String WORKER = "/job:worker/replica:0/task:0/device:CPU:0";

    private Operations() {}

    /** Everything is wrong but the last. */
    public static void main(String[] arguments) {
      ClusterSpec cluster = Clusters.inProcess("worker", 1);
      Tries tries = new Tries();
      ClusterContext context = ClusterContext.create();
      tries.refused(
          "an unknown protocol",
          () ->
              context.connect(
                  cluster,
                  new ConnectOptions(
                      "localhost",
                      0,
                      "bogus",
                      true,
                      null,
                      "localhost",
                      ClusterSessionOptions.DEFAULT_LIMIT,
                      false)));
      context.connect(cluster);
      RemoteTensor one = context.tensor(TFloat32.tensorOf(Shape.of(1, 1)));
      RemoteTensor whole = context.tensor(TInt32.scalarOf(1));
      for (String device : List.of(WORKER, "/job:localhost/replica:0/task:0/device:CPU:0")) {
        wrongInputs(tries, context, device, one, whole);
        wrongAttributes(tries, context, device, one);
      }
      tries.refused("a device of no job", () -> one.copyTo("/job:nobody/task:0/device:CPU:0"));
      tries.refused(
          "a card that is not there", () -> one.copyTo("/job:worker/task:0/device:GPU:0"));
      TFloat32 gone = TFloat32.scalarOf(1);
      gone.close();
      tries.refused("a tensor that was closed", () -> context.tensor(gone));
      ClusterContext other = ClusterContext.create();
      RemoteTensor foreign = other.tensor(TFloat32.scalarOf(1));
      tries.refused(
          "a tensor of another context",
          () -> context.operation("Identity").input(foreign).execute());
      RemoteTensor product =
          context.operation("MatMul").device(WORKER).input(one).input(one).executeForOne();
      product.toTensor().close();
      tries.end();
    }

    private static void wrongInputs(
        Tries tries, ClusterContext context, String device, RemoteTensor one, RemoteTensor whole) {
      tries.refused(
          "too few inputs", () -> context.operation("MatMul").device(device).input(one).execute());
      tries.refused(
          "too many inputs",
          () ->
              context
                  .operation("MatMul")
                  .device(device)
                  .input(one)
                  .input(one)
                  .input(one)
                  .execute());
      tries.refused(
          "a list for one input",
          () ->
              context.operation("MatMul").device(device).inputs(List.of(one, one, one)).execute());
      tries.refused(
          "one input for a list of two",
          () -> context.operation("Pack").device(device).inputs(List.of()).execute());
      tries.refused(
          "inputs of different types",
          () -> context.operation("AddV2").device(device).input(one).input(whole).execute());
      tries.refused(
          "a type that the operation does not take",
          () -> context.operation("StringLength").device(device).input(one).execute());
      tries.refused(
          "no handle where one is wanted",
          () ->
              context
                  .operation("ReadVariableOp")
                  .device(device)
                  .input(one)
                  .attribute("dtype", DataType.DT_FLOAT)
                  .execute());
    }

    private static void wrongAttributes(
        Tries tries, ClusterContext context, String device, RemoteTensor one) {
      tries.refused(
          "an attribute that is missing",
          () -> context.operation("VarHandleOp").device(device).execute());
      tries.refused(
          "an attribute of another kind",
          () -> context.operation("MatMul").attribute("transpose_a", 1L));
      tries.refused(
          "an attribute without a value",
          () -> context.operation("MatMul").attribute("T", AttrValue.getDefaultInstance()));
      tries.either(
          "a type other than that of the inputs",
          () ->
              context
                  .operation("MatMul")
                  .device(device)
                  .input(one)
                  .input(one)
                  .attribute("T", DataType.DT_INT32)
                  .execute());
      tries.refused(
          "a type that is none",
          () ->
              context
                  .operation("Cast")
                  .device(device)
                  .input(one)
                  .attribute("DstT", DataType.DT_INVALID)
                  .execute());
      tries.refused(
          "a number out of bounds",
          () ->
              context
                  .operation("Split")
                  .device(device)
                  .input(one)
                  .input(one)
                  .attribute("num_split", -1)
                  .execute());
    }
  }

  /** Through a session. */
  static final class Steps {
    private Steps() {}

    /** Everything is wrong but the last. */
    public static void main(String[] arguments) {
      Tries tries = new Tries();
      Server server = Server.createLocal();
      try (Graph graph = new Graph()) {
        Ops tf = Ops.create(graph);
        Placeholder<TFloat32> fed = tf.placeholder(TFloat32.class, Placeholder.shape(Shape.of(2)));
        Operand<TFloat32> negative = tf.math.neg(fed);
        NoOp nothing = tf.noOp();
        try (ClusterSession session = ClusterSession.open(server.target(), graph)) {
          tries.refused("nothing to do", () -> session.step().run());
          tries.refused(
              "a placeholder that is not fed", () -> session.step().fetch(negative).run());
          tries.refused(
              "a value of another type",
              () -> session.step().feed(fed, TInt32.vectorOf(1, 2)).fetch(negative).run());
          tries.refused(
              "a value of another shape",
              () -> session.step().feed(fed, TFloat32.vectorOf(1, 2, 3)).fetch(negative).run());
          tries.refused(
              "a result of what has none",
              () -> session.step().fetch(nothing.op().name() + ":0").run());
          tries.refused(
              "the second result of what has one",
              () -> session.step().fetch(fed.op().name() + ":1").run());
          try (TFloat32 right = TFloat32.vectorOf(1, 2)) {
            session.step().feed(fed, right).fetch(negative).run().close();
          }
        }
      }
      tries.end();
    }
  }
}
