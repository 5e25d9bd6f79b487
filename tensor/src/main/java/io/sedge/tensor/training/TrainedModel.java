package io.sedge.tensor.training;

import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.Scaling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.Session;
import org.tensorflow.SessionFunction;
import org.tensorflow.Signature;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.core.Variable;
import org.tensorflow.types.family.TFloating;

/**
 * A model with its values: takes numbers as the sensors give them, and gives them as the targets
 * were, since it carries the scaling of both. For one thread at a time.
 */
public final class TrainedModel implements AutoCloseable {
  /** The name of the only signature of an exported model. */
  public static final String SIGNATURE = "serving_default";

  /**
   * The input of the signature: {@code [examples, features]}, or {@code [examples, window,
   * features]}.
   */
  public static final String INPUT = "features";

  /** The output of the signature: {@code [examples, outputs]}. */
  public static final String OUTPUT = "predictions";

  private static final int AT_ONCE = 1024;

  private final Model model;
  private final Scaling featureScaling;
  private final Scaling targetScaling;
  private final Numbers<?> numbers;
  private final Graph graph;
  private final Session session;
  private final Operand<?> input;
  private final Operand<?> output;

  private TrainedModel(
      Model model, Scaling featureScaling, Scaling targetScaling, Numbers<?> numbers, Built built) {
    this.model = model;
    this.featureScaling = featureScaling;
    this.targetScaling = targetScaling;
    this.numbers = numbers;
    this.graph = built.graph();
    this.session = built.session();
    this.input = built.input();
    this.output = built.output();
  }

  private record Built(Graph graph, Session session, Operand<?> input, Operand<?> output) {}

  /**
   * Puts a model together.
   *
   * @param featureScaling one entry for each feature
   * @param targetScaling one entry for each target of a regression; for classes {@link
   *     Scaling#none}; a reconstruction's is that of the features
   */
  public static TrainedModel of(
      Model model, Weights weights, Scaling featureScaling, Scaling targetScaling) {
    Numbers<?> numbers = Numbers.of(model.precision());
    Built built = build(model, weights, featureScaling, targetScaling, numbers);
    return new TrainedModel(model, featureScaling, targetScaling, numbers, built);
  }

  private static <T extends TFloating> Built build(
      Model model,
      Weights weights,
      Scaling featureScaling,
      Scaling targetScaling,
      Numbers<T> numbers) {
    Graph graph = new Graph();
    Ops ops = Ops.create(graph);
    Session session = new Session(graph);
    Shape shape =
        model.window() == 1
            ? Shape.of(-1, model.features())
            : Shape.of(-1, model.window(), model.features());
    Placeholder<T> input =
        ops.withName(INPUT).placeholder(numbers.type(), Placeholder.shape(shape));
    Forward<T> forward =
        new Forward<>(
            ops, model, numbers, weight -> variable(ops, session, numbers, weight, weights));
    Operand<T> sums =
        forward.sums(
            ops.math.div(
                ops.math.sub(input, row(ops, numbers, featureScaling.mean())),
                row(ops, numbers, featureScaling.deviation())));
    Operand<T> output =
        unscaled(ops, model, numbers, forward.predictions(sums), featureScaling, targetScaling);
    return new Built(graph, session, input, ops.withName(OUTPUT).identity(output));
  }

  /** One of TensorFlow's first kind, which its Java classes can save with a model. */
  private static <T extends TFloating> Operand<T> variable(
      Ops ops, Session session, Numbers<T> numbers, Model.Weight weight, Weights weights) {
    Shape shape = TrainingGraph.shape(weight);
    Variable<T> variable =
        ops.withName(weight.name().replace('/', '_')).variable(shape, numbers.type());
    Placeholder<T> value = ops.placeholder(numbers.type(), Placeholder.shape(shape));
    try (Tensor tensor = numbers.tensor(weights.of(weight.name()), shape)) {
      session.runner().feed(value, tensor).addTarget(ops.assign(variable, value)).run().close();
    }
    return variable;
  }

  private static <T extends TFloating> Operand<T> unscaled(
      Ops ops,
      Model model,
      Numbers<T> numbers,
      Operand<T> scaled,
      Scaling featureScaling,
      Scaling targetScaling) {
    return switch (model.head()) {
      case Head.Binary ignored -> scaled;
      case Head.MultiClass ignored -> scaled;
      case Head.Regression ignored -> unscaled(ops, numbers, scaled, targetScaling, 1);
      case Head.Reconstruction ignored ->
          unscaled(ops, numbers, scaled, featureScaling, model.window());
    };
  }

  private static <T extends TFloating> Operand<T> unscaled(
      Ops ops, Numbers<T> numbers, Operand<T> scaled, Scaling scaling, int times) {
    return ops.math.add(
        ops.math.mul(scaled, row(ops, numbers, repeat(scaling.deviation(), times))),
        row(ops, numbers, repeat(scaling.mean(), times)));
  }

  private static List<Double> repeat(List<Double> values, int times) {
    List<Double> repeated = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      repeated.addAll(values);
    }
    return repeated;
  }

  private static <T extends TFloating> Operand<T> row(
      Ops ops, Numbers<T> numbers, List<Double> values) {
    double[] plain = values.stream().mapToDouble(Double::doubleValue).toArray();
    return ops.dtypes.cast(ops.constant(plain), numbers.type());
  }

  /** What the model computes. */
  public Model model() {
    return model;
  }

  /** How features are scaled. */
  public Scaling featureScaling() {
    return featureScaling;
  }

  /** How targets are scaled. */
  public Scaling targetScaling() {
    return targetScaling;
  }

  /**
   * Predicts.
   *
   * @param examples each of {@code window * features} numbers, row after row, not scaled
   * @return for each example, as many numbers as the model has outputs, not scaled
   * @throws IllegalArgumentException if an example has another length
   */
  public double[][] predict(double[][] examples) {
    double[][] predictions = new double[examples.length][];
    int length = model.window() * model.features();
    for (int from = 0; from < examples.length; from += AT_ONCE) {
      int count = Math.min(AT_ONCE, examples.length - from);
      double[] flat = new double[count * length];
      for (int i = 0; i < count; i++) {
        if (examples[from + i].length != length) {
          throw new IllegalArgumentException(
              "example %d has %d numbers; the model takes %d (%d rows of %d)"
                  .formatted(
                      from + i,
                      examples[from + i].length,
                      length,
                      model.window(),
                      model.features()));
        }
        System.arraycopy(examples[from + i], 0, flat, i * length, length);
      }
      double[] outputs = run(flat, count);
      for (int i = 0; i < count; i++) {
        int at = i * model.outputs();
        predictions[from + i] = java.util.Arrays.copyOfRange(outputs, at, at + model.outputs());
      }
    }
    return predictions;
  }

  private double[] run(double[] flat, int count) {
    long[] dimensions = input.asOutput().shape().asArray().clone();
    dimensions[0] = count;
    try (Tensor tensor = numbers.tensor(flat, Shape.of(dimensions));
        Result result = session.runner().feed(input, tensor).fetch(output).run()) {
      return numbers.read(result.get(0));
    }
  }

  /** The metrics of the model on examples that were scaled as its own; in unscaled numbers. */
  public Map<String, Double> evaluate(Examples examples) {
    int length = model.window() * model.features();
    double[][] inputs = new double[examples.size()][length];
    double[][] targets = new double[examples.size()][];
    for (int i = 0; i < inputs.length; i++) {
      examples.copyFeatures(new int[] {i}, inputs[i]);
      for (int j = 0; j < length; j++) {
        inputs[i][j] = featureScaling.unscale(j % model.features(), inputs[i][j]);
      }
      targets[i] = examples.targetWidth() == 0 ? inputs[i] : target(examples, i);
    }
    return Metrics.of(model.head(), predict(inputs), targets);
  }

  private double[] target(Examples examples, int example) {
    double[] target = new double[examples.targetWidth()];
    for (int j = 0; j < target.length; j++) {
      target[j] = targetScaling.unscale(j, examples.target(example, j));
    }
    return target;
  }

  /**
   * Writes a SavedModel: signature {@code serving_default}, from {@link #INPUT} to {@link #OUTPUT},
   * both not scaled. It is written beside and then takes the directory's place as a whole.
   *
   * @param directory replaced if it is there and holds a SavedModel
   * @throws UncheckedIOException if it cannot be written, or holds something else
   */
  public void export(Path directory) {
    Path whole = directory.toAbsolutePath().normalize();
    Path draft = whole.resolveSibling(whole.getFileName() + ".unfinished");
    Signature signature =
        Signature.builder(SIGNATURE).input(INPUT, input).output(OUTPUT, output).build();
    try {
      Files.createDirectories(whole.getParent());
      Directories.remove(draft);
      SavedModelBundle.exporter(draft.toString())
          .withFunction(SessionFunction.create(signature, session))
          .export();
      if (Files.exists(whole)) {
        if (!Files.exists(whole.resolve("saved_model.pb"))) {
          throw new IOException("it is there already and no SavedModel: name another directory");
        }
        Directories.remove(whole);
      }
      Files.move(draft, whole);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the model cannot be written to " + whole + ": " + e.getMessage(), e);
    }
  }

  /** Frees what TensorFlow holds. */
  @Override
  public void close() {
    session.close();
    graph.close();
  }
}
