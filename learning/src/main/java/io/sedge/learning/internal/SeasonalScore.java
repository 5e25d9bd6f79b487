package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A period, such as a day, is cut into equal parts; each has a mean and deviation of its own, and
 * the score is the distance from them, in deviations. What is usual at noon may be strange at
 * night. Periods are laid from 1970-01-01T00:00 on, as the time column counts.
 *
 * <p>Source: Shewhart's chart, "Economic Control of Quality of Manufactured Product", 1931, one for
 * each part; mean and variance as in {@link Baseline}.
 */
final class SeasonalScore implements Detector {
  private static final int LEAST_READINGS = 10;

  private final long periodMicros;
  private final List<Baseline> parts = new ArrayList<>();

  SeasonalScore(long periodMicros, int parts, double lambda) {
    this.periodMicros = periodMicros;
    for (int i = 0; i < parts; i++) {
      this.parts.add(new Baseline(lambda));
    }
  }

  @Override
  public double score(double[] reading, long time) {
    double phase = (double) Math.floorMod(time, periodMicros) / periodMicros;
    Baseline part = parts.get(Math.min((int) (phase * parts.size()), parts.size() - 1));
    double score =
        part.count() < LEAST_READINGS ? Double.NaN : Math.abs(part.deviations(reading[0]));
    part.add(reading[0]);
    return score;
  }

  @Override
  public void write(DataOutput output) throws IOException {
    for (Baseline part : parts) {
      part.write(output);
    }
  }

  @Override
  public void read(DataInput input) throws IOException {
    for (Baseline part : parts) {
      part.read(input);
    }
  }
}
