package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What leaves a device. */
class DeviceRowsTest {
  @TempDir private Path directory;

  private static final TrainingShare FREE = new TrainingShare(1, System::nanoTime);

  /** The privacy statement: no statistic of fewer rows than the script allows. */
  @Test
  void aDeviceWithTooFewRowsGivesNothing() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.LINEAR, "train.least-rows", "100");
    List<double[]> rows = Plant.rows(124, false, 1); // 24 are held out.
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      assertThat(devices.device(0).answer(new Question.Totals(4), FREE).rows()).isEqualTo(100);
      Statistic heldOut =
          devices
              .device(0)
              .answer(
                  new Question.Errors(
                      Linear.of(3, new double[4]), new Scaling(new double[3], new double[3])),
                  FREE);
      assertThat(heldOut.rows()).isZero();
      assertThat(heldOut.sums()).containsOnly(0);
    }
    try (Plant.Devices devices =
        new Plant.Devices(directory, recipe, List.of(rows.subList(0, 123)))) {
      Statistic nothing = devices.device(0).answer(new Question.Totals(4), FREE);
      assertThat(nothing.rows()).isZero();
      assertThat(nothing.sums()).containsOnly(0);
    }
  }

  /** One machine of its own kind among a thousand would be shown by its kind's sums. */
  @Test
  void aKindOfFewRowsIsWithheld() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.KMEANS, "train.least-rows", "10");
    List<double[]> rows = new java.util.ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(new double[] {i % 10, 0, 0});
    }
    rows.set(0, new double[] {1e6, 0, 0});
    Scaling plain = new Scaling(new double[3], new double[] {1, 1, 1});
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      Question question = new Question.Nearest(plain, new double[][] {{5, 0, 0}, {1e6, 0, 0}});
      Statistic answer = devices.device(0).answer(question, FREE);
      assertThat(answer.rows()).isEqualTo(799);
      assertThat(answer.sums()[0]).isEqualTo(799);
      assertThat(java.util.Arrays.copyOfRange(answer.sums(), 4, 8)).containsOnly(0);
    }
  }

  @Test
  void valuesThatAreNoneAreLeftOutAndCounted() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.LINEAR);
    Path file = directory.resolve("rows");
    try (DeviceRows rows = new DeviceRows(file, recipe)) {
      rows.add(new double[] {1, 2, 3, 4}, 50);
      rows.add(new double[] {Double.NaN, 2, 3, 4}, 60);
      rows.add(new double[] {1, Double.POSITIVE_INFINITY, 3, 4}, 70);
      rows.add(new double[] {1, 2, 3, -2e100}, 80);
      rows.add(new double[] {1, 2, 3, 5}, 40);
      rows.finish();
      assertThat(rows.summary()).isEqualTo(new DeviceRows.Summary(2, 3, 40, 50));
      assertThat(Files.size(file)).isEqualTo(64);
    }
    assertThat(file).doesNotExist();
  }

  /** More rows than a buffer holds, and a number of them that does not divide it. */
  @Test
  void sumsAreOfAllRows() throws Exception {
    Recipe recipe = Plant.recipe(Algorithm.LINEAR, "train.hold-out", "0.5");
    List<double[]> rows = Plant.rows(10_001, false, 2);
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, List.of(rows))) {
      double[] expected = new double[6];
      rows.subList(0, 5_001).forEach(row -> new Question.Totals(4).add(row, expected));
      assertThat(devices.device(0).answer(new Question.Totals(4), FREE).sums()).isEqualTo(expected);
    }
  }

  @Test
  void trainingRestsInProportionToItsWork() {
    long[] now = {0};
    TrainingShare share = new TrainingShare(0.25, () -> now[0]);
    now[0] = 10_000_000;
    assertThat(share.restNanos()).isEqualTo(30_000_000);
    now[0] = 40_000_000;
    assertThat(share.restNanos()).isZero();
    now[0] = 44_000_000;
    assertThat(share.restNanos()).isEqualTo(12_000_000);
  }
}
