package io.sedge.bench.mqtt;

import io.sedge.bench.Meter;
import io.sedge.bench.Report;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Measures what comes out of a consumer: how much a second, at what cost, how long after it was due
 * at the publisher. The clock is {@link System#nanoTime}, which processes of one machine share on
 * Linux. One thread calls {@link #arrived}; any may wait.
 */
final class Arrivals {
  private final int warmUp;
  private final int[] latencies;
  private final CountDownLatch all = new CountDownLatch(1);
  private int count;
  private long startNanos;
  private long startCpuNanos;
  private long endNanos;
  private long endCpuNanos;

  /**
   * @param warmUp messages that are not measured, at least 1
   * @param total with the warm-up
   */
  Arrivals(int warmUp, int total) {
    this.warmUp = warmUp;
    this.latencies = new int[total - warmUp];
  }

  /** The result of a message that was due at a time is there. */
  void arrived(long dueNanos) {
    if (count >= warmUp) {
      latencies[count - warmUp] = Math.clamp(System.nanoTime() - dueNanos, 0, Integer.MAX_VALUE);
    }
    count++;
    if (count == warmUp) {
      startNanos = System.nanoTime();
      startCpuNanos = Meter.cpuNanos();
    } else if (count == warmUp + latencies.length) {
      endNanos = System.nanoTime();
      endCpuNanos = Meter.cpuNanos();
      all.countDown();
    }
  }

  void await() throws InterruptedException {
    all.await();
  }

  Report report() {
    int measured = latencies.length;
    Arrays.sort(latencies);
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put(Report.PER_SECOND, measured * 1e9 / (endNanos - startNanos));
    figures.put(Report.CPU_NANOS, (double) (endCpuNanos - startCpuNanos) / measured);
    figures.put(Report.P50, Report.quantileMicros(latencies, 0.5));
    figures.put(Report.P99, Report.quantileMicros(latencies, 0.99));
    figures.put(Report.P999, Report.quantileMicros(latencies, 0.999));
    figures.put(Report.MAX, Report.quantileMicros(latencies, 1));
    return new Report(figures).withMemory();
  }
}
