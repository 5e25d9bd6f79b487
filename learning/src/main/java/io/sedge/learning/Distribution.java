package io.sedge.learning;

import java.util.Arrays;

/**
 * How many values of a column were in each of a few bins. Immutable.
 *
 * @param edges between bins, ascending and finite; a value that equals an edge is above it
 * @param counts of each bin, one more than there are edges
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record Distribution(double[] edges, long[] counts) {
  /** Ten bins have nine edges. */
  public static final int MOST_EDGES = 9;

  /** How far each tenth of a normal distribution is from its mean, in deviations. */
  private static final double[] DECILES = {
    -1.2815515655446004,
    -0.8416212335729143,
    -0.5244005127080407,
    -0.2533471031357997,
    0,
    0.2533471031357997,
    0.5244005127080407,
    0.8416212335729143,
    1.2815515655446004
  };

  /** What is nearer to a constant than this share of it is the constant: sums are rounded. */
  private static final double ROUNDING = 1e-9;

  public Distribution {
    if (edges.length > MOST_EDGES || counts.length != edges.length + 1) {
      throw new IllegalArgumentException(
          "%d counts with %d edges".formatted(counts.length, edges.length));
    }
    for (int i = 0; i < edges.length; i++) {
      if (!Double.isFinite(edges[i]) || (i > 0 && edges[i] < edges[i - 1])) {
        throw new IllegalArgumentException("the edges " + Arrays.toString(edges));
      }
    }
    if (Arrays.stream(counts).anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("the counts " + Arrays.toString(counts));
    }
  }

  /**
   * Edges between bins. They follow from two moments of all rows: none of them is the value of a
   * row. A normal distribution has a tenth of its values in each bin. A constant has a bin of its
   * own, between two others.
   *
   * @param deviation 0 if the column is constant
   */
  public static double[] edges(double mean, double deviation) {
    if (deviation == 0) {
      double near = Math.max(Math.abs(mean) * ROUNDING, Double.MIN_NORMAL);
      return new double[] {mean - near, mean + near};
    }
    return Arrays.stream(DECILES).map(decile -> mean + decile * deviation).toArray();
  }

  /** The bin that a value is in; NaN is in the first one. */
  public static int bin(double[] edges, double value) {
    int bin = 0;
    for (double edge : edges) {
      bin += value >= edge ? 1 : 0;
    }
    return bin;
  }

  /** How many values there were. */
  public long rows() {
    return Arrays.stream(counts).sum();
  }
}
