package io.sedge.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Readings that come at a fixed rate, and the time from when each was due to when its result came
 * out. A source that is late does not shift what is due after it, so a pause counts for all
 * readings that waited for its end (no coordinated omission). The source's thread calls {@link
 * #awaitDue} or {@link #due}; the sink's calls {@link #result}.
 */
public final class Pace {
  /** Below so much a wait is not worth putting the thread to sleep. */
  private static final long LEAST_WAIT_NANOS = 20_000;

  private final long total;
  private final long warmUp;
  private final long perSecond;
  private final int[] latencies;
  private volatile long startNanos;
  private int results;
  private double sum;

  /**
   * @param total readings of the run, with the warm-up
   * @param warmUp readings that are not measured
   */
  public Pace(long total, long warmUp, long perSecond) {
    this.total = total;
    this.warmUp = warmUp;
    this.perSecond = perSecond;
    this.latencies = new int[Math.toIntExact(total - warmUp)];
  }

  public long total() {
    return total;
  }

  /** The first reading is due now. Called once, when the source is open. */
  public void start() {
    startNanos = System.nanoTime();
  }

  /** When reading i is due, by {@link System#nanoTime}. */
  public long dueNanos(long i) {
    return startNanos + i * 1_000_000_000L / perSecond;
  }

  /** How many readings are due by now. */
  public long due() {
    long elapsed = System.nanoTime() - startNanos;
    return Math.min(total, elapsed * perSecond / 1_000_000_000L + 1);
  }

  /** Waits until reading i is due. */
  public void awaitDue(long i) {
    long wait = dueNanos(i) - System.nanoTime();
    while (wait > 0) {
      if (wait >= LEAST_WAIT_NANOS) {
        LockSupport.parkNanos(wait);
      } else {
        Thread.onSpinWait();
      }
      wait = dueNanos(i) - System.nanoTime();
    }
  }

  /** The result of reading i is there. */
  public void result(long i, double value) {
    sum += value;
    if (i >= warmUp) {
      long nanos = System.nanoTime() - dueNanos(i);
      latencies[results++] = Math.clamp(nanos, 0, Integer.MAX_VALUE);
    }
  }

  /**
   * What was measured.
   *
   * @throws IllegalStateException if results are missing
   */
  public Report report(Readings readings) {
    long expected = readings.passing(total) - readings.passing(warmUp);
    if (results != expected) {
      throw new IllegalStateException(
          "%d results of %d readings that pass the filter".formatted(results, expected));
    }
    int[] sorted = Arrays.copyOf(latencies, results);
    Arrays.sort(sorted);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Report.P50, Report.quantileMicros(sorted, 0.5));
    figures.put(Report.P99, Report.quantileMicros(sorted, 0.99));
    figures.put(Report.P999, Report.quantileMicros(sorted, 0.999));
    figures.put(Report.MAX, Report.quantileMicros(sorted, 1));
    figures.put(Report.ROWS, (double) results);
    figures.put(Report.ROUNDED, sum);
    return new Report(figures).withMemory();
  }
}
