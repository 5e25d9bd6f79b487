package io.sedge.placement;

/**
 * The load of a shard: an exponentially weighted mean of its rate, weighted by time, so that bursts
 * count with what they bring. Not thread-safe; its owner's thread alone.
 */
public final class LoadEstimator {
  private final double timeConstantSeconds;
  private double weightedSum;
  private double weight;

  /** Follows a change by 63 % within the time constant. */
  public LoadEstimator(double timeConstantSeconds) {
    this.timeConstantSeconds = Checks.atLeast(0.001, timeConstantSeconds, "timeConstantSeconds");
  }

  /** Takes what arrived in an interval that has just ended. */
  public void add(double readings, double seconds) {
    Checks.atLeast(0, readings, "readings");
    Checks.atLeast(0, seconds, "seconds");
    if (seconds == 0) {
      return;
    }
    double kept = Math.exp(-seconds / timeConstantSeconds);
    weightedSum = kept * weightedSum + (1 - kept) * readings / seconds;
    weight = kept * weight + (1 - kept);
  }

  /** Readings per second; 0 before the first interval. */
  public double value() {
    return weight > 0 ? weightedSum / weight : 0;
  }
}
