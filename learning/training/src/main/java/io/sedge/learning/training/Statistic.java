package io.sedge.learning.training;

import java.util.List;

/**
 * What a device answers to a {@link Question}, and all devices together: sums over rows.
 *
 * @param rows how many rows are behind it; 0 if the device gives nothing, as it has too few
 * @param sums as the question has them
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Statistic(long rows, double[] sums) {
  /** What a device gives that has too few rows. */
  public static Statistic nothing(int size) {
    return new Statistic(0, new double[size]);
  }

  /** Adds them in the order of the list, so that the same list has the same sum to the last bit. */
  public static Statistic sum(List<Statistic> statistics, int size) {
    long rows = 0;
    double[] sums = new double[size];
    for (Statistic statistic : statistics) {
      rows += statistic.rows;
      for (int i = 0; i < size; i++) {
        sums[i] += statistic.sums[i];
      }
    }
    return new Statistic(rows, sums);
  }
}
