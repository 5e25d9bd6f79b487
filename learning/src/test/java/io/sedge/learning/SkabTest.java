package io.sedge.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.testkit.SharedData;
import io.sedge.learning.internal.Detector;
import io.sedge.learning.internal.DetectorKind;
import io.sedge.learning.internal.DetectorKinds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The Skoltech benchmark of a water circulation with eight sensors, those of its files that are at
 * hand: the figures of docs/learning.md. As in its protocol a detector learns from the first 400
 * rows of each file, and counts are pooled over the others. Katser, Kozitsin, "Skoltech Anomaly
 * Benchmark (SKAB)", 2020.
 */
class SkabTest {
  private static final int SENSORS = 8;
  private static final int TRAINING = 400;

  /** A file: its rows, and which of them are strange. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
  private record Run(double[][] rows, boolean[] strange) {
    static Run of(Path file) throws IOException {
      List<String[]> lines =
          SharedData.lines(file).stream().map(line -> line.split(";", -1)).toList();
      double[][] rows = new double[lines.size()][SENSORS];
      boolean[] strange = new boolean[rows.length];
      for (int i = 0; i < rows.length; i++) {
        for (int sensor = 0; sensor < SENSORS; sensor++) {
          rows[i][sensor] = Double.parseDouble(lines.get(i)[sensor + 1]);
        }
        String[] line = lines.get(i); // What was never broken has no labels.
        strange[i] = line.length > SENSORS + 1 && Double.parseDouble(line[SENSORS + 1]) > 0;
      }
      return new Run(rows, strange);
    }
  }

  private static List<Run> runs() throws IOException {
    List<Run> runs = new ArrayList<>();
    for (String valve : List.of("valve1", "valve2")) {
      try (Stream<Path> files = Files.list(SharedData.path("skab").resolve(valve))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".csv")).toList()) {
          runs.add(Run.of(file));
        }
      }
    }
    return runs;
  }

  /** Of all rows after the training. */
  private static final class Counts {
    private double found;
    private double missed;
    private double wrong;
    private double quiet;

    void add(boolean strange, boolean alarm) {
      found += strange && alarm ? 1 : 0;
      missed += strange && !alarm ? 1 : 0;
      wrong += !strange && alarm ? 1 : 0;
      quiet += !strange && !alarm ? 1 : 0;
    }

    double f1() {
      return found / (found + (missed + wrong) / 2);
    }

    double falseAlarms() {
      return wrong / (wrong + quiet);
    }

    double missedAlarms() {
      return missed / (missed + found);
    }
  }

  private static Detector detector(double... constants) {
    DetectorKind kind =
        DetectorKinds.ALL.stream()
            .filter(each -> each.name().equals("MEWMA_SCORE"))
            .findFirst()
            .orElseThrow();
    return kind.detector(Arrays.stream(constants).boxed().toList()).get();
  }

  private static Counts counts(List<Run> runs, double threshold, double... constants) {
    Counts counts = new Counts();
    for (Run run : runs) {
      Detector detector = detector(constants);
      for (int i = 0; i < run.rows().length; i++) {
        double score = detector.score(run.rows()[i], 0);
        assertThat(Double.isNaN(score)).isEqualTo(i < TRAINING);
        if (i >= TRAINING) {
          counts.add(run.strange()[i], score >= threshold);
        }
      }
    }
    return counts;
  }

  /**
   * The threshold is that of the documentation for whatever sensors; the others are its neighbours.
   */
  @ParameterizedTest
  @CsvSource({
    "0.1, 4, 0.810, 0.093, 0.266",
    "0.1, 3, 0.831, 0.198, 0.170",
    "0.1, 5, 0.781, 0.033, 0.342",
    "0.2, 3, 0.785, 0.146, 0.275",
    "0.05, 4, 0.837, 0.174, 0.174",
    "1, 2, 0.601, 0.255, 0.478"
  })
  void theFiguresOfTheDocumentationHold(
      double lambda, double threshold, double f1, double falseAlarms, double missedAlarms)
      throws IOException {
    List<Run> runs = runs();
    assertThat(runs).hasSize(20);
    Counts counts = counts(runs, threshold, lambda);
    assertThat(counts.f1()).isCloseTo(f1, within(0.002));
    assertThat(counts.falseAlarms()).isCloseTo(falseAlarms, within(0.002));
    assertThat(counts.missedAlarms()).isCloseTo(missedAlarms, within(0.002));
  }

  /** F1 alone proves nothing. */
  @Test
  void whoAlwaysAlarmsIsCalledFairlyGood() throws IOException {
    Counts counts = counts(runs(), 0);
    assertThat(counts.f1()).isCloseTo(0.702, within(0.001));
    assertThat(counts.falseAlarms()).isEqualTo(1);
  }

  /**
   * Where nothing was broken, a machine that changes by itself is strange after a short training.
   */
  @ParameterizedTest
  @CsvSource({"400, 0.977", "6000, 0.088"})
  void aMachineThatIsWellIsNotStrangeOnceAllItDoesWasSeen(int training, double falseAlarms)
      throws IOException {
    Run run = Run.of(SharedData.path("skab/anomaly-free/anomaly-free.csv"));
    Detector detector = detector(0.1, training);
    int alarms = 0;
    for (double[] row : run.rows()) {
      alarms += detector.score(row, 0) >= 4 ? 1 : 0;
    }
    assertThat((double) alarms / (run.rows().length - training))
        .isCloseTo(falseAlarms, within(0.002));
  }
}
