package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.learning.Distribution;
import io.sedge.learning.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is found over devices is what one place finds, and what is known to be right. */
class TrainerTest {
  @TempDir private Path directory;

  private Trained train(Recipe recipe, List<List<double[]>> rows) throws Exception {
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, rows)) {
      return Trainer.train(recipe, devices);
    }
  }

  private Trained train(Algorithm algorithm, List<double[]> rows, String... options)
      throws Exception {
    return train(Plant.recipe(algorithm, options), List.of(rows));
  }

  /**
   * What the rows looked like: about a tenth of a normal feature in each bin, all rows in each
   * column, and no edge that is a value of a row.
   */
  @ParameterizedTest
  @EnumSource
  void aVersionKnowsWhatItsRowsLookedLike(Algorithm algorithm) throws Exception {
    List<double[]> rows = Plant.rows(5_000, algorithm.classes(), 1);
    Trained trained = train(algorithm, rows, "train.epochs", "3");
    List<Distribution> columns = trained.reference().orElseThrow().columns();
    assertThat(columns).hasSize(3 + trained.model().outputs());
    columns.forEach(column -> assertThat(column.rows()).isEqualTo(4_000));
    for (long count : columns.get(2).counts()) {
      assertThat(count).isBetween(300L, 500L);
    }
    for (int i = 0; i < 3; i++) {
      for (double edge : columns.get(i).edges()) {
        int column = i;
        assertThat(rows).noneMatch(row -> row[column] == edge);
      }
    }
    List<String> outputs = trained.model().outputs() == 1 ? List.of("y") : List.of("y", "z");
    assertThat(new String(OnnxFile.of(trained, outputs), StandardCharsets.ISO_8859_1))
        .contains(Reference.KEY, trained.reference().orElseThrow().text());
  }

  /**
   * The promise that the sums of devices are as good as all rows in one place. Each device holds
   * its own newest rows out, so the one place is given the rows so that it holds out the same.
   */
  @ParameterizedTest
  @EnumSource(
      names = {"MLP", "MLP_LOGISTIC"},
      mode = EnumSource.Mode.EXCLUDE)
  void fiveDevicesFindWhatOnePlaceFinds(Algorithm algorithm) throws Exception {
    Recipe recipe = Plant.recipe(algorithm, "train.hold-out", "0.25");
    List<List<double[]>> dealt = new ArrayList<>();
    for (List<double[]> own :
        Plant.dealt(Plant.rows(20_000, algorithm == Algorithm.LOGISTIC, 1), 5, 2)) {
      dealt.add(own.subList(0, own.size() / 4 * 4));
    }
    List<double[]> place = new ArrayList<>();
    dealt.forEach(own -> place.addAll(own.subList(0, own.size() * 3 / 4)));
    dealt.forEach(own -> place.addAll(own.subList(own.size() * 3 / 4, own.size())));

    Trained apart = train(recipe, dealt);
    Trained together = train(recipe, List.of(place));

    assertThat(apart.rows()).isEqualTo(together.rows());
    for (int i = 0; i < 3; i++) {
      // The edges follow from sums, which are rounded; the counts in them do not.
      assertThat(apart.reference().orElseThrow().columns().get(i).counts())
          .isEqualTo(together.reference().orElseThrow().columns().get(i).counts());
    }
    double[] expected = together.model().numbers();
    double[] found = apart.model().numbers();
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i])
          .isCloseTo(expected[i], within(1e-9 * Math.max(1e-6, Math.abs(expected[i]))));
    }
    assertThat(apart.metrics().error())
        .isCloseTo(together.metrics().error(), within(1e-9 * together.metrics().error()));
  }

  @Test
  void leastSquaresAreThoseOfAnOrthogonalDecomposition() throws Exception {
    List<double[]> rows = Plant.rows(2_000, false, 3);
    Linear found = (Linear) train(Algorithm.LINEAR, rows, "train.hold-out", "0.05").model();

    int fitted = 2_000 - 100;
    DMatrixRMaj left = new DMatrixRMaj(fitted, 4);
    DMatrixRMaj right = new DMatrixRMaj(fitted, 1);
    for (int i = 0; i < fitted; i++) {
      double[] row = rows.get(i);
      for (int j = 0; j < 3; j++) {
        left.set(i, j, row[j]);
      }
      left.set(i, 3, 1);
      right.set(i, 0, row[3]);
    }
    // By QR, not by normal equations.
    LinearSolverDense<DMatrixRMaj> solver = LinearSolverFactory_DDRM.leastSquares(fitted, 4);
    assertThat(solver.setA(left)).isTrue();
    DMatrixRMaj expected = new DMatrixRMaj(4, 1);
    solver.solve(right, expected);
    for (int i = 0; i < 4; i++) {
      assertThat(found.numbers()[i])
          .isCloseTo(expected.get(i), within(1e-9 * Math.abs(expected.get(i))));
    }
  }

  /** At the optimum the slope of the penalized loss is 0; that holds nowhere else. */
  @Test
  void logisticRegressionEndsWhereTheSlopeIsZero() throws Exception {
    List<double[]> rows = Plant.rows(4_000, true, 4);
    Recipe recipe = Plant.recipe(Algorithm.LOGISTIC, "ridge", "2", "train.hold-out", "0.05");
    Trained trained = train(recipe, List.of(rows));
    Logistic model = (Logistic) trained.model();

    Scaling scaling = trained.unit();
    double[] slope = new double[4];
    for (double[] row : rows.subList(0, 3_800)) {
      double error = Logistic.likelihood(model.weights().sum(row)) - row[3];
      for (int i = 0; i < 3; i++) {
        slope[i] += error * scaling.scale(i, row[i]);
      }
      slope[3] += error;
    }
    for (int i = 0; i < 3; i++) {
      slope[i] += 2 * model.weights().each()[i] * scaling.spreads()[i];
    }
    assertThat(slope).containsExactly(new double[4], within(1e-6));
    assertThat(trained.metrics().values().get("AUC")).isBetween(0.75, 1.0);
    assertThat(trained.metrics().rows()).isEqualTo(200);
  }

  @Test
  void theAreaUnderTheCurveIsTheShareOfPairsInOrder() throws Exception {
    List<double[]> rows = Plant.rows(3_000, true, 5);
    Trained trained = train(Algorithm.LOGISTIC, rows, "train.hold-out", "0.2");
    Logistic model = (Logistic) trained.model();
    double inOrder = 0;
    double pairs = 0;
    List<double[]> heldOut = rows.subList(2_400, 3_000);
    for (double[] one : heldOut) {
      for (double[] zero : heldOut) {
        if (one[3] == 1 && zero[3] == 0) {
          pairs++;
          inOrder += Math.signum(model.weights().sum(one) - model.weights().sum(zero)) / 2 + 0.5;
        }
      }
    }
    assertThat(trained.metrics().values().get("AUC")).isCloseTo(inOrder / pairs, within(2e-3));
  }

  @Test
  void kindsAreFoundWhereTheyAre() throws Exception {
    Random random = new Random(6);
    List<double[]> rows = new ArrayList<>();
    double[][] middles = {{1, 300, 1000}, {5, 340, 1500}, {9, 420, 1900}};
    for (int i = 0; i < 6_000; i++) {
      double[] middle = middles[random.nextInt(3)];
      rows.add(
          new double[] {
            middle[0] + 0.2 * random.nextGaussian(),
            middle[1] + 3 * random.nextGaussian(),
            middle[2] + 20 * random.nextGaussian()
          });
    }
    Clusters found = (Clusters) train(Algorithm.KMEANS, rows).model();
    List<Double> vibrations = new ArrayList<>();
    for (double[] centre : found.centres()) {
      vibrations.add(centre[0] * found.scaling().spreads()[0] + found.scaling().means()[0]);
    }
    vibrations.sort(null);
    assertThat(vibrations).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(vibrations.get(i)).isCloseTo(middles[i][0], within(0.05));
    }
  }

  /** Two columns that go together and one that does not: known eigenvalues 1 + r, 1, 1 - r. */
  @Test
  void componentsHaveTheVariancesOfTheCorrelations() throws Exception {
    Random random = new Random(7);
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      double common = random.nextGaussian();
      rows.add(
          new double[] {
            common + 0.5 * random.nextGaussian(),
            40 + 9 * (common + 0.5 * random.nextGaussian()),
            random.nextGaussian()
          });
    }
    Components found = (Components) train(Algorithm.PCA, rows, "explained", "1").model();
    double correlation = 1 / 1.25;
    assertThat(found.variances())
        .containsExactly(new double[] {1 + correlation, 1, 1 - correlation}, within(0.02));
    Components most = (Components) train(Algorithm.PCA, rows, "explained", "0.9").model();
    assertThat(most.variances()).hasSize(2);
  }

  @Test
  void aConstantFeatureIsLeftOutAndSaid() throws Exception {
    List<double[]> rows = Plant.rows(1_000, true, 8);
    rows.forEach(row -> row[2] = 1500);
    Trained trained = train(Algorithm.LOGISTIC, rows);
    assertThat(((Logistic) trained.model()).weights().each()[2]).isZero();
    assertThat(trained.notes())
        .containsExactly("speed is 1500.0 in every row, so the model makes nothing of it");
  }

  @Test
  void featuresThatSayTheSameShareTheirWeight() throws Exception {
    List<double[]> rows = Plant.rows(1_000, false, 9);
    rows.forEach(row -> row[2] = 10 * row[0] + 7);
    Trained trained = train(Algorithm.LINEAR, rows);
    double[] weights = ((Linear) trained.model()).weights().each();
    assertThat(weights[2]).isCloseTo(weights[0] / 10, within(1e-6));
    assertThat(trained.notes()).anyMatch(note -> note.contains("share their weight"));
  }

  /** Without a ridge the weights would have no end. */
  @Test
  void aLabelThatFollowsWithoutExceptionGivesFiniteWeights() throws Exception {
    List<double[]> rows = Plant.rows(1_000, true, 10);
    rows.forEach(row -> row[3] = row[0] > 3.5 ? 1 : 0);
    Trained trained = train(Algorithm.LOGISTIC, rows);
    for (double number : trained.model().numbers()) {
      assertThat(number).isFinite();
    }
    assertThat(trained.metrics().values().get("accuracy")).isGreaterThan(0.95);
  }

  @Test
  void whatCannotBeLearnedIsSaid() {
    List<double[]> oneClass = Plant.rows(500, true, 11);
    oneClass.forEach(row -> row[3] = 0);
    assertThatThrownBy(() -> train(Algorithm.LOGISTIC, oneClass))
        .isInstanceOf(TrainingException.class)
        .hasMessage(
            "failed is 0 in all of 400 rows: there is nothing to tell apart; wait until the history"
                + " has both");
    List<double[]> numbers = Plant.rows(500, false, 12);
    assertThatThrownBy(() -> train(Algorithm.LOGISTIC, numbers))
        .hasMessageStartingWith("failed is neither 0 nor 1 in 400 of 400 rows");
    // The newest rows are held out: they must be of a class too, or nobody judges by them.
    List<double[]> newest = Plant.rows(500, true, 12);
    newest.subList(490, 500).forEach(row -> row[3] = 2);
    assertThatThrownBy(() -> train(Algorithm.LOGISTIC, newest, "train.least-rows", "10"))
        .hasMessageStartingWith("failed is neither 0 nor 1 in 10 of 100 rows");
    List<double[]> constant = Plant.rows(500, false, 13);
    constant.forEach(row -> row[3] = 2.5);
    assertThatThrownBy(() -> train(Algorithm.LINEAR, constant))
        .hasMessage("the label is 2.5 in every row: there is nothing to learn");
    List<double[]> still = Plant.rows(500, false, 14);
    still.forEach(row -> java.util.Arrays.fill(row, 0, 3, 1));
    assertThatThrownBy(() -> train(Algorithm.LINEAR, still))
        .hasMessageStartingWith("each feature is the same in every row");
    assertThatThrownBy(() -> train(Algorithm.LINEAR, Plant.rows(50, false, 15)))
        .hasMessageStartingWith("devices gave 0 rows; it takes 5 at least");
  }

  /** Whoever adds, and however often it begins again, the same rows give the same bits. */
  @Test
  void trainingAgainGivesTheSameBits() throws Exception {
    List<List<double[]>> dealt = Plant.dealt(Plant.rows(5_000, true, 16), 3, 17);
    Recipe recipe = Plant.recipe(Algorithm.LOGISTIC);
    assertThat(train(recipe, dealt).model().numbers())
        .isEqualTo(train(recipe, dealt).model().numbers());
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aModelIsMadeAgainOfItsNumbers(Algorithm algorithm) throws Exception {
    FittedModel model =
        train(algorithm, Plant.rows(1_000, algorithm.classes(), 18), "train.epochs", "2").model();
    FittedModel again = FittedModel.of(algorithm, 3, model.numbers());
    assertThat(again.numbers()).isEqualTo(model.numbers());
    assertThat(again.parameters(Plant.FEATURES)).isEqualTo(model.parameters(Plant.FEATURES));
    assertThatThrownBy(() -> FittedModel.of(algorithm, 3, new double[] {1, 2}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
