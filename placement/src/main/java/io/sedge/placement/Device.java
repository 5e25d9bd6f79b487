package io.sedge.placement;

import java.util.Map;

/**
 * A device as the site's leader sees it at one moment.
 *
 * @param name unique in the site
 * @param health what it may be used for
 * @param cpuShare CPU-seconds per second that Sedge may use here: 0.5 is half of one core, 4 four
 *     cores; measured (its own use and what is idle), at most what {@code --cpu} allows
 * @param limitFactor what heat or power leave of the speed, 0 to 1; 1 where the machine does not
 *     tell
 * @param memoryBytes what shards may take here, all together
 * @param labels for example {@code zone} to {@code hall-3}; a shard may demand some
 * @param readingsPerCpuSecond per algorithm, as a {@link SpeedEstimator} holds it; an algorithm
 *     that has not been measured here may be absent, and is then inferred from other devices and
 *     other algorithms
 */
public record Device(
    String name,
    Health health,
    double cpuShare,
    double limitFactor,
    long memoryBytes,
    Map<String, String> labels,
    Map<String, Double> readingsPerCpuSecond) {

  /** Copies the maps. */
  public Device {
    Checks.named(name, "the device's name");
    Checks.atLeast(0, cpuShare, "cpuShare of device " + name);
    Checks.atLeast(0, limitFactor, "limitFactor of device " + name);
    if (limitFactor > 1) {
      throw new IllegalArgumentException(
          "limitFactor=" + limitFactor + " of device " + name + " is not from 0 to 1");
    }
    Checks.notNegative(memoryBytes, "memoryBytes of device " + name);
    labels = Map.copyOf(labels);
    readingsPerCpuSecond = Map.copyOf(readingsPerCpuSecond);
    readingsPerCpuSecond.forEach(
        (algorithm, speed) ->
            Checks.atLeast(0, speed, "speed of device " + name + " for " + algorithm));
  }

  /** A device without labels or limits: one core, the given speed for one algorithm. */
  public static Device of(String name, String algorithm, double readingsPerSecond) {
    return new Device(
        name, Health.UP, 1, 1, Long.MAX_VALUE, Map.of(), Map.of(algorithm, readingsPerSecond));
  }

  /** This device with another health. */
  public Device with(Health other) {
    return new Device(
        name, other, cpuShare, limitFactor, memoryBytes, labels, readingsPerCpuSecond);
  }
}
