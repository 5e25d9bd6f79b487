package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Networks over devices that each have machines of their own. */
class NetworkTrainingTest {
  private static final TrainingShare FREE = new TrainingShare(1, System::nanoTime);

  @TempDir private Path directory;

  private Trained train(Recipe recipe, List<List<double[]>> rows) throws Exception {
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, rows)) {
      return Trainer.train(recipe, devices);
    }
  }

  /**
   * What follows from the features is bent and folded; and each machine runs where no other does.
   */
  private static List<List<double[]>> machines(boolean classes, long seed) {
    Random random = new Random(seed);
    int[] counts = {1_500, 3_000, 800, 2_000, 2_700};
    List<List<double[]>> machines = new ArrayList<>();
    for (int machine = 0; machine < counts.length; machine++) {
      double place = machine - 2;
      List<double[]> rows = new ArrayList<>();
      for (int i = 0; i < counts[machine]; i++) {
        double x = place + 0.5 * random.nextGaussian();
        double y = -place / 2 + random.nextGaussian();
        double z = random.nextGaussian();
        double score = Math.sin(1.5 * x) + x * y / 2 + 0.3 * z * z;
        double label =
            classes
                ? (random.nextDouble() < Logistic.likelihood(3 * score) ? 1 : 0)
                : score + 0.2 * random.nextGaussian();
        rows.add(new double[] {3 + x, 330 + 10 * y, 1_500 + 30 * z, label});
      }
      machines.add(rows);
    }
    return machines;
  }

  /** The promise of the issue: 2 % of the error of one place, in at most twice its epochs. */
  @ParameterizedTest
  @CsvSource({
    "MLP, relu, 2, 0.220",
    "MLP, tanh, 2, 0.215",
    "MLP_LOGISTIC, relu, 1, 0.311",
    "MLP_LOGISTIC, tanh, 1, 0.309"
  })
  void fiveMachinesAreNearlyAsGoodApartAsInOnePlace(
      Algorithm algorithm, String activation, long seed, double most) throws Exception {
    Recipe recipe = Plant.recipe(algorithm, "activation", activation);
    List<List<double[]>> machines = machines(algorithm.classes(), seed);
    Trained apart = train(recipe, machines);
    Trained place = train(recipe, Plant.together(machines));
    assertThat(apart.metrics().rows()).isEqualTo(place.metrics().rows());
    assertThat(apart.metrics().error()).isLessThan(1.02 * place.metrics().error());
    assertThat(apart.metrics().error()).isLessThan(most); // That one place is good, too.
    assertThat(apart.rounds()).isLessThan(2 * place.rounds());
  }

  @Test
  void whatIsBentIsLearned() throws Exception {
    Metrics network = train(Plant.recipe(Algorithm.MLP), machines(false, 2)).metrics();
    Metrics line = train(Plant.recipe(Algorithm.LINEAR), machines(false, 2)).metrics();
    assertThat(network.error()).isBetween(0.2, 0.23); // The noise is 0.2.
    assertThat(line.error()).isGreaterThan(0.8);
  }

  /** Against the quotient of differences. */
  @ParameterizedTest
  @EnumSource(Layers.Activation.class)
  void slopesAreThoseOfTheScore(Layers.Activation activation) {
    Layers layers = new Layers(3, List.of(5, 4), activation);
    Random random = new Random(3);
    double[] weights = random.doubles(layers.weights(), -1, 1).toArray();
    double[] row = {0.3, -1.2, 0.8};
    Perceptron perceptron = new Perceptron(layers);
    perceptron.score(weights, row);
    double[] slopes = new double[weights.length];
    perceptron.addGradient(weights, 1, slopes);
    for (int i = 0; i < weights.length; i++) {
      double[] more = weights.clone();
      double[] less = weights.clone();
      more[i] += 1e-6;
      less[i] -= 1e-6;
      double expected = (perceptron.score(more, row) - perceptron.score(less, row)) / 2e-6;
      assertThat(slopes[i]).isCloseTo(expected, within(1e-7));
    }
  }

  /** Whatever the number of steps: one that took a row twice would have other slopes. */
  @ParameterizedTest
  @CsvSource({"1", "103"})
  void eachRowCountsOnceInAnEpoch(int batches) throws Exception {
    Recipe recipe =
        Plant.recipe(Algorithm.MLP, "train.hold-out", "0.05", "train.least-rows", "100");
    List<double[]> rows = Plant.rows(108, false, 4); // 5 are held out, and none says when to stop.
    Layers layers = new Layers(3, List.of(2), Layers.Activation.TANH);
    double[] weights = new Random(5).doubles(layers.weights(), -1, 1).toArray();
    Scaling scaling = new Scaling(new double[] {3, 330, 1_500}, new double[] {1, 10, 30});
    Network network = new Network(Algorithm.MLP, layers, scaling, 1, 2, weights);
    double[] expected = new double[weights.length];
    double[] sum = new double[weights.length];
    for (double[] row : rows.subList(0, 103)) {
      Perceptron perceptron = new Perceptron(layers);
      double[] one = new double[weights.length];
      double error = perceptron.score(weights, scaling.scaled(row)) - (row[3] - 1) / 2;
      perceptron.addGradient(weights, error, one);
      for (int i = 0; i < one.length; i++) {
        sum[i] += one[i];
        expected[i] += one[i] * one[i];
      }
    }
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      Question question =
          new Question.Epoch(
              network, new double[weights.length], new Question.Step(0, 0, batches, 6));
      Statistic answer = devices.device(0).answer(question, FREE);
      assertThat(answer.rows()).isEqualTo(103);
      assertThat(Arrays.copyOf(answer.sums(), 2)).containsOnly(0);
      for (int i = 0; i < weights.length; i++) {
        assertThat(answer.sums()[2 + i] / 103).isCloseTo(weights[i], within(1e-12));
        double squares = batches == 1 ? sum[i] * sum[i] / 103 : expected[i];
        assertThat(answer.sums()[2 + weights.length + i])
            .isCloseTo(squares, within(1e-9 * (1 + squares)));
      }
    }
  }

  /** The privacy statement holds for networks too. */
  @Test
  void aDeviceWithTooFewRowsGivesNoWeights() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.MLP);
    Layers layers = new Layers(3, List.of(2), Layers.Activation.RELU);
    Scaling scaling = new Scaling(new double[3], new double[] {1, 1, 1});
    Network network =
        new Network(Algorithm.MLP, layers, scaling, 0, 1, new double[layers.weights()]);
    Question question =
        new Question.Epoch(network, new double[layers.weights()], new Question.Step(0.1, 0, 5, 6));
    List<double[]> rows = Plant.rows(124, false, 7);
    try (Plant.Devices devices =
        new Plant.Devices(directory, recipe, List.of(rows, rows.subList(0, 123)))) {
      assertThat(devices.device(0).answer(question, FREE).rows()).isEqualTo(100);
      Statistic nothing = devices.device(1).answer(question, FREE);
      assertThat(nothing.rows()).isZero();
      assertThat(nothing.sums()).containsOnly(0);
    }
    // 100 rows say when to stop if there are so many, and none if not.
    List<double[]> more = Plant.rows(625, false, 7);
    try (Plant.Devices devices =
        new Plant.Devices(directory, recipe, List.of(more, more.subList(0, 623)))) {
      Statistic enough = devices.device(0).answer(question, FREE);
      assertThat(enough.rows()).isEqualTo(400);
      assertThat(enough.sums()[1]).isEqualTo(100);
      Statistic tooFew = devices.device(1).answer(question, FREE);
      assertThat(tooFew.rows()).isEqualTo(499);
      assertThat(Arrays.copyOf(tooFew.sums(), 2)).containsOnly(0);
    }
  }

  /** One device measures garbage: the model stays finite, and people are told. */
  @Test
  void theUpdateOfADeviceWithGarbageIsClippedAndSaid() throws Exception {
    List<List<double[]>> machines = machines(false, 8);
    Recipe recipe = Plant.recipe(Algorithm.MLP);
    Random random = new Random(9);
    List<double[]> garbage = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      garbage.add(new double[] {3, 330, 1_500, 1e3 * random.nextGaussian()});
    }
    List<List<double[]>> all = new ArrayList<>(machines.subList(0, 4));
    all.add(garbage);
    Trained trained = train(recipe, all);
    assertThat(trained.notes())
        .anyMatch(note -> note.startsWith("the update of device-4 was clipped in "))
        .noneMatch(note -> note.contains("device-1"));
    for (double number : trained.model().numbers()) {
      assertThat(number).isFinite();
    }
  }

  @Test
  void aDeviceWhoseUpdateIsNoNumberIsLeftOutAndSaid() throws Exception {
    List<List<double[]>> machines = machines(false, 10);
    Recipe recipe = Plant.recipe(Algorithm.MLP, "train.epochs", "5");
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, machines)) {
      Trained trained =
          Trainer.train(
              recipe,
              question -> {
                var answers = devices.ask(question);
                if (question instanceof Question.Epoch) {
                  Arrays.fill(answers.get("device-2").sums(), 2, 20, Double.NaN);
                }
                return answers;
              });
      assertThat(trained.notes())
          .contains(
              "the update of device-2 was left out in 5 epochs, as it was no number: look at its"
                  + " sensors");
      assertThat(trained.metrics().error()).isFinite();
    }
  }

  /** In the epochs that only measure, weights differ by how they were rounded. */
  @Test
  void whatIsRoundedOtherwiseIsNoUpdate() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.MLP, "train.epochs", "5");
    List<List<double[]>> machines = new ArrayList<>();
    for (int machine = 0; machine < 3; machine++) {
      machines.add(Plant.rows(1_000, false, machine));
    }
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, machines)) {
      Trained trained =
          Trainer.train(
              recipe,
              question -> {
                var answers = devices.ask(question);
                if (question instanceof Question.Epoch epoch && epoch.step().rate() == 0) {
                  double[] sums = answers.get("device-2").sums();
                  for (int i = 2; i < 2 + epoch.network().weights().length; i++) {
                    sums[i] *= 1 + 1e-12;
                  }
                }
                return answers;
              });
      assertThat(trained.notes()).noneMatch(note -> note.contains("look at its sensors"));
    }
  }

  /** Steps are as many as all devices together demand: to go through all takes a minute. */
  @Test
  void aDeviceOfFewRowsMakesAStepForEach() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.MLP);
    Layers layers = new Layers(3, List.of(80, 80), Layers.Activation.RELU);
    double[] weights = new Random(5).doubles(layers.weights(), -0.1, 0.1).toArray();
    Scaling scaling = new Scaling(new double[] {3, 330, 1_500}, new double[] {1, 10, 30});
    Network network = new Network(Algorithm.MLP, layers, scaling, 0, 1, weights);
    double[] squares = new double[weights.length];
    Arrays.fill(squares, 1);
    List<double[]> rows = Plant.rows(125, false, 7);
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      Statistic many =
          devices
              .device(0)
              .answer(
                  new Question.Epoch(
                      network, squares, new Question.Step(0.01, 0, Question.Step.MOST_BATCHES, 6)),
                  FREE);
      Statistic each =
          devices
              .device(0)
              .answer(
                  new Question.Epoch(network, squares, new Question.Step(0.01, 0, 100, 6)), FREE);
      assertThat(many.rows()).isEqualTo(100);
      assertThat(many.sums()).isEqualTo(each.sums());
    }
  }

  /** Noise has nothing to be learned: going on would learn it by heart. */
  @Test
  void trainingStopsWhenItGetsNoBetter() throws Exception {
    Random random = new Random(11);
    List<double[]> noise = Plant.rows(2_000, false, 12);
    noise.forEach(row -> row[3] = random.nextGaussian());
    Trained trained = train(Plant.recipe(Algorithm.MLP), List.of(noise));
    assertThat(trained.rounds()).isLessThan(90);
    assertThat(trained.metrics().error()).isBetween(0.9, 1.1);
  }

  @Test
  void theSameSeedGivesTheSameBits() throws Exception {
    List<List<double[]>> machines = machines(true, 13);
    Recipe recipe = Plant.recipe(Algorithm.MLP_LOGISTIC, "train.epochs", "3");
    double[] numbers = train(recipe, machines).model().numbers();
    assertThat(train(recipe, machines).model().numbers()).isEqualTo(numbers);
    Recipe other = Plant.recipe(Algorithm.MLP_LOGISTIC, "train.epochs", "3", "train.seed", "2");
    assertThat(train(other, machines).model().numbers()).isNotEqualTo(numbers);
  }

  @Test
  void aConstantFeatureDoesNoHarm() throws Exception {
    List<List<double[]>> machines = machines(false, 14);
    machines.forEach(rows -> rows.forEach(row -> row[2] = 1_500));
    Trained trained = train(Plant.recipe(Algorithm.MLP, "train.epochs", "5"), machines);
    assertThat(trained.notes())
        .contains("speed is 1500.0 in every row, so the model makes nothing of it");
    assertThat(trained.metrics().error()).isFinite();
  }

  @Test
  void whatCannotBeLearnedIsSaid() {
    List<double[]> numbers = Plant.rows(500, false, 15);
    assertThatThrownBy(() -> train(Plant.recipe(Algorithm.MLP_LOGISTIC), List.of(numbers)))
        .hasMessageStartingWith("failed is neither 0 nor 1 in 400 of 400 rows; mlp-logistic tells");
    List<double[]> constant = Plant.rows(500, false, 16);
    constant.forEach(row -> row[3] = 2.5);
    assertThatThrownBy(() -> train(Plant.recipe(Algorithm.MLP), List.of(constant)))
        .hasMessage("the label is 2.5 in every row: there is nothing to learn");
  }
}
