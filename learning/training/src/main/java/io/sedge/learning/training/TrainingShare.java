package io.sedge.learning.training;

import io.sedge.task.ProcessorQuota;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * What training may use of a processor: after each stretch of work it rests in proportion, so that
 * jobs go first. Belongs to one thread at a time.
 */
public final class TrainingShare implements ProcessorQuota {
  /** Shorter ones are not worth a rest. */
  private static final long STRETCH_NANOS = 2_000_000;

  private final double share;
  private final LongSupplier nanoClock;
  private long workingSince;
  private long restsUntil;

  /**
   * @param share from 0 to 1; 1 never rests
   * @param nanoClock monotonic
   */
  public TrainingShare(double share, LongSupplier nanoClock) {
    this.share = share;
    this.nanoClock = nanoClock;
    this.workingSince = nanoClock.getAsLong();
    this.restsUntil = workingSince;
  }

  @Override
  public long restNanos() {
    long now = nanoClock.getAsLong();
    if (now - restsUntil < 0) {
      return restsUntil - now;
    }
    long worked = now - Math.max(workingSince, restsUntil);
    if (worked < STRETCH_NANOS) {
      return 0;
    }
    workingSince = now;
    restsUntil = now + (long) (worked * (1 / share - 1));
    return restsUntil - now;
  }

  @Override
  public long cpuNanos() {
    return 0;
  }

  /**
   * Rests for as long as it is to, if at all; whoever has been idle calls {@link #begin} before.
   */
  void rest() throws InterruptedException {
    long rest;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      rest = restNanos();
      if (rest > 0) {
        LockSupport.parkNanos(rest);
      }
    } while (rest > 0);
  }

  /** Work begins now: what was before was no work. */
  void begin() {
    workingSince = nanoClock.getAsLong();
  }
}
