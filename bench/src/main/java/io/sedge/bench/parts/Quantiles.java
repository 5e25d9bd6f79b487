package io.sedge.bench.parts;

import io.sedge.bench.Table;
import java.util.List;

/** Quantiles of times, by the nearest rank: each is one that was measured. */
public final class Quantiles {
  private Quantiles() {}

  /**
   * A quantile in seconds, as a cell of a table.
   *
   * @param sorted in nanoseconds
   * @param part 0.5 is the median, 1 the longest
   */
  public static String seconds(List<Long> sorted, double part) {
    if (sorted.isEmpty()) {
      return "-";
    }
    int rank = (int) Math.ceil(part * sorted.size());
    return Table.number(sorted.get(Math.max(1, rank) - 1) / 1e9);
  }
}
