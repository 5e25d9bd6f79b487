package io.sedge.site.internal.device;

import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import io.sedge.ledger.TaskId;
import io.sedge.placement.LoadEstimator;
import io.sedge.placement.SpeedEstimator;
import io.sedge.task.JobCounters;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongFunction;

/** Measures what the device's tasks do, once a second. One thread. */
final class Meter {
  private static final double LOAD_SECONDS = 5;

  /**
   * A task that waits for readings for a smaller part of the time has as many as its device can do,
   * if not more.
   */
  private static final double LEAST_IDLE = 0.1;

  /** For so long what such a task does counts only if it is no less than before: not for good. */
  private static final double DOUBT_SECONDS = 10;

  /**
   * For so long the load of a task that has gone elsewhere is still told: until its new device
   * knows it. Else the site would think that it has room there, and move more.
   */
  private static final long FAREWELL_NANOS = 3_500_000_000L;

  private static final int MAX_ALGORITHMS = Measures.MAX_SPEEDS;

  /**
   * The part of what the device may use of its processors that an algorithm must take for its speed
   * to be known. Where less is done, waking up and committing take more than the readings do, so a
   * device would look as slow as its readings are few.
   */
  static final double LEAST_PART = 0.02;

  /** Processor time of an algorithm that goes by before its speed is measured: code is compiled. */
  static final double WARM_UP_SECONDS = 1;

  private final DoubleSupplier cpuShare;
  private final long memoryBytes;
  private final LongFunction<ProcessUse> use;
  private final Map<String, Speed> speeds = new TreeMap<>();
  private final Map<TaskId, Seen> tasks = new HashMap<>();
  private final Map<String, Double> lags = new HashMap<>();
  private long takenNanos;
  private boolean taken;

  /** What all tasks of one algorithm have done. */
  private static final class Speed {
    final SpeedEstimator estimator = new SpeedEstimator();
    double readings;
    double cpuSeconds;
    double warmSeconds;

    void add(double moreReadings, double moreCpuSeconds) {
      readings += moreReadings;
      cpuSeconds += moreCpuSeconds;
    }

    /**
     * Ends an interval.
     *
     * @param leastSeconds of the processor, from which on it counts
     */
    void measure(double leastSeconds) {
      boolean warm = warmSeconds >= WARM_UP_SECONDS;
      warmSeconds += cpuSeconds;
      if (warm && readings > 0 && cpuSeconds >= leastSeconds) {
        boolean _ = estimator.add(readings, cpuSeconds);
      }
      readings = 0;
      cpuSeconds = 0;
    }
  }

  /** What was seen of a task. */
  private static final class Seen {
    final LoadEstimator load = new LoadEstimator(LOAD_SECONDS);
    long readings;
    Duration cpu = Duration.ZERO;
    Duration elapsed = Duration.ZERO;
    Duration idle = Duration.ZERO;
    double doubtedSeconds;

    /** Whether it was added since the last taking. */
    boolean added;

    /** When what was added was last taken. */
    long takenNanos;

    boolean isOver(long nowNanos) {
      if (added) {
        added = false;
        takenNanos = nowNanos;
      }
      return nowNanos - takenNanos > FAREWELL_NANOS;
    }

    /**
     * When a device slows its tasks do less, while as much comes as before. To take that for a
     * smaller load would leave it most of the tasks that it cannot do.
     */
    void addLoad(double readings, double seconds, double idleSeconds) {
      boolean less = readings < load.value() * seconds;
      boolean doubted = less && idleSeconds < LEAST_IDLE * seconds;
      doubtedSeconds = doubted ? doubtedSeconds + seconds : 0;
      if (!doubted || doubtedSeconds > DOUBT_SECONDS) {
        load.add(readings, seconds);
      }
    }
  }

  /**
   * @param cpuShare processors that the device may use now
   * @param memoryBytes what tasks may take
   * @param use what the process takes at a time of a monotonic clock
   */
  Meter(DoubleSupplier cpuShare, long memoryBytes, LongFunction<ProcessUse> use) {
    this.cpuShare = cpuShare;
    this.memoryBytes = memoryBytes;
    this.use = use;
  }

  /** Takes what a task has done so far. */
  void add(TaskId id, String algorithm, JobCounters counters, Instant now) {
    Seen seen = tasks.computeIfAbsent(id, _ -> new Seen());
    seen.added = true;
    boolean again = counters.elapsed().compareTo(seen.elapsed) >= 0;
    if (!again) {
      seen.readings = 0; // It was started anew.
      seen.cpu = Duration.ZERO;
      seen.elapsed = Duration.ZERO;
      seen.idle = Duration.ZERO;
    }
    double readings = Math.max(0, counters.readings() - seen.readings);
    double seconds = counters.elapsed().minus(seen.elapsed).toNanos() / 1e9;
    double cpuSeconds = Math.max(0, counters.cpu().minus(seen.cpu).toNanos() / 1e9);
    double idleSeconds = counters.idle().minus(seen.idle).toNanos() / 1e9;
    seen.addLoad(readings, seconds, idleSeconds);
    if (readings > 0 && (speeds.size() < MAX_ALGORITHMS || speeds.containsKey(algorithm))) {
      speeds.computeIfAbsent(algorithm, _ -> new Speed()).add(readings, cpuSeconds);
    }
    seen.readings = counters.readings();
    seen.cpu = counters.cpu();
    seen.elapsed = counters.elapsed();
    seen.idle = counters.idle();
    long watermark = counters.watermarkMicros();
    boolean known = watermark != Long.MIN_VALUE && watermark != Long.MAX_VALUE;
    if (known && lags.size() < Measures.MAX_TASKS) {
      double lag = now.toEpochMilli() / 1e3 - watermark / 1e6;
      lags.put(id.toString(), Math.max(0, lag));
    }
  }

  /**
   * What was measured; tasks that are not added any more are forgotten after a while.
   *
   * @param nowNanos a monotonic clock
   * @param remarks what is to be said of tasks
   */
  Measures take(long nowNanos, Map<String, Remark> remarks) {
    tasks.values().removeIf(seen -> seen.isOver(nowNanos));
    Map<String, Double> loads = new HashMap<>();
    tasks.forEach(
        (id, seen) -> {
          boolean known = !seen.elapsed.isZero();
          if (known && loads.size() < Measures.MAX_TASKS) {
            loads.put(id.toString(), seen.load.value());
          }
        });
    double share = cpuShare.getAsDouble();
    Map<String, Double> measured = speeds(share * LEAST_PART * secondsSince(nowNanos));
    Map<String, Double> behind = new HashMap<>(lags);
    lags.clear();
    return new Measures(
        share, 1, memoryBytes, use.apply(nowNanos), measured, loads, behind, remarks);
  }

  private double secondsSince(long nowNanos) {
    double seconds = taken ? Math.max(0, nowNanos - takenNanos) / 1e9 : 0;
    taken = true;
    takenNanos = nowNanos;
    return seconds;
  }

  private Map<String, Double> speeds(double leastCpuSeconds) {
    Map<String, Double> measured = new HashMap<>();
    speeds.forEach(
        (algorithm, speed) -> {
          speed.measure(leastCpuSeconds);
          if (speed.estimator.isMeasured()) {
            measured.put(algorithm, speed.estimator.value());
          }
        });
    return measured;
  }
}
