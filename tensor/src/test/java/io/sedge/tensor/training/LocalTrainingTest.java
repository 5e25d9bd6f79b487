package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.training.Head.Distance;
import io.sedge.tensor.training.Layer.Conv1D;
import io.sedge.tensor.training.Layer.Dense;
import io.sedge.tensor.training.Layer.Flatten;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Training on TensorFlow in one process: what every cluster must come to as well. */
class LocalTrainingTest {
  @Test
  void leastSquaresOnTheTurbineComesToTheExactSolution() {
    Weights weights =
        LocalTraining.run(
            SharedData.linear(),
            new Optimizer.Momentum(0.2, 0.95, false),
            SharedData.turbine(),
            TrainingOptions.wholeShards(1500),
            TrainingListener.none());
    assertThat(SharedData.distance(weights)).isLessThan(1e-6);
  }

  static List<Optimizer> optimizers() {
    return List.of(
        new Optimizer.Sgd(0.1),
        new Optimizer.Momentum(0.02, 0.9, false),
        new Optimizer.Momentum(0.02, 0.9, true),
        new Optimizer.Adam(0.03),
        new Optimizer.AdaGrad(0.3));
  }

  /** y = 2 a - b + 3, without noise. */
  @ParameterizedTest
  @MethodSource("optimizers")
  void everyOptimizerFindsALine(Optimizer optimizer) {
    Examples examples = line(400);
    Weights weights =
        LocalTraining.run(
            Model.of(2, List.of(), new Head.Regression(Distance.SQUARED)),
            optimizer,
            examples,
            TrainingOptions.asynchronous(1500, 50),
            TrainingListener.none());
    assertThat(weights.of("head/kernel")[0]).isBetween(1.99, 2.01);
    assertThat(weights.of("head/kernel")[1]).isBetween(-1.01, -0.99);
    assertThat(weights.of("head/bias")[0]).isBetween(2.99, 3.01);
  }

  /** One step of each, from known values, by the papers' formulas. */
  @Test
  void oneStepOfAdamIsThePapers() {
    Table table = Table.of("one", List.of("x", "y"), List.of(new double[] {1, 5}));
    Examples one = examples(table, List.of("x"), List.of("y"), 1);
    Model model =
        Model.of(1, List.of(), new Head.Regression(Distance.SQUARED))
            .withPrecision(Model.Precision.FLOAT64);
    double kernel = InitialValues.draw(model.weights().getFirst(), model.seed())[0];
    Weights weights =
        LocalTraining.run(
            model,
            new Optimizer.Adam(0.1, 0.9, 0.999, 1e-7),
            one,
            TrainingOptions.wholeShards(1),
            TrainingListener.none());
    double gradient = 2 * (kernel - 5);
    double m = 0.1 * gradient;
    double v = 0.001 * gradient * gradient;
    // TensorFlow scales the rate and leaves epsilon outside of the correction.
    double rate = 0.1 * Math.sqrt(1 - 0.999) / (1 - 0.9);
    assertThat(weights.of("head/kernel")[0])
        .isCloseTo(kernel - rate * m / (Math.sqrt(v) + 1e-7), within(1e-12));
  }

  private static org.assertj.core.data.Offset<Double> within(double distance) {
    return org.assertj.core.data.Offset.offset(distance);
  }

  @ParameterizedTest
  @MethodSource("distances")
  void everyDistanceFindsTheLine(Distance distance) {
    Weights weights =
        LocalTraining.run(
            Model.of(2, List.of(), new Head.Regression(distance)),
            new Optimizer.Adam(0.02),
            line(400),
            TrainingOptions.asynchronous(1500, 50),
            TrainingListener.none());
    assertThat(weights.of("head/kernel")[0]).isBetween(1.9, 2.1);
  }

  static Distance[] distances() {
    return Distance.values();
  }

  /** Not separable by a line: the hidden layer must be used, with each activation. */
  @ParameterizedTest
  @MethodSource("activations")
  void aHiddenLayerLearnsExclusiveOr(Activation activation) {
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int a = i % 2;
      int b = i / 2 % 2;
      rows.add(new double[] {a, b, a ^ b});
    }
    Table table = Table.of("xor", List.of("a", "b", "c"), rows);
    Examples examples = examples(table, List.of("a", "b"), List.of("c"), 1);
    Model model = Model.of(2, List.of(new Dense(16, activation)), new Head.Binary());
    Map<String, Double> metrics = metrics(model, examples, 1500);
    assertThat(metrics.get("accuracy")).isEqualTo(1.0);
    assertThat(metrics.get("auc")).isEqualTo(1.0);
  }

  static List<Activation> activations() {
    return List.of(
        Activation.RELU, Activation.TANH, Activation.SIGMOID, Activation.ELU, Activation.SOFTPLUS);
  }

  @Test
  void threeClassesAreTold() {
    SplittableRandom random = new SplittableRandom(5);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      double angle = i % 3 * 2 * Math.PI / 3;
      rows.add(
          new double[] {
            Math.cos(angle) + 0.2 * random.nextDouble(),
            Math.sin(angle) + 0.2 * random.nextDouble(),
            i % 3
          });
    }
    Table table = Table.of("classes", List.of("x", "y", "class"), rows);
    Examples examples = examples(table, List.of("x", "y"), List.of("class"), 1);
    Map<String, Double> metrics =
        metrics(Model.of(2, List.of(), new Head.MultiClass(3)), examples, 500);
    assertThat(metrics.get("accuracy")).isEqualTo(1.0);
    assertThat(metrics.get("log_loss")).isLessThan(0.1);
  }

  /** The class is the direction of a ramp in the window, wherever its level is. */
  @Test
  void aConvolutionSeesTheShapeOfAWindow() {
    SplittableRandom random = new SplittableRandom(6);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      double level = 10 * random.nextDouble();
      for (int j = 0; j < 8; j++) {
        rows.add(new double[] {level + (i % 2 == 0 ? j : -j), i % 2});
      }
    }
    Table table = Table.of("ramps", List.of("x", "down"), rows);
    ExampleColumns columns = new ExampleColumns(List.of("x"), List.of("down"), 8, 8);
    Examples examples =
        Examples.of(table, columns, Scaling.of(table, List.of("x")), Scaling.none(1));
    Model model =
        new Model(
            8,
            1,
            List.of(
                new Conv1D(4, 3, 1, false, Activation.RELU),
                new Conv1D(4, 3, 2, true, Activation.RELU),
                new Flatten()),
            new Head.Binary(),
            1,
            Model.Precision.FLOAT32,
            3);
    assertThat(metrics(model, examples, 400).get("accuracy")).isEqualTo(1.0);
  }

  /** Four columns of which two say all: two numbers in the middle are enough. */
  @Test
  void anAutoencoderReproducesWhatItSees() {
    SplittableRandom random = new SplittableRandom(7);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      double a = random.nextDouble();
      double b = random.nextDouble();
      rows.add(new double[] {a, b, a + b, a - b});
    }
    List<String> names = List.of("a", "b", "c", "d");
    Table table = Table.of("sums", names, rows);
    Examples examples = examples(table, names, List.of(), 0);
    Model model =
        Model.of(
            4, List.of(new Dense(2, Activation.LINEAR)), new Head.Reconstruction(Distance.SQUARED));
    assertThat(metrics(model, examples, 2000).get("rmse")).isLessThan(0.02);
  }

  @Test
  void theSameSeedGivesTheSameModelAndAnotherSeedAnother() {
    Weights first = small(1);
    assertThat(small(1)).isEqualTo(first);
    assertThat(small(2)).isNotEqualTo(first);
  }

  private static Weights small(long seed) {
    return LocalTraining.run(
        Model.of(2, List.of(new Dense(4, Activation.TANH)), new Head.Regression(Distance.SQUARED))
            .withSeed(seed),
        new Optimizer.Adam(0.01),
        line(100),
        TrainingOptions.asynchronous(50, 10),
        TrainingListener.none());
  }

  @Test
  void aLossThatRunsAwayEndsTheTrainingAndSaysWhatToDo() {
    assertThatThrownBy(
            () ->
                LocalTraining.run(
                    Model.of(2, List.of(), new Head.Regression(Distance.SQUARED)),
                    new Optimizer.Sgd(1e6),
                    line(100),
                    TrainingOptions.asynchronous(1000, 10),
                    TrainingListener.none()))
        .isInstanceOf(TrainingException.class)
        .hasMessageContaining("smaller learning rate");
  }

  static Examples line(int count) {
    SplittableRandom random = new SplittableRandom(4);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double a = random.nextDouble() * 2 - 1;
      double b = random.nextDouble() * 2 - 1;
      rows.add(new double[] {a, b, 2 * a - b + 3});
    }
    Table table = Table.of("line", List.of("a", "b", "y"), rows);
    return examples(table, List.of("a", "b"), List.of("y"), 1);
  }

  private static Examples examples(
      Table table, List<String> features, List<String> targets, int width) {
    return Examples.of(
        table,
        new ExampleColumns(features, targets),
        Scaling.none(features.size()),
        Scaling.none(width));
  }

  private static Map<String, Double> metrics(Model model, Examples examples, int steps) {
    Weights weights =
        LocalTraining.run(
            model,
            new Optimizer.Adam(0.02),
            examples,
            TrainingOptions.asynchronous(steps, 40),
            TrainingListener.none());
    Scaling none = Scaling.none(model.features());
    try (TrainedModel trained =
        TrainedModel.of(model, weights, none, Scaling.none(model.targets()))) {
      return trained.evaluate(examples);
    }
  }
}
