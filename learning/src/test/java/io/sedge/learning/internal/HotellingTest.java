package io.sedge.learning.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.testkit.SharedData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class HotellingTest {
  private static final int SENSORS = 8;
  private static final int TRAINING = 400;

  @Test
  void itIsTheSquaredDistanceInDeviations() {
    Hotelling hotelling = new Hotelling();
    for (double value : new double[] {1, 3, 5}) {
      hotelling.learn(new double[] {value});
    }
    assertThat(hotelling.statistic(new double[] {3})).isZero();
    assertThat(hotelling.statistic(new double[] {7}))
        .isCloseTo(4, within(1e-5)); // A ridge of 1e-6.
  }

  @Test
  void whatHasAlwaysGoneTogetherIsStrangeApart() {
    Hotelling hotelling = new Hotelling();
    for (int i = 0; i < 100; i++) {
      hotelling.learn(new double[] {i, 2 * i, 7});
    }
    assertThat(hotelling.statistic(new double[] {100, 200, 7})).isLessThan(5);
    assertThat(hotelling.statistic(new double[] {100, 0, 7})).isGreaterThan(1e5).isFinite();
    assertThat(hotelling.statistic(new double[] {50, 100, 8})).isGreaterThan(1e10).isFinite();
  }

  /**
   * Trained on the first 400 rows of each file of SKAB, as a rolling median of five rows, above the
   * limit of those who published it: their alarms, row for row.
   */
  @Test
  void theAlarmsAreThoseThatWerePublished() throws IOException {
    Path skab = SharedData.path("skab");
    Map<String, List<String[]>> published;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Files.newInputStream(skab.resolve("published_predictions.csv.gz"))),
                StandardCharsets.UTF_8))) {
      published =
          reader
              .lines()
              .skip(1)
              .map(line -> line.split(",", -1))
              .collect(Collectors.groupingBy(fields -> fields[0]));
    }
    assertThat(published).hasSize(20);
    int compared = 0;
    for (Map.Entry<String, List<String[]>> file : published.entrySet()) {
      double[] statistics = statistics(SharedData.lines(skab.resolve(file.getKey())));
      for (String[] row : file.getValue()) {
        int at = Integer.parseInt(row[1]);
        double[] last = Arrays.copyOfRange(statistics, at - 4, at + 1);
        Arrays.sort(last);
        assertThat(at >= TRAINING + 4 && last[2] > 54.69084)
            .as("%s, row %d", file.getKey(), at)
            .isEqualTo(Double.parseDouble(row[5]) > 0);
        compared++;
      }
    }
    assertThat(compared).isEqualTo(14_472);
  }

  private static double[] statistics(List<String> lines) {
    Hotelling hotelling = new Hotelling();
    List<double[]> rows =
        lines.stream()
            .map(
                line ->
                    Arrays.stream(line.split(";", -1), 1, SENSORS + 1)
                        .mapToDouble(Double::parseDouble)
                        .toArray())
            .toList();
    rows.subList(0, TRAINING).forEach(hotelling::learn);
    return rows.stream().mapToDouble(hotelling::statistic).toArray();
  }
}
