package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Numbers worked out by hand, and the definition of the area under the curve. */
class MetricsTest {
  @Test
  void regression() {
    Map<String, Double> metrics =
        Metrics.of(
            new Head.Regression(Head.Distance.SQUARED),
            new double[][] {{1}, {2}, {5}},
            new double[][] {{1}, {3}, {3}});
    assertThat(metrics.get("mse")).isEqualTo(5.0 / 3);
    assertThat(metrics.get("mae")).isEqualTo(1.0);
    assertThat(metrics.get("r2")).isCloseTo(1 - 5 / (8.0 / 3), Offset.offset(1e-12));
  }

  @Test
  void binary() {
    Map<String, Double> metrics =
        Metrics.of(
            new Head.Binary(),
            new double[][] {{0.9}, {0.6}, {0.4}, {0.2}},
            new double[][] {{1}, {0}, {1}, {0}});
    assertThat(metrics.get("accuracy")).isEqualTo(0.5);
    assertThat(metrics.get("precision")).isEqualTo(0.5);
    assertThat(metrics.get("recall")).isEqualTo(0.5);
    assertThat(metrics.get("auc")).isEqualTo(0.75);
    assertThat(metrics.get("log_loss"))
        .isCloseTo(
            -(Math.log(0.9) + Math.log(0.4) + Math.log(0.4) + Math.log(0.8)) / 4,
            Offset.offset(1e-12));
  }

  @Test
  void theAreaUnderTheCurveIsTheShareOfPairsInTheRightOrderWithTiesByHalf() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    double[][] predictions = new double[200][1];
    double[][] targets = new double[200][1];
    for (int i = 0; i < 200; i++) {
      predictions[i][0] = random.nextInt(20) / 20.0;
      targets[i][0] = random.nextInt(2);
    }
    double right = 0;
    long pairs = 0;
    for (int i = 0; i < 200; i++) {
      for (int j = 0; j < 200; j++) {
        if (targets[i][0] == 1 && targets[j][0] == 0) {
          pairs++;
          right += (Math.signum(predictions[i][0] - predictions[j][0]) + 1) / 2;
        }
      }
    }
    assertThat(Metrics.of(new Head.Binary(), predictions, targets).get("auc"))
        .as("seed %d", seed)
        .isCloseTo(right / pairs, Offset.offset(1e-12));
  }

  @Test
  void thereIsNoAreaWhereThereIsOneClass() {
    assertThat(Metrics.of(new Head.Binary(), new double[][] {{0.5}}, new double[][] {{1}}))
        .doesNotContainKey("auc");
  }

  @Test
  void classes() {
    Map<String, Double> metrics =
        Metrics.of(
            new Head.MultiClass(3),
            new double[][] {{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}},
            new double[][] {{0}, {1}});
    assertThat(metrics.get("accuracy")).isEqualTo(0.5);
    assertThat(metrics.get("log_loss"))
        .isCloseTo(-(Math.log(0.5) + Math.log(0.1)) / 2, Offset.offset(1e-12));
  }
}
