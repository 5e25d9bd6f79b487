package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How far the recent values of a reading are, together, from those of the training: T² of their
 * exponentially weighted mean {@code z += lambda (x - z)}, over the greatest of the last quarter of
 * the training. Mean and covariance of z are those of the first three quarters. They are measured
 * there, not derived from that of x: readings of a machine follow from each other, and the formula
 * for independent ones gives false alarms without end. With lambda 1 it is T² of the reading alone.
 *
 * <p>After the training nothing more is learnt, so a change that lasts stays strange.
 *
 * <p>Source: Lowry, Woodall, Champ, Rigdon, "A Multivariate Exponentially Weighted Moving Average
 * Control Chart", Technometrics 34, 1992.
 */
final class MewmaScore implements Detector {
  private static final double MOST_SCORE = 1_000_000;

  /** So many readings of the training for each value, at least. */
  private static final int READINGS_A_VALUE = 10;

  private final double lambda;
  private final int learnt;
  private final int training;
  private final Hotelling hotelling = new Hotelling();
  private double[] recent = {};
  private long count;
  private double limit;

  MewmaScore(double lambda, int training) {
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
      limit = reading.length; // What T² is on the average.
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
      return Double.NaN;
    }
    return Math.min(statistic / limit, MOST_SCORE);
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeInt(recent.length);
    output.writeLong(count);
    output.writeDouble(limit);
    for (double value : recent) {
      output.writeDouble(value);
    }
    hotelling.write(output);
  }

  @Override
  public void read(DataInput input) throws IOException {
    recent = new double[input.readInt()];
    count = input.readLong();
    limit = input.readDouble();
    for (int i = 0; i < recent.length; i++) {
      recent[i] = input.readDouble();
    }
    hotelling.read(input, recent.length);
  }
}
