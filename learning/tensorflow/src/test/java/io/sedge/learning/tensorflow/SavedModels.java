package io.sedge.learning.tensorflow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.Session;
import org.tensorflow.Signature;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TType;

/** Makes models as people export them, by TensorFlow itself. */
public final class SavedModels {
  private SavedModels() {}

  /** What a model is of. */
  private interface Making {
    Signature make(Ops ops, Session session);
  }

  private static Path save(Path directory, Making making) throws IOException {
    try (Graph graph = new Graph();
        Session session = new Session(graph)) {
      Signature signature = making.make(Ops.create(graph), session);
      SavedModelBundle.exporter(directory.toString())
          .withTags("serve")
          .withSession(session)
          .withSignature(signature)
          .export();
    }
    return directory;
  }

  private static Signature signature(
      Map<String, Operand<?>> inputs, Map<String, Operand<?>> outputs) {
    Signature.Builder builder = Signature.builder().key("serving_default");
    inputs.forEach(builder::input);
    outputs.forEach(builder::output);
    return builder.build();
  }

  /** The weight of a feature of {@link #network}. */
  static float weight(int feature) {
    return 0.25f * feature - 0.6f;
  }

  /**
   * One FLOAT input (rows, features), and one output (rows, 1), whose weights are variables.
   *
   * @param rows that it takes; below 0 any
   */
  public static Path network(Path directory, int features, int rows) throws IOException {
    return save(
        directory,
        (ops, session) -> {
          float[][] weights = new float[features][1];
          for (int i = 0; i < features; i++) {
            weights[i][0] = weight(i);
          }
          Placeholder<TFloat32> input =
              ops.withName("features")
                  .placeholder(TFloat32.class, Placeholder.shape(Shape.of(rows, features)));
          Variable<TFloat32> kept = ops.variable(Shape.of(features, 1), TFloat32.class);
          session.run(ops.assign(kept, ops.constant(StdArrays.ndCopyOf(weights))));
          Operand<TFloat32> risk = ops.math.sigmoid(ops.linalg.matMul(input, kept));
          return signature(Map.of("features", input), Map.of("risk", risk));
        });
  }

  /** Two DOUBLE inputs (rows, 1), a label (rows) and probabilities (rows, 2). */
  static Path classes(Path directory) throws IOException {
    return save(
        directory,
        (ops, _) -> {
          Placeholder<TFloat64> a =
              ops.placeholder(TFloat64.class, Placeholder.shape(Shape.of(-1, 1)));
          Placeholder<TFloat64> b =
              ops.placeholder(TFloat64.class, Placeholder.shape(Shape.of(-1, 1)));
          Operand<TFloat64> high = ops.math.sigmoid(ops.math.sub(b, a));
          Operand<TFloat64> low = ops.math.sigmoid(ops.math.sub(a, b));
          Operand<TFloat64> both = ops.concat(List.of(low, high), ops.constant(1));
          Operand<TInt64> label = ops.math.argMax(both, ops.constant(1));
          return signature(Map.of("a", a, "b", b), Map.of("probabilities", both, "label", label));
        });
  }

  /** An INT64 input (rows) that says which of four numbers is given. */
  static Path table(Path directory) throws IOException {
    return save(
        directory,
        (ops, _) -> {
          Placeholder<TInt64> input =
              ops.placeholder(TInt64.class, Placeholder.shape(Shape.of(-1)));
          Operand<TFloat64> value =
              ops.gather(ops.constant(new double[] {1.5, 2.5, 3.5, 4.5}), input, ops.constant(0));
          return signature(Map.of("i", input), Map.of("v", value));
        });
  }

  /** A text (rows) that is given back. */
  static Path text(Path directory) throws IOException {
    return save(
        directory,
        (ops, _) -> {
          Placeholder<TString> input =
              ops.placeholder(TString.class, Placeholder.shape(Shape.of(-1)));
          return signature(Map.of("t", input), Map.of("t", ops.identity(input)));
        });
  }

  /** One sum over all rows. */
  static Path total(Path directory) throws IOException {
    return save(
        directory,
        (ops, _) -> {
          Placeholder<TFloat32> input =
              ops.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, 2)));
          Operand<TFloat32> total = ops.sum(input, ops.constant(new int[] {0, 1}));
          return signature(Map.of("x", input), Map.of("total", total));
        });
  }

  /** One that needs a file of the machine to score. */
  static Path spy(Path directory, Path file) throws IOException {
    return save(
        directory,
        (ops, _) -> {
          Placeholder<TFloat32> input =
              ops.placeholder(TFloat32.class, Placeholder.shape(Shape.of(-1, 2)));
          Operand<TString> content = ops.io.readFile(ops.constant(file.toString()));
          Operand<TInt32> length = ops.strings.stringLength(content);
          Operand<TFloat32> sum = ops.sum(input, ops.constant(1));
          Operand<TFloat32> seen = ops.math.add(sum, cast(ops, length));
          return signature(Map.of("x", input), Map.of("seen", seen));
        });
  }

  private static <T extends TType> Operand<TFloat32> cast(Ops ops, Operand<T> value) {
    return ops.dtypes.cast(value, TFloat32.class);
  }
}
