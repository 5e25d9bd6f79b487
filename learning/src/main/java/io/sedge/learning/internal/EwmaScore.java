package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The error of the forecast that an exponentially weighted mean makes, in deviations that are
 * weighted alike: {@code |x - mean| / deviation}.
 *
 * <p>Source: Roberts, "Control Chart Tests Based on Geometric Moving Averages", Technometrics 1,
 * 1959; the variance as in {@link Baseline}.
 */
final class EwmaScore implements Detector {
  private static final int LEAST_READINGS = 10;

  private final Baseline baseline;

  EwmaScore(double lambda) {
    baseline = new Baseline(lambda);
  }

  @Override
  public double score(double[] reading, long time) {
    double score =
        baseline.count() < LEAST_READINGS ? Double.NaN : Math.abs(baseline.deviations(reading[0]));
    baseline.add(reading[0]);
    return score;
  }

  @Override
  public void write(DataOutput output) throws IOException {
    baseline.write(output);
  }

  @Override
  public void read(DataInput input) throws IOException {
    baseline.read(input);
  }
}
