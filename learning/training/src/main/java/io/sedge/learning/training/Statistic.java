package io.sedge.learning.training;

import java.util.NavigableMap;

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

  /**
   * Adds what devices answer in the order of their names: who answers first does not change a bit.
   */
  public static Statistic sum(NavigableMap<String, Statistic> answers, int size) {
    long rows = 0;
    double[] sums = new double[size];
    for (Statistic statistic : answers.values()) {
      rows += statistic.rows;
      for (int i = 0; i < size; i++) {
        sums[i] += statistic.sums[i];
      }
    }
    return new Statistic(rows, sums);
  }
}
