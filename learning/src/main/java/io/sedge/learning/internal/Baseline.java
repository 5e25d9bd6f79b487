package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Mean and variance of readings, each weighing less the older it is: {@code mean += a (x - mean)},
 * {@code variance = (1 - a) (variance + a (x - mean)²)}, where {@code a} is 1/n for the n-th
 * reading, and {@code lambda} from the 1/lambda-th on. 20 bytes.
 *
 * <p>Source: Finch, "Incremental calculation of weighted mean and variance", 2009, section 9.
 */
final class Baseline {
  /**
   * Deviations are taken for no less than this part of the mean: a constant is no number over 0.
   */
  private static final double LEAST_DEVIATION = 1e-9;

  private final double lambda;
  private int count;
  private double mean;
  private double variance;

  Baseline(double lambda) {
    this.lambda = lambda;
  }

  int count() {
    return count;
  }

  /** How many deviations a reading is above the mean; at most {@link RobustZScore#MOST}. */
  double deviations(double x) {
    double difference = x - mean;
    double deviation = Math.max(Math.sqrt(variance), LEAST_DEVIATION * Math.abs(mean));
    if (difference == 0) {
      return 0;
    }
    return Math.clamp(difference / deviation, -RobustZScore.MOST, RobustZScore.MOST);
  }

  void add(double x) {
    if (count < Integer.MAX_VALUE) {
      count++;
    }
    double weight = Math.max(lambda, 1.0 / count);
    double difference = x - mean;
    mean += weight * difference;
    variance = (1 - weight) * (variance + weight * difference * difference);
  }

  void clear() {
    count = 0;
    mean = 0;
    variance = 0;
  }

  void write(DataOutput output) throws IOException {
    output.writeInt(count);
    output.writeDouble(mean);
    output.writeDouble(variance);
  }

  void read(DataInput input) throws IOException {
    count = input.readInt();
    mean = input.readDouble();
    variance = input.readDouble();
  }
}
