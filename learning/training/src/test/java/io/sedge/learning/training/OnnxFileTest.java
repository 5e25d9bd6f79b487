package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A version scores the same outside of Sedge, in the runtime as its makers give it away. */
class OnnxFileTest {
  @TempDir private Path directory;

  private FittedModel train(Algorithm algorithm, List<double[]> rows, String... options)
      throws Exception {
    Recipe recipe = Plant.recipe(algorithm, options);
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      return Trainer.train(recipe, devices).model();
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void theStockRuntimeGivesTheSameScores(Algorithm algorithm) throws Exception {
    List<double[]> rows = Plant.rows(3_000, algorithm.classes(), 1);
    FittedModel model = train(algorithm, rows);
    scoresAreTheSame(model, Plant.recipe(algorithm).outputs(), rows);
  }

  @Test
  void soItIsWithSeveralLayersAndTheOtherActivation() throws Exception {
    List<double[]> rows = Plant.rows(1_000, false, 3);
    FittedModel model =
        train(Algorithm.MLP, rows, "hidden", "7,5,3", "activation", "tanh", "train.epochs", "3");
    scoresAreTheSame(model, List.of("risk"), rows);
  }

  /** A column may have the name of whatever is inside of the file. */
  @ParameterizedTest
  @CsvSource({
    "LINEAR, sum, ''",
    "LINEAR, weighted, ''",
    "LOGISTIC, sum, ''",
    "LOGISTIC, features, ''",
    "LOGISTIC, likelihood, ''",
    "KMEANS, distances, nearest",
    "KMEANS, distance, _distance",
    "KMEANS, distances_axis, features",
    "PCA, along_squares, _along_squares",
    "PCA, ratio_sum, beside_sum",
    "MLP, values_1, ''",
    "MLP_LOGISTIC, spread, ''"
  })
  void columnsMayHaveTheNamesOfInnerValues(Algorithm algorithm, String first, String second)
      throws Exception {
    List<double[]> rows = Plant.rows(1_000, algorithm.classes(), 1);
    List<String> outputs = second.isEmpty() ? List.of(first) : List.of(first, second);
    scoresAreTheSame(train(algorithm, rows), outputs, rows);
  }

  private static void scoresAreTheSame(FittedModel model, List<String> outputs, List<double[]> rows)
      throws Exception {
    double[][] features = rows.stream().map(row -> Arrays.copyOf(row, 3)).toArray(double[][]::new);
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (OrtSession session = environment.createSession(OnnxFile.of(model, outputs));
        OnnxTensor input = OnnxTensor.createTensor(environment, features);
        OrtSession.Result result =
            session.run(Map.of(session.getInputNames().iterator().next(), input))) {
      assertThat(session.getOutputNames()).containsExactlyElementsOf(outputs);
      for (int i = 0; i < features.length; i++) {
        double[] expected = scores(model, features[i]);
        assertThat(model.score(features[i])).containsExactly(expected, within(1e-9));
        for (int j = 0; j < expected.length; j++) {
          Object value = result.get(j).getValue();
          double found = value instanceof long[] whole ? whole[i] : ((double[]) value)[i];
          assertThat(found).isCloseTo(expected[j], within(1e-9 * (1 + Math.abs(expected[j]))));
        }
      }
    }
  }

  /** The definitions, written down once more. */
  private static double[] scores(FittedModel model, double[] row) {
    return switch (model) {
      case Linear linear -> new double[] {sum(linear.weights(), row)};
      case Logistic logistic -> new double[] {1 / (1 + Math.exp(-sum(logistic.weights(), row)))};
      case Clusters clusters -> {
        double least = Double.MAX_VALUE;
        int nearest = -1;
        for (int i = 0; i < clusters.centres().length; i++) {
          double distance = 0;
          for (int j = 0; j < 3; j++) {
            distance += Math.pow(clusters.scaling().scale(j, row[j]) - clusters.centres()[i][j], 2);
          }
          if (distance < least) {
            least = distance;
            nearest = i;
          }
        }
        yield new double[] {nearest, Math.sqrt(least)};
      }
      case Components components -> {
        double whole = 0;
        double along = 0;
        double far = 0;
        for (int j = 0; j < 3; j++) {
          whole += Math.pow(components.scaling().scale(j, row[j]), 2);
        }
        for (int i = 0; i < components.directions().length; i++) {
          double length = 0;
          for (int j = 0; j < 3; j++) {
            length += components.directions()[i][j] * components.scaling().scale(j, row[j]);
          }
          along += length * length;
          far += length * length / components.variances()[i];
        }
        yield new double[] {whole - along, far};
      }
      case Network network -> network.score(row);
    };
  }

  private static double sum(Weights weights, double[] row) {
    double sum = weights.intercept();
    for (int i = 0; i < row.length; i++) {
      sum += weights.each()[i] * row[i];
    }
    return sum;
  }

  @Test
  void theSameModelHasTheSameBytes() throws Exception {
    FittedModel model = train(Algorithm.PCA, Plant.rows(1_000, false, 2));
    assertThat(OnnxFile.of(model, List.of("q", "t2")))
        .isEqualTo(
            OnnxFile.of(FittedModel.of(Algorithm.PCA, 3, model.numbers()), List.of("q", "t2")));
  }
}
