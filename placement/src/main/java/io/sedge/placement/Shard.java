package io.sedge.placement;

import java.util.Map;

/**
 * A shard that wants a device, or a part of a bounded job.
 *
 * @param id its name
 * @param algorithm what runs over it; speeds are measured per algorithm
 * @param load readings per second as a {@link LoadEstimator} holds it; for a part of a bounded job
 *     its readings. 0 is unknown or silent: it counts as a thousandth of the mean of the others, so
 *     that silent shards are spread too
 * @param memoryBytes what it takes on the device that runs it
 * @param requiredLabels only devices with all of these labels may run it
 * @param stateBytes what has to be sent when it moves
 * @param moveSeconds how long it stands still when it moves, the sending of state apart
 * @param unfit devices that cannot run it now, each with its reason, as a part of a sentence
 * @param loadIsMeasured whether the load is its own; else it is taken from what others have
 */
public record Shard(
    ShardId id,
    String algorithm,
    double load,
    long memoryBytes,
    Map<String, String> requiredLabels,
    long stateBytes,
    double moveSeconds,
    Map<String, String> unfit,
    boolean loadIsMeasured) {

  /** Copies the maps. */
  public Shard {
    Checks.named(algorithm, "the algorithm of shard " + id);
    Checks.atLeast(0, load, "load of shard " + id);
    Checks.notNegative(memoryBytes, "memoryBytes of shard " + id);
    Checks.notNegative(stateBytes, "stateBytes of shard " + id);
    Checks.atLeast(0, moveSeconds, "moveSeconds of shard " + id);
    requiredLabels = Map.copyOf(requiredLabels);
    unfit = Map.copyOf(unfit);
  }

  /** A shard whose load is measured. */
  public Shard(
      ShardId id,
      String algorithm,
      double load,
      long memoryBytes,
      Map<String, String> requiredLabels,
      long stateBytes,
      double moveSeconds,
      Map<String, String> unfit) {
    this(id, algorithm, load, memoryBytes, requiredLabels, stateBytes, moveSeconds, unfit, true);
  }

  /** A shard that no device is unfit for. */
  public Shard(
      ShardId id,
      String algorithm,
      double load,
      long memoryBytes,
      Map<String, String> requiredLabels,
      long stateBytes,
      double moveSeconds) {
    this(id, algorithm, load, memoryBytes, requiredLabels, stateBytes, moveSeconds, Map.of());
  }

  /** A shard that any device may run and that stands still for 0.1 s when it moves. */
  public static Shard of(ShardId id, String algorithm, double load) {
    return new Shard(id, algorithm, load, 0, Map.of(), 0, 0.1);
  }
}
