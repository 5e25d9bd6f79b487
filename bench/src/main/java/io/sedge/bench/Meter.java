package io.sedge.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures a run over a stream: the time from the end of the warm-up to the last result, and what
 * came out, so that contenders that compute something else are found out. The run is over when the
 * counts of all windows add up to what went in. The source's thread calls {@link #reading} or
 * {@link #readings}; the sink's calls {@link #result}; one thread each.
 */
public final class Meter {
  private final Workload workload;
  private final long warmUp;
  private final long total;
  private final long expected;
  private final @Nullable List<WindowResult> kept;
  private volatile long startNanos;
  private volatile long startCpuNanos;
  private long endNanos;
  private long endCpuNanos;
  private long rows;
  private long counted;
  private long exact;
  private double rounded;

  /**
   * @param warmUp readings that are not measured
   * @param total readings of the run, with the warm-up
   * @param keep whether {@link #results} are wanted
   */
  public Meter(Workload workload, Readings readings, long warmUp, long total, boolean keep) {
    this.workload = workload;
    this.warmUp = warmUp;
    this.total = total;
    this.expected = readings.passing(total) * workload.windowsPerReading();
    this.kept = keep ? new ArrayList<>() : null;
  }

  public long total() {
    return total;
  }

  /** Reading i is about to go in. */
  public void reading(long i) {
    if (i == warmUp) {
      startCpuNanos = cpuNanos();
      startNanos = System.nanoTime();
    }
  }

  /** Readings from {@code from} to {@code to - 1} are about to go in. */
  public void readings(long from, long to) {
    if (from <= warmUp && warmUp < to) {
      reading(warmUp);
    }
  }

  /** A window's result has come out. */
  public synchronized void result(WindowResult result) {
    rows++;
    counted += result.count();
    exact += result.exactHash();
    rounded += result.mean() + result.deviation();
    if (kept != null) {
      kept.add(result);
    }
    if (counted == expected) {
      endNanos = System.nanoTime();
      endCpuNanos = cpuNanos();
    }
  }

  /** The results, if they are kept. */
  public synchronized List<WindowResult> results() {
    return kept == null ? List.of() : List.copyOf(kept);
  }

  /**
   * What was measured, after the last result.
   *
   * @throws IllegalStateException if readings are missing from the results, or in them twice
   */
  public synchronized Report report() {
    if (counted != expected) {
      throw new IllegalStateException(
          "the windows of %s count %d readings; %d went in (each in %d windows)"
              .formatted(workload, counted, expected, workload.windowsPerReading()));
    }
    long measured = total - warmUp;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Report.PER_SECOND, measured * 1e9 / (endNanos - startNanos));
    figures.put(Report.CPU_NANOS, (double) (endCpuNanos - startCpuNanos) / measured);
    figures.put(Report.ROWS, (double) rows);
    figures.put(Report.EXACT, (double) (exact >>> 12)); // so that a double holds it
    figures.put(Report.ROUNDED, rounded);
    return new Report(figures).withMemory();
  }

  /** The processor time of this process so far. */
  public static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
