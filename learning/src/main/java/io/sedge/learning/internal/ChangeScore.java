package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Sums how far readings lie above and below what was usual, so that a small change of the level
 * shows once it lasts. The score is the greater sum over its limit: 1 says that the level has
 * changed. Then all begins anew, with the new level as the usual one.
 *
 * <p>What is usual is learnt while it goes on (self-starting, Hawkins, "Self-Starting Cusum Charts
 * for Location and Scale", The Statistician 36, 1987), from the last 1,000 readings, about; without
 * his transformation to normal scores, which matters for the first readings alone.
 */
abstract class ChangeScore implements Detector {
  private static final int LEAST_READINGS = 30;
  private static final double LAMBDA = 0.001;

  /** One reading adds no more, so that a single wild one is not taken for a level. */
  private static final double MOST_DEVIATIONS = 4;

  private final Baseline baseline = new Baseline(LAMBDA);
  private final double limit;

  ChangeScore(double limit) {
    this.limit = limit;
  }

  /** Adds a reading's deviations from what is usual; the greater of both sums after that. */
  abstract double add(double deviations);

  /** Makes the sums those of no reading. */
  abstract void clear();

  abstract void writeSums(DataOutput output) throws IOException;

  abstract void readSums(DataInput input) throws IOException;

  @Override
  public final double score(double[] reading, long time) {
    double score = Double.NaN;
    if (baseline.count() >= LEAST_READINGS) {
      double deviations = baseline.deviations(reading[0]);
      score = add(Math.clamp(deviations, -MOST_DEVIATIONS, MOST_DEVIATIONS)) / limit;
    }
    if (score >= 1) {
      clear();
      baseline.clear();
    }
    baseline.add(reading[0]);
    return score;
  }

  @Override
  public final void write(DataOutput output) throws IOException {
    baseline.write(output);
    writeSums(output);
  }

  @Override
  public final void read(DataInput input) throws IOException {
    baseline.read(input);
    readSums(input);
  }
}
