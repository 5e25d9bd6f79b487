package io.sedge.bench.connectors;

import com.alibaba.fastjson2.JSON;
import io.sedge.bench.Memory;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What a process takes that reads at a steady rate. It tells each second how many values it has
 * counted, as a line {@code {"n":50000,…}}; a run whose values are too few or too many fails.
 *
 * @param cpu of one processor
 * @param values a second
 * @param residentMb the most so far
 */
record SteadyRun(double cpu, double values, double residentMb) {
  /** By so much the average may differ from what is due. */
  private static final double TOLERANCE = 0.02;

  /**
   * What is measured.
   *
   * @param perSecond values that are to be counted in a second
   * @param even whether each second has exactly as many; else only the average counts
   * @param warmUp from the first count on
   */
  record Plan(int perSecond, boolean even, Duration warmUp, Duration measured) {}

  /** Waits for the first count, warms up, and measures. */
  static SteadyRun of(SedgeProcess process, Path log, Plan plan) throws IOException {
    process.awaitLine("{\"n\":");
    sleep(plan.warmUp());
    int from = counts(log).size();
    Duration cpuBefore = process.cpu();
    long begin = System.nanoTime();
    sleep(plan.measured());
    double seconds = (System.nanoTime() - begin) / 1e9;
    double cpu = process.cpu().minus(cpuBefore).toNanos() / 1e9 / seconds;
    List<Long> all = counts(log);
    List<Long> counted = all.subList(from, all.size());
    double values = counted.stream().mapToLong(n -> n).sum() / seconds;
    // A second more or less is in the measured time.
    double slack = TOLERANCE + 1 / seconds;
    if (Math.abs(values / plan.perSecond() - 1) > slack
        || (plan.even() && counted.stream().anyMatch(n -> n != plan.perSecond()))) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%.0f values a second were counted, %d are due; see %s",
              values,
              plan.perSecond(),
              log));
    }
    return new SteadyRun(
        cpu, plan.perSecond(), Memory.peakResidentMb(Long.toString(process.pid())));
  }

  private static void sleep(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The counts that were told so far. */
  static List<Long> counts(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.startsWith("{\"n\":") && line.endsWith("}"))
        .map(line -> JSON.parseObject(line).getLong("n"))
        .toList();
  }

  double cpuMicrosPerValue() {
    return cpu / values * 1e6;
  }
}
