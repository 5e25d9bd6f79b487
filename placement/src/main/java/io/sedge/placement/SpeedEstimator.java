package io.sedge.placement;

import io.sedge.placement.internal.ChangeFilter;

/**
 * A rate that is measured again and again: readings per CPU-second of one algorithm on one device,
 * or the CPU-seconds per second that a device may use. Meant for one measurement per second.
 *
 * <ul>
 *   <li>Noise is smoothed; one or two measurements far off change the value by little.
 *   <li>A sudden loss is believed at the third measurement that shows it.
 *   <li>A sudden gain is believed after ten, and after ever more (up to 320) if the speed keeps
 *       falling and rising, so that a device that other work takes at intervals is not given shards
 *       that it must hand back.
 * </ul>
 *
 * <p>A measurement over less than {@value #LEAST_BASE} (s) says nothing and is left out: a device
 * without work keeps its last speed. Not thread-safe; its owner's thread alone.
 */
public final class SpeedEstimator {
  /** Seconds, or CPU-seconds, below which a measurement is left out. */
  public static final double LEAST_BASE = 0.001;

  private static final double LEAST_RATE = 1e-6;

  private final ChangeFilter filter = new ChangeFilter();

  /** An estimator that has seen nothing. */
  public SpeedEstimator() {}

  /**
   * Takes a measurement.
   *
   * @param amount what was done: readings, or CPU-seconds
   * @param base what it took: CPU-seconds, or seconds
   * @return whether it counted
   */
  public boolean add(double amount, double base) {
    Checks.atLeast(0, amount, "amount");
    Checks.atLeast(0, base, "base");
    if (base < LEAST_BASE) {
      return false;
    }
    filter.add(Math.log(Math.max(amount / base, LEAST_RATE)));
    return true;
  }

  /** Whether anything has been measured. */
  public boolean isMeasured() {
    return filter.isMeasured();
  }

  /** Amount per base; 0 before the first measurement. */
  public double value() {
    return filter.isMeasured() ? Math.exp(filter.level()) : 0;
  }

  /** How far single measurements lie from the value, as a part of it: 0.1 is about 10 %. */
  public double spread() {
    return filter.spread();
  }
}
