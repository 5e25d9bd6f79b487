package io.sedge.bench.parts;

import java.util.List;

/** What several rounds came to. */
public final class Rounds {
  private Rounds() {}

  /**
   * The median; of an even number the larger of the two in the middle, so that it is a figure that
   * was measured.
   *
   * @throws java.util.NoSuchElementException if there is none
   */
  public static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
