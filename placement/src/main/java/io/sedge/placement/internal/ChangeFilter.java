package io.sedge.placement.internal;

import java.util.Arrays;

/**
 * Follows the level of a noisy series of logarithms; falls fast, rises slowly.
 *
 * <p>Idea: between changes the level drifts towards each sample, the step clipped (a Huber
 * estimate). Beside it run two cumulative sums of the samples' excess (Page, "Continuous inspection
 * schemes", 1954), one for each direction; when one passes its threshold the level jumps to the
 * median of the last samples. Invariant: one sample adds less than half of the threshold, and a
 * sample within the noise halves a sum, so fewer than three samples never make a jump. A jump up
 * waits for {@code hold} samples besides; hold doubles each time that a fall follows a rise soon,
 * until the series has been calm for long.
 */
public final class ChangeFilter {
  static final int LEAST_HOLD = 10;
  static final int MOST_HOLD = 320;

  private static final double DRIFT = 0.1;
  private static final double SPREAD_DRIFT = 0.05;
  private static final double LEAST_SPREAD = 0.02;
  private static final double MOST_SPREAD = 0.5;
  private static final int SOON = 12;

  private final double[] recent = new double[5];
  private int samples;
  private double level;
  private double spread = 0.15; // wide at first, so that noise is not taken for change
  private double down;
  private double up;
  private int upSamples;
  private int hold = LEAST_HOLD;
  private int sinceRise = Integer.MAX_VALUE / 2;
  private int calm;

  /** A filter that has seen nothing. */
  public ChangeFilter() {}

  /** Whether there is a level. */
  public boolean isMeasured() {
    return samples > 0;
  }

  /** The level, a logarithm. */
  public double level() {
    return level;
  }

  /** Mean distance of a sample from the level. */
  public double spread() {
    return spread;
  }

  /** Takes the next sample, a finite number. */
  public void add(double sample) {
    recent[samples % recent.length] = sample;
    samples = samples == Integer.MAX_VALUE ? recent.length : samples + 1;
    if (samples <= 3) {
      level = medianOfLast(samples);
      return;
    }
    sinceRise = Math.min(sinceRise + 1, Integer.MAX_VALUE / 2);
    follow(sample - level);
  }

  private void follow(double residual) {
    double sigma = 1.25 * Math.clamp(spread, LEAST_SPREAD, MOST_SPREAD);
    double threshold = Math.max(0.4, 5 * sigma);
    down = sum(down, -residual, sigma, threshold);
    up = sum(up, residual, sigma, threshold);
    upSamples = up > threshold / 20 ? upSamples + 1 : 0;
    calm = Math.max(down, up) < threshold / 2 ? calm + 1 : 0;
    if (calm > 2 * MOST_HOLD) {
      calm = 0;
      hold = LEAST_HOLD;
    }
    if (down >= threshold) {
      fall();
    } else if (up >= threshold && upSamples >= hold) {
      jump(medianOfLast(recent.length));
      sinceRise = 0;
    } else {
      drift(residual, sigma, threshold);
    }
  }

  private void fall() {
    jump(medianOfLast(3));
    if (sinceRise < SOON * hold) {
      hold = Math.min(2 * hold, MOST_HOLD);
    }
  }

  private void jump(double to) {
    level = to;
    down = 0;
    up = 0;
    upSamples = 0;
  }

  /** A rise that is not believed yet leaves level and spread as they are. */
  private void drift(double residual, double sigma, double threshold) {
    if (residual > 0 && up >= threshold / 2) {
      return;
    }
    level += DRIFT * Math.clamp(residual, -2 * sigma, 2 * sigma);
    if (Math.max(down, up) < threshold / 2) {
      spread += SPREAD_DRIFT * (Math.min(Math.abs(residual), 3 * sigma) - spread);
    }
  }

  /** Page's sum with clipped steps: the next value. Bounded, so that a long wait leaves no debt. */
  private static double sum(double before, double excess, double sigma, double threshold) {
    if (excess < 2 * sigma) {
      return before / 2;
    }
    double step = Math.min(excess - Math.max(0.04, 0.75 * sigma), threshold / 2.2);
    return Math.min(before + step, 2 * threshold);
  }

  private double medianOfLast(int count) {
    double[] last = new double[count];
    for (int i = 0; i < count; i++) {
      last[i] = recent[Math.floorMod(samples - 1 - i, recent.length)];
    }
    Arrays.sort(last);
    int middle = count / 2;
    return count % 2 == 1 ? last[middle] : (last[middle - 1] + last[middle]) / 2;
  }
}
