package io.sedge.ledger;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a device has measured of itself lately.
 *
 * @param cpuShare CPU-seconds per second that it may use: 0.5 is half of one core
 * @param limitFactor what heat or power leave of its speed, 0 to 1
 * @param memoryBytes what tasks may take there
 * @param use what its process takes of the machine
 * @param speeds readings per CPU-second by algorithm
 * @param loads readings per second of the tasks that run there, by {@link TaskId#toString}
 * @param lags seconds by which the results of these tasks are behind the clock; tasks whose lag is
 *     not known are absent
 * @param remarks what it says of tasks, by {@link TaskId#toString}, or by job for all of its tasks;
 *     also of tasks that other devices run, if it could not
 * @param troubles what went wrong with jobs, by name; those without are absent
 */
public record Measures(
    double cpuShare,
    double limitFactor,
    long memoryBytes,
    ProcessUse use,
    Map<String, Double> speeds,
    Map<String, Double> loads,
    Map<String, Double> lags,
    Map<String, Remark> remarks,
    Map<String, JobTroubles> troubles) {
  /** Speeds, at most. */
  public static final int MAX_SPEEDS = 256;

  /** Loads and lags, at most. */
  public static final int MAX_TASKS = 2_048;

  /** Jobs with troubles, at most. */
  public static final int MAX_TROUBLES = 256;

  /** Remarks, at most. */
  public static final int MAX_REMARKS = 64;

  /** Before the first measurement: one core, as much memory as tasks need. */
  public static final Measures NONE =
      new Measures(
          1, 1, Long.MAX_VALUE, ProcessUse.UNKNOWN, Map.of(), Map.of(), Map.of(), Map.of());

  /** Without troubles. */
  public Measures(
      double cpuShare,
      double limitFactor,
      long memoryBytes,
      ProcessUse use,
      Map<String, Double> speeds,
      Map<String, Double> loads,
      Map<String, Double> lags,
      Map<String, Remark> remarks) {
    this(cpuShare, limitFactor, memoryBytes, use, speeds, loads, lags, remarks, Map.of());
  }

  public Measures {
    speeds = Map.copyOf(speeds);
    loads = Map.copyOf(loads);
    lags = Map.copyOf(lags);
    remarks = Map.copyOf(remarks);
    troubles = Map.copyOf(troubles);
    check(cpuShare, "cpuShare");
    check(limitFactor, "limitFactor");
    if (limitFactor > 1 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "limitFactor=%s is not from 0 to 1, or memoryBytes=%d is negative"
              .formatted(limitFactor, memoryBytes));
    }
    check(speeds, MAX_SPEEDS, "speed");
    check(loads, MAX_TASKS, "load");
    check(lags, MAX_TASKS, "lag");
    checkCount(remarks, MAX_REMARKS, "remark");
    checkCount(troubles, MAX_TROUBLES, "troubles");
    remarks.keySet().forEach(name -> Names.checkText(name, "remark"));
  }

  /** The same with what went wrong, by job. */
  public Measures with(Map<String, JobTroubles> newTroubles) {
    return new Measures(
        cpuShare, limitFactor, memoryBytes, use, speeds, loads, lags, remarks, newTroubles);
  }

  /** Why the device cannot run a task, as it says; empty if it does not say so. */
  public Optional<String> unfitFor(TaskId task) {
    if (remarks.isEmpty()) {
      return Optional.empty();
    }
    return Stream.of(task.toString(), task.job())
        .map(remarks::get)
        .filter(remark -> remark != null && remark.kind() == Remark.Kind.UNFIT)
        .map(Remark::text)
        .findFirst();
  }

  private static void checkCount(Map<String, ?> values, int max, String what) {
    if (values.size() > max) {
      throw new IllegalArgumentException(
          "%d values of %s, at most %d are allowed".formatted(values.size(), what, max));
    }
  }

  private static void check(Map<String, Double> values, int max, String what) {
    checkCount(values, max, what);
    values.forEach(
        (name, value) -> {
          Names.checkText(name, what);
          check(value, what + " of " + name);
        });
  }

  private static void check(double value, String what) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("%s is %s, not a number from 0 on".formatted(what, value));
    }
  }
}
