package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.testkit.SharedData;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long will an engine last? NASA's C-MAPSS FD001, 100 engines that run until they fail, over
 * five devices with twenty each: the figures of docs/learning.md. Saxena, Goebel, Simon, Eklund,
 * "Damage Propagation Modeling for Aircraft Engine Run-to-Failure Simulation", PHM 2008. What is
 * left is at most 125 cycles, as is usual since Heimes, PHM 2008.
 */
class TurbofanTest {
  private static final int ENGINES = 100;
  private static final int DEVICES = 5;
  private static final double MOST_LEFT = 125;

  /** Sensors that change, by their column. */
  private static final int[] SENSORS = {6, 7, 8, 11, 12, 13, 15, 16, 17, 18, 19, 21, 24, 25};

  /**
   * Of so many cycles each sensor's means, as {@code AVG(…) OVER (… ROWS 9 PRECEDING)} gives them:
   * how it is, and how it was before. Thirty are a usual window: Li, Ding, Sun, Reliability
   * Engineering and System Safety 172, 2018.
   */
  private static final int[] WINDOWS = {10, 30};

  private static final int FEATURES = SENSORS.length * WINDOWS.length;

  @TempDir private Path directory;

  private static Recipe recipe() {
    Schema.Builder input = Schema.builder();
    for (int i = 0; i < FEATURES; i++) {
      input.add("x" + i, Type.DOUBLE);
    }
    return Recipe.of(
        new ModelDescriptor(
            "life",
            input.build(),
            Schema.builder().add("left", Type.DOUBLE).build(),
            Map.of("algorithm", "mlp", "label", "cycles")));
  }

  /** The rows of each engine. */
  private static List<List<double[]>> engines() throws IOException {
    Map<Integer, List<double[]>> read = new TreeMap<>();
    for (String line : Files.readAllLines(SharedData.path("cmapss").resolve("train_FD001.txt"))) {
      String[] cells = line.strip().split(" +", -1);
      double[] row = new double[cells.length];
      for (int i = 0; i < row.length; i++) {
        row[i] = Double.parseDouble(cells[i]);
      }
      read.computeIfAbsent((int) row[0], _ -> new ArrayList<>()).add(row);
    }
    return read.values().stream().map(TurbofanTest::rows).toList();
  }

  private static List<double[]> rows(List<double[]> cycles) {
    List<double[]> rows = new ArrayList<>();
    for (int at = 0; at < cycles.size(); at++) {
      double[] row = new double[FEATURES + 1];
      int feature = 0;
      for (int window : WINDOWS) {
        List<double[]> last = cycles.subList(Math.max(0, at + 1 - window), at + 1);
        for (int sensor : SENSORS) {
          row[feature++] =
              last.stream().mapToDouble(cycle -> cycle[sensor]).average().orElseThrow();
        }
      }
      row[FEATURES] = Math.min(MOST_LEFT, cycles.size() - 1 - at);
      rows.add(row);
    }
    return rows;
  }

  private Metrics train(List<List<double[]>> rows) throws Exception {
    Recipe recipe = recipe();
    try (Plant.Devices devices = new Plant.Devices(directory, recipe, rows)) {
      return Trainer.train(recipe, devices).metrics();
    }
  }

  /** Short-lived engines on one device, long-lived ones on another. */
  @Test
  void devicesForetellWhereEachHasEnginesOfAnotherLife() throws Exception {
    List<List<double[]>> engines = new ArrayList<>(engines());
    engines.sort(Comparator.comparingInt(List::size));
    check("by life", engines, 1.12);
  }

  @Test
  void devicesForetellWhereEachHasSomeEngines() throws Exception {
    check("as numbered", engines(), 1.02);
  }

  private void check(String order, List<List<double[]>> engines, double mostRatio)
      throws Exception {
    List<List<double[]>> devices = new ArrayList<>();
    for (int device = 0; device < DEVICES; device++) {
      List<double[]> rows = new ArrayList<>();
      engines
          .subList(device * ENGINES / DEVICES, (device + 1) * ENGINES / DEVICES)
          .forEach(rows::addAll);
      devices.add(rows.subList(0, rows.size() / 25 * 25)); // What is held out is a whole number.
    }
    Metrics apart = train(devices);
    Metrics place = train(Plant.together(devices));
    System.out.printf(
        Locale.ROOT,
        "engines %s: RMSE %.2f cycles on five devices, %.2f in one place%n",
        order,
        apart.error(),
        place.error());
    assertThat(apart.rows()).isEqualTo(place.rows());
    assertThat(apart.error()).isLessThan(17);
    assertThat(apart.error()).isLessThan(mostRatio * place.error());
  }
}
