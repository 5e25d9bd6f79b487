package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.training.Layer.Dense;
import io.sedge.tensor.training.data.Scaling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.Result;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.types.TFloat64;

class TrainedModelTest {
  private static final Model LINE =
      Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED))
          .withPrecision(Model.Precision.FLOAT64);

  private static TrainedModel line() {
    return TrainedModel.of(
        LINE,
        new Weights(Map.of("head/kernel", List.of(2.0, -1.0), "head/bias", List.of(3.0))),
        new Scaling(List.of(10.0, 20.0), List.of(2.0, 4.0)),
        new Scaling(List.of(100.0), List.of(5.0)));
  }

  /** 100 + 5 (2 (12-10)/2 - (16-20)/4 + 3) = 130. */
  @Test
  void predictionsAreInTheUnitsOfTheData() {
    try (TrainedModel model = line()) {
      assertThat(model.predict(new double[][] {{12, 16}, {10, 20}}))
          .isDeepEqualTo(new double[][] {{130}, {115}});
    }
  }

  @Test
  void anExampleOfAnotherLengthIsRefused() {
    try (TrainedModel model = line()) {
      assertThatThrownBy(() -> model.predict(new double[][] {{1, 2}, {1, 2, 3}}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("example 1 has 3 numbers; the model takes 2");
    }
  }

  @Test
  void anExportedModelReadsBackWithTheSameNumbers(@TempDir Path folder) {
    Path exported = folder.resolve("model");
    Model deep =
        Model.of(3, List.of(new Dense(5, Activation.TANH)), new Head.MultiClass(4))
            .withPrecision(Model.Precision.FLOAT64);
    Weights weights =
        new Weights(
            deep.weights().stream()
                .collect(
                    java.util.stream.Collectors.toMap(
                        Model.Weight::name,
                        weight ->
                            java.util.Arrays.stream(InitialValues.draw(weight, 9))
                                .boxed()
                                .toList())));
    double[][] examples = {{1, 2, 3}, {-4, 5, 6}};
    double[][] expected;
    try (TrainedModel model = TrainedModel.of(deep, weights, Scaling.none(3), Scaling.none(1))) {
      expected = model.predict(examples);
      model.export(exported);
      model.export(exported);
    }
    try (SavedModelBundle bundle = SavedModelBundle.load(exported.toString(), "serve");
        TFloat64 input = TFloat64.tensorOf(StdArrays.ndCopyOf(examples));
        Result result =
            bundle.function(TrainedModel.SIGNATURE).call(Map.of(TrainedModel.INPUT, input))) {
      TFloat64 output = (TFloat64) result.get(TrainedModel.OUTPUT).orElseThrow();
      assertThat(StdArrays.array2dCopyOf(output)).isDeepEqualTo(expected);
    }
    assertThat(expected[0]).hasSize(4);
    assertThat(java.util.Arrays.stream(expected[0]).sum()).isCloseTo(1, Offset.offset(1e-12));
  }

  @Test
  void aDirectoryThatHoldsSomethingElseIsNotReplaced(@TempDir Path folder) throws IOException {
    Path taken = Files.createDirectories(folder.resolve("mine"));
    Files.writeString(taken.resolve("letter.txt"), "dear");
    try (TrainedModel model = line()) {
      assertThatThrownBy(() -> model.export(taken)).hasMessageContaining("name another directory");
    }
    assertThat(taken.resolve("letter.txt")).exists();
  }
}
