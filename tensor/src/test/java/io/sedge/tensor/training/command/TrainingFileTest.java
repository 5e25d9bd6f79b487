package io.sedge.tensor.training.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.training.Head;
import io.sedge.tensor.training.Layer;
import io.sedge.tensor.training.Optimizer;
import io.sedge.tensor.training.TrainingOptions.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingFileTest {
  private static final String GOOD =
      """
      data:
        files: [a.csv, /b.csv]
        features: [x, y]
        targets: z
        window: 5
      model:
        head: classes
        classes: 3
        layers:
          - convolution: 4
            kernel: 2
            activation: tanh
          - flatten
          - dense: 8
      training:
        optimizer: momentum
        learning_rate: 0.5
        steps: 100
        mode: synchronous
      cluster:
        workers: 3
      """;

  private static TrainingFile parse(String text) {
    return TrainingFile.parse(text, "t.yaml", Path.of("/data"), "t");
  }

  @Test
  void everyPartIsRead() {
    TrainingFile file = parse(GOOD);
    assertThat(file.data().files()).containsExactly(Path.of("/data/a.csv"), Path.of("/b.csv"));
    assertThat(file.model().head()).isEqualTo(new Head.MultiClass(3));
    assertThat(file.model().layers()).hasSize(3);
    assertThat(file.model().layers().get(1)).isEqualTo(new Layer.Flatten());
    assertThat(file.training().optimizer()).isEqualTo(new Optimizer.Momentum(0.5, 0.9, false));
    assertThat(file.training().steps()).isEqualTo(100);
    assertThat(file.cluster().mode()).isEqualTo(Mode.SYNCHRONOUS);
    assertThat(file.cluster().workers()).isEqualTo(3);
    assertThat(file.output()).isEqualTo(Path.of("trained/t"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "features: [x, y]   | feature: [x, y]     | data.feature is not known (did you mean"
            + " features?)",
        "features: [x, y]   | feature: [x, y]     | data.features is missing: name the columns",
        "head: classes      | head: class         | model.head: class is not one of regression,"
            + " binary",
        "classes: 3         | classes: 1          | model.classes: 1 is not a whole number from 2",
        "learning_rate: 0.5 | learning_rate: -1   | training.learning_rate: -1 is not a number"
            + " above 0.0",
        "steps: 100         | epochs: none        | training.epochs: none is not a whole number"
            + " from 1",
        "kernel: 2          | kernel: 9           | layer_0 is a convolution over 9 rows and gets",
        "- flatten          | - dropout           | model.layers[1].dense is missing: a layer is"
            + " dense",
        "- dense: 8         | - dense: many       | model.layers[2].dense: many is not a whole"
            + " number",
        "workers: 3         | workers: 100        | cluster.workers: 100 is not a whole number from"
            + " 1 to 64",
        "'  files:'         | '  fil:'            | data.files is missing: name CSV files there",
        "targets: z         | targets: x          | column 'x' is a feature and a target",
        "targets: z         | targets: [z, w]     | 2 targets, but a head for multiclass needs 1",
        "cluster:           | 'cluster: ]'        | t.yaml is not YAML",
      })
  void whatIsWrongIsToldWithItsPlace(String right, String wrong, String message) {
    assertThat(GOOD).contains(right);
    assertThatThrownBy(() -> parse(GOOD.replace(right, wrong)))
        .isInstanceOf(RuntimeException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("t.yaml");
  }

  @Test
  void allProblemsAreToldAtOnceWithTheirLines() {
    assertThatThrownBy(
            () -> parse(GOOD.replace("steps: 100", "step: 100").replace("workers", "worker")))
        .hasMessageContaining("training.step is not known (did you mean steps?)")
        .hasMessageContaining("(t.yaml:18)")
        .hasMessageContaining("cluster.worker is not known (did you mean workers?)")
        .hasMessageContaining("(t.yaml:21)");
  }

  @Test
  void theExampleIsValid() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("examples/turbine.yaml"))) {
      here = here.getParent();
    }
    TrainingFile file = TrainingFile.read(here.resolve("examples/turbine.yaml"));
    PreparedData data = PreparedData.of(file);
    assertThat(data.training().size() + data.validation().size()).isEqualTo(7411);
  }

  @Test
  void generatedDataHasTenFeaturesAndBothLabels() {
    PreparedData data = PreparedData.of(TrainingFile.generated(1000));
    assertThat(data.training().width()).isEqualTo(10);
    double labels = 0;
    for (int i = 0; i < data.training().size(); i++) {
      labels += data.training().target(i, 0);
    }
    assertThat(labels).isBetween(200.0, 600.0);
  }
}
