package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * How far the recent values of a reading are, together, from those of the training: T² of their
 * exponentially weighted mean {@code z += lambda (x - z)}, over the greatest of the last quarter of
 * the training. Mean and covariance of z are those of the first three quarters. They are measured
 * there, not derived from that of x: readings of a machine follow from each other, and the formula
 * for independent ones gives false alarms without end. With lambda 1 it is T² of the reading alone.
 *
 * <p>After the training nothing more is learnt, so a change that lasts stays strange. A training
 * whose last quarter has nothing to do with the others says nothing of what is usual, and is begun
 * anew: a set-point was moved meanwhile, or one wild reading has made all others look alike.
 *
 * <p>Source: Lowry, Woodall, Champ, Rigdon, "A Multivariate Exponentially Weighted Moving Average
 * Control Chart", Technometrics 34, 1992.
 */
final class MewmaScore implements Detector {
  private static final double MOST_SCORE = 1_000_000;

  /** So many readings of the training for each value, at least. */
  private static final int READINGS_A_VALUE = 10;

  /** How much more than on the average T² may be in the last quarter. */
  private static final double MOST = 1_000;

  /** Over so many deviations at least a value goes there, if it changes at all. */
  private static final double LEAST = 0.001;

  /** How many independent readings a training has at least: EWMAs follow from each other. */
  private static final int LEAST_INDEPENDENT = 10;

  private final double lambda;
  private final int learnt;
  private final int training;
  private Hotelling hotelling = new Hotelling();
  private double[] recent = {};

  /** Between what each value was in the last quarter of the training, in deviations. */
  private double[] lowest = {};

  private double[] highest = {};

  private long count;
  private double limit;

  /**
   * @throws IllegalArgumentException if the training is too short for so long a memory
   */
  MewmaScore(double lambda, int training) {
    int least = (int) Math.ceil(LEAST_INDEPENDENT * (2 - lambda) / lambda);
    if (training < least) {
      throw new IllegalArgumentException(
          "with lambda = %s the training takes %d readings at least, not %d"
              .formatted(lambda, least, training));
    }
    this.lambda = lambda;
    this.training = training;
    this.learnt = training - training / 4;
  }

  @Override
  public int mostValues() {
    return Math.min(MOST_VALUES, training / READINGS_A_VALUE);
  }

  @Override
  public double score(double[] reading, long time) {
    if (count == 0) {
      recent = reading.clone();
      lowest = new double[reading.length];
      highest = new double[reading.length];
      Arrays.fill(lowest, Double.POSITIVE_INFINITY);
      Arrays.fill(highest, Double.NEGATIVE_INFINITY);
    }
    for (int i = 0; i < recent.length; i++) {
      recent[i] += lambda * (reading[i] - recent[i]);
    }
    if (count < learnt) {
      count++;
      hotelling.learn(recent);
      return Double.NaN;
    }
    double statistic = hotelling.statistic(recent);
    if (count < training) {
      count++;
      limit = Math.max(limit, statistic);
      for (int i = 0; i < lowest.length; i++) {
        lowest[i] = Math.min(lowest[i], hotelling.deviation(i));
        highest[i] = Math.max(highest[i], hotelling.deviation(i));
      }
      if (count == training) {
        endTraining();
      }
      return Double.NaN;
    }
    return Math.min(statistic / limit, MOST_SCORE);
  }

  private void endTraining() {
    double average = recent.length; // Of T², where the last quarter is as the others.
    boolean alike = limit <= MOST * average;
    for (int i = 0; i < lowest.length; i++) {
      double width = highest[i] - lowest[i];
      alike &= width == 0 || width >= LEAST;
    }
    if (alike) {
      limit = Math.max(limit, average);
    } else {
      count = 0;
      limit = 0;
      hotelling = new Hotelling();
    }
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeInt(recent.length);
    output.writeLong(count);
    output.writeDouble(limit);
    for (int i = 0; i < recent.length; i++) {
      output.writeDouble(recent[i]);
      output.writeDouble(lowest[i]);
      output.writeDouble(highest[i]);
    }
    hotelling.write(output);
  }

  @Override
  public void read(DataInput input) throws IOException {
    recent = new double[input.readInt()];
    count = input.readLong();
    limit = input.readDouble();
    lowest = new double[recent.length];
    highest = new double[recent.length];
    for (int i = 0; i < recent.length; i++) {
      recent[i] = input.readDouble();
      lowest[i] = input.readDouble();
      highest[i] = input.readDouble();
    }
    hotelling.read(input, recent.length);
  }
}
