package io.sedge.learning.training;

import java.util.Arrays;

/** Numbers of a model, to be read one after the other. */
final class Numbers {
  private final double[] numbers;
  private int at;

  Numbers(double[] numbers) {
    this.numbers = numbers;
  }

  /** Means, spreads, then the rows one after the other. */
  static double[] of(Scaling scaling, double[][] rows) {
    int features = scaling.size();
    int length = 2 * features + Arrays.stream(rows).mapToInt(row -> row.length).sum();
    double[] numbers = Arrays.copyOf(scaling.means(), length);
    System.arraycopy(scaling.spreads(), 0, numbers, features, features);
    int at = 2 * features;
    for (double[] row : rows) {
      System.arraycopy(row, 0, numbers, at, row.length);
      at += row.length;
    }
    return numbers;
  }

  /** All of them one after the other. */
  static double[] joined(double[]... parts) {
    return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
  }

  /** A whole number from 0 on. */
  int whole(int most) {
    double next = next(1)[0];
    if (!(next >= 0 && next <= most) || next != Math.rint(next)) {
      throw new IllegalArgumentException("%s is no whole number up to %d".formatted(next, most));
    }
    return (int) next;
  }

  double[] next(int count) {
    if (count > numbers.length - at) {
      throw new IllegalArgumentException(
          "%d numbers, of which %d are missing".formatted(numbers.length, count));
    }
    at += count;
    return Arrays.copyOfRange(numbers, at - count, at);
  }

  /** How many rows of a width the rest is; at least one. */
  int rest(int width) {
    int rest = numbers.length - at;
    if (rest == 0 || rest % width != 0) {
      throw new IllegalArgumentException("%d numbers are no rows of %d".formatted(rest, width));
    }
    return rest / width;
  }
}
