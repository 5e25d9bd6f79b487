package io.sedge.tensor.training;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How good predictions are, by name, computed in 8-byte numbers.
 *
 * <ul>
 *   <li>Regression and reconstruction: {@code mse}, {@code rmse}, {@code mae}; for one target also
 *       {@code r2}, the share of the variance that is explained.
 *   <li>Binary: {@code log_loss}, {@code accuracy}, {@code precision}, {@code recall} at 0.5;
 *       {@code auc}, the chance that an example of class 1 gets more than one of class 0, where
 *       there are both, exact, ties by half.
 *   <li>Classes: {@code log_loss}, {@code accuracy}.
 * </ul>
 */
public final class Metrics {
  private static final double LEAST = 1e-15;

  private Metrics() {}

  /**
   * Metrics of examples.
   *
   * @param head decides which
   * @param predictions {@code [example][output]}
   * @param targets {@code [example][target]}
   */
  public static Map<String, Double> of(Head head, double[][] predictions, double[][] targets) {
    if (predictions.length == 0 || predictions.length != targets.length) {
      throw new IllegalArgumentException(
          "%d predictions of %d targets".formatted(predictions.length, targets.length));
    }
    return switch (head) {
      case Head.Regression ignored -> distances(predictions, targets);
      case Head.Reconstruction ignored -> distances(predictions, targets);
      case Head.Binary ignored -> binary(predictions, targets);
      case Head.MultiClass ignored -> classes(predictions, targets);
    };
  }

  private static Map<String, Double> distances(double[][] predictions, double[][] targets) {
    double squares = 0;
    double sizes = 0;
    long count = 0;
    for (int i = 0; i < predictions.length; i++) {
      for (int j = 0; j < predictions[i].length; j++) {
        double difference = predictions[i][j] - targets[i][j];
        squares += difference * difference;
        sizes += Math.abs(difference);
        count++;
      }
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("mse", squares / count);
    metrics.put("rmse", Math.sqrt(squares / count));
    metrics.put("mae", sizes / count);
    if (targets[0].length == 1) {
      double mean = Arrays.stream(targets).mapToDouble(target -> target[0]).average().orElse(0);
      double spread = Arrays.stream(targets).mapToDouble(target -> square(target[0] - mean)).sum();
      if (spread > 0) {
        metrics.put("r2", 1 - squares / spread);
      }
    }
    return metrics;
  }

  private static double square(double value) {
    return value * value;
  }

  private static Map<String, Double> binary(double[][] predictions, double[][] targets) {
    double loss = 0;
    long right = 0;
    long said = 0;
    long found = 0;
    long positives = 0;
    for (int i = 0; i < predictions.length; i++) {
      double probability = predictions[i][0];
      boolean is = targets[i][0] > 0.5;
      boolean says = probability > 0.5;
      loss -= Math.log(Math.max(LEAST, is ? probability : 1 - probability));
      right += is == says ? 1 : 0;
      said += says ? 1 : 0;
      positives += is ? 1 : 0;
      found += is && says ? 1 : 0;
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("log_loss", loss / predictions.length);
    metrics.put("accuracy", (double) right / predictions.length);
    if (said > 0) {
      metrics.put("precision", (double) found / said);
    }
    if (positives > 0) {
      metrics.put("recall", (double) found / positives);
    }
    if (positives > 0 && positives < predictions.length) {
      metrics.put("auc", auc(predictions, targets, positives));
    }
    return metrics;
  }

  /** Mann and Whitney's statistic: from the ranks of the positive examples, ties ranked alike. */
  private static double auc(double[][] predictions, double[][] targets, long positives) {
    int[] order =
        IntStream.range(0, predictions.length)
            .boxed()
            .sorted((left, right) -> Double.compare(predictions[left][0], predictions[right][0]))
            .mapToInt(Integer::intValue)
            .toArray();
    double ranks = 0;
    int from = 0;
    while (from < order.length) {
      int to = from;
      long tied = 0;
      while (to < order.length
          && Double.compare(predictions[order[to]][0], predictions[order[from]][0]) == 0) {
        tied += targets[order[to]][0] > 0.5 ? 1 : 0;
        to++;
      }
      ranks += tied * (from + 1 + to) / 2.0;
      from = to;
    }
    double negatives = predictions.length - positives;
    return (ranks - positives * (positives + 1.0) / 2) / (positives * negatives);
  }

  private static Map<String, Double> classes(double[][] predictions, double[][] targets) {
    double loss = 0;
    long right = 0;
    for (int i = 0; i < predictions.length; i++) {
      double[] row = predictions[i];
      int is = (int) targets[i][0];
      int says =
          IntStream.range(0, row.length).reduce(0, (best, j) -> row[j] > row[best] ? j : best);
      right += is == says ? 1 : 0;
      loss -= Math.log(Math.max(LEAST, row[is]));
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("log_loss", loss / predictions.length);
    metrics.put("accuracy", (double) right / predictions.length);
    return metrics;
  }
}
