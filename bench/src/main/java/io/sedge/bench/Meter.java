package io.sedge.bench;

import java.lang.management.ManagementFactory;

/**
 * Measures one run: the time from the end of the warm-up to the end of the input, and what came
 * out, so that contenders that compute something else are found out. The source's thread calls
 * {@link #reading} or {@link #readings}; the sink's calls {@link #result}; one thread at a time.
 */
public final class Meter {
  private final long total;
  private final long warmUp;
  private volatile long startNanos;
  private volatile long startCpuNanos;
  private long rows;
  private long counted;
  private double deviations;

  /**
   * @param total readings of the run
   */
  public Meter(long total) {
    this.total = total;
    this.warmUp = total / 4;
  }

  public long total() {
    return total;
  }

  /** Reading i is about to go in. */
  public void reading(long i) {
    if (i == warmUp) {
      startNanos = System.nanoTime();
      startCpuNanos = cpuNanos();
    }
  }

  /** Readings from {@code from} to {@code to - 1} are about to go in. */
  public void readings(long from, long to) {
    if (from <= warmUp && warmUp < to) {
      reading(warmUp);
    }
  }

  /** A window's result. */
  public synchronized void result(long count, double deviation) {
    rows++;
    counted += count;
    deviations += deviation;
  }

  /** All results are there: the line that {@link Bench} reads. */
  public synchronized String report() {
    long nanos = System.nanoTime() - startNanos;
    double perSecond = (total - warmUp) * 1e9 / nanos;
    double cores = (double) (cpuNanos() - startCpuNanos) / nanos;
    return "RESULT %.0f %.2f %d %d %.3f"
        .formatted(perSecond, cores, rows, counted, deviations / rows);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
