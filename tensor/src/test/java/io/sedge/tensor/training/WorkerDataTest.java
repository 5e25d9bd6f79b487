package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.training.TrainingOptions.Mode;
import io.sedge.tensor.training.cluster.ClusterLostException;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.LocalCluster;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.data.CsvFiles;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.Table;
import io.sedge.tensor.training.data.WorkerFiles;
import io.sedge.tensor.training.data.WorkerFiles.Ownership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that workers read from files, which the chief does not open. */
@Timeout(60)
class WorkerDataTest {
  private static final List<String> FEATURES = List.of("b", "a");
  private static final Model LINE =
      Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED));
  private static ParameterServerStrategy strategy;

  @TempDir private Path folder;

  @BeforeAll
  static void startServers() {
    strategy = ParameterServerStrategy.of(LocalCluster.start(1, 2));
  }

  /** y = 2 a - 3 b + 5; columns in another order, one that nobody wants, blank lines. */
  private Path file(String name, int rows, char separator) throws IOException {
    SplittableRandom random = new SplittableRandom(name.hashCode());
    StringBuilder text = new StringBuilder("\uFEFFy;a;note;b\r\n");
    for (int i = 0; i < rows; i++) {
      double a = random.nextDouble(-5, 20);
      double b = random.nextDouble(100, 101);
      text.append(2 * a - 3 * b + 5).append(';').append(a).append(";\"x;\";").append(b);
      text.append(i % 10 == 0 ? "\r\n\r\n" : "\r\n");
    }
    return Files.writeString(folder.resolve(name), text.toString().replace(';', separator));
  }

  private static WorkerData survey(WorkerFiles files, Model model) throws InterruptedException {
    return WorkerData.survey(
        strategy, files, model, true, CoordinatorOptions.defaults(), what -> {});
  }

  private static WorkerFiles files(Ownership ownership, double validation, Path... paths) {
    return new WorkerFiles(
        java.util.Arrays.stream(paths).map(Path::toString).toList(),
        new ExampleColumns(FEATURES, List.of("y")),
        ownership,
        validation);
  }

  @Test
  void theSurveyFindsWhatReadingHereFinds() throws IOException, InterruptedException {
    Path first = file("first.csv", 5000, ';');
    Path second = file("second.csv", 77, ';');
    WorkerData data = survey(files(Ownership.SHARED, 0, first, second), LINE);
    Table table = CsvFiles.read(List.of(first, second), List.of("b", "a", "y"));
    assertThat(data.examples()).isEqualTo(5077);
    assertThat(data.heldBack()).isZero();
    same(data.featureScaling(), Scaling.of(table, FEATURES));
    same(data.targetScaling(), Scaling.of(table, List.of("y")));
  }

  private static void same(Scaling found, Scaling expected) {
    for (int i = 0; i < expected.size(); i++) {
      assertThat(found.mean().get(i)).isEqualTo(expected.mean().get(i), within(1e-9));
      assertThat(found.deviation().get(i)).isEqualTo(expected.deviation().get(i), within(1e-9));
    }
  }

  @ParameterizedTest
  @EnumSource(Ownership.class)
  void aLineIsFoundInRowsThatOnlyWorkersSee(Ownership ownership)
      throws IOException, InterruptedException {
    WorkerData data = survey(files(ownership, 0.1, file("line.csv", 2000, ',')), LINE);
    int owners = ownership == Ownership.OWN ? 2 : 1;
    assertThat(data.examples()).isEqualTo(1800L * owners);
    assertThat(data.heldBack()).isEqualTo(200L * owners);
    Weights weights =
        ClusterTraining.run(
            strategy,
            LINE,
            new Optimizer.Adam(0.03),
            data,
            TrainingOptions.asynchronous(600, 50),
            ClusterTrainingOptions.withoutCheckpoints(),
            TrainingListener.none());
    Map<String, Double> metrics =
        data.evaluate(strategy, LINE, weights, CoordinatorOptions.defaults(), what -> {});
    assertThat(metrics.get("r2")).isGreaterThan(0.9999);
    try (TrainedModel model =
        TrainedModel.of(LINE, weights, data.featureScaling(), data.targetScaling())) {
      assertThat(model.predict(new double[][] {{100.5, 10}})[0][0])
          .isEqualTo(2 * 10 - 3 * 100.5 + 5, within(0.3));
    }
  }

  /** Every example counts equally often, in windows as well, since two workers share them. */
  @ParameterizedTest
  @CsvSource({"ASYNCHRONOUS,0", "SYNCHRONOUS,0"})
  void windowsAreTrainedOnInBothModes(Mode mode, int backups)
      throws IOException, InterruptedException {
    // Of its own: variables of these names have other types than those of other tests.
    ParameterServerStrategy own = ParameterServerStrategy.of(LocalCluster.start(1, 2));
    Path path = file("windows.csv", 400, '\t');
    ExampleColumns columns = new ExampleColumns(FEATURES, List.of("y"), 4, 2);
    WorkerFiles files = new WorkerFiles(List.of(path.toString()), columns, Ownership.SHARED, 0.2);
    Model model =
        new Model(
            4,
            2,
            List.of(new Layer.Flatten()),
            new Head.Regression(Head.Distance.SQUARED),
            1,
            Model.Precision.FLOAT64,
            1);
    WorkerData data =
        WorkerData.survey(own, files, model, true, CoordinatorOptions.defaults(), what -> {});
    assertThat(data.examples() + data.heldBack()).isEqualTo(199);
    java.util.concurrent.atomic.AtomicLong seen = new java.util.concurrent.atomic.AtomicLong();
    Weights weights =
        ClusterTraining.run(
            own,
            model,
            new Optimizer.Adam(0.05),
            data,
            new TrainingOptions(300, 20, true, 1, mode, backups),
            ClusterTrainingOptions.withoutCheckpoints(),
            (step, loss, examples) -> seen.addAndGet(examples));
    assertThat(seen.get()).isEqualTo(mode == Mode.SYNCHRONOUS ? 12_000 : 6_000);
    assertThat(
            data.evaluate(own, model, weights, CoordinatorOptions.defaults(), what -> {}).get("r2"))
        .isGreaterThan(0.99);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "y,a,b/1,2,3/NaN,2,3|line 3, column 'y' is NaN, which is no number",
        "y,a,b/1,2,3//1,x2,3|line 4, column 'a' is 'x2', which is no number",
        "y,a,b/1,2,3/1,2,|line 3, column 'b' is empty; every row needs a number there",
        "y,a,b/1,2,3/1,2|line 3, has other fields than the first line names",
        "y,a,c/1,2,3|has no column 'b'",
        "y,a,b|0 examples are too few",
        "|is empty; its first line should name the columns",
      })
  void whatIsNoNumberIsToldWithWorkerFileLineAndColumn(String lines, String message)
      throws IOException {
    Path path = folder.resolve("bad.csv");
    Files.writeString(path, lines == null ? "" : lines.replace('/', '\n') + "\n");
    assertThatThrownBy(() -> survey(files(Ownership.OWN, 0, path), LINE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(path.toString())
        .hasMessageMatching("(?s).*on worker [01].*")
        .hasMessageContaining(message);
  }

  @Test
  void aTargetThatIsNoClassIsTold() throws IOException {
    Path path = Files.writeString(folder.resolve("c.csv"), "y,a,b\n1,2,3\n0,7,7\n2,2,2\n");
    Model classes = Model.of(2, List.of(), new Head.Binary());
    assertThatThrownBy(() -> survey(files(Ownership.SHARED, 0, path), classes))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("line 4, column 'y' is 2.0; the model tells classes 0 to 1");
  }

  @Test
  void aFileThatAWorkerLacksIsTold() {
    assertThatThrownBy(() -> survey(files(Ownership.OWN, 0, folder.resolve("no.csv")), LINE))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("no.csv does not exist on worker");
  }

  @Test
  void anOwnerThatDoesNotComeIsTold() throws IOException {
    ClusterSpec cluster = LocalCluster.spec(1, 2);
    LocalCluster.start(cluster, "ps", 0);
    LocalCluster.start(cluster, "worker", 0);
    CoordinatorOptions options =
        CoordinatorOptions.defaults().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(1));
    Path path = file("own.csv", 10, ',');
    assertThatThrownBy(
            () ->
                WorkerData.survey(
                    ParameterServerStrategy.of(cluster),
                    files(Ownership.OWN, 0, path),
                    LINE,
                    true,
                    options,
                    what -> {}))
        .isInstanceOf(ClusterLostException.class)
        .hasMessageContaining("worker 1 at " + cluster.taskAddress("worker", 1))
        .hasMessageContaining("tried for 1 s");
  }
}
