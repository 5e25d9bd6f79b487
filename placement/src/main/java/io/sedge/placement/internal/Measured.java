package io.sedge.placement.internal;

import io.sedge.placement.Shard;

/**
 * How busy devices are, as far as that is measured. A plan has to guess how fast work is that no
 * device has done for long enough; people are not to be alarmed by a guess.
 */
final class Measured {
  /** A part of a device's time that guesses may make up and be passed over. */
  private static final double NEGLIGIBLE = 0.01;

  private final Assignment assignment;
  private final Instance instance;

  Measured(Assignment assignment) {
    this.assignment = assignment;
    instance = assignment.instance;
  }

  /** Whether the speed of any device for a shard's work is measured: those of others follow. */
  boolean knowsSpeed(int shard) {
    String algorithm = instance.shards.get(shard).algorithm();
    return instance.devices.stream()
        .anyMatch(device -> device.readingsPerCpuSecond().containsKey(algorithm));
  }

  private boolean knows(int shard) {
    Shard known = instance.shards.get(shard);
    return known.loadIsMeasured() && (known.load() == 0 || knowsSpeed(shard));
  }

  /** How busy a device is with the shards whose load and speed are measured. */
  double level(int device) {
    double level = 0;
    for (int k = 0; k < assignment.count(device); k++) {
      int shard = assignment.member(device, k);
      level += knows(shard) ? instance.time(shard, device) : 0;
    }
    return level;
  }

  /** That of the fullest device. */
  double makespan() {
    double most = 0;
    for (int device = 0; device < instance.devices.size(); device++) {
      most = Math.max(most, level(device));
    }
    return most;
  }

  /** Whether what is measured is as good as all. */
  boolean isAll() {
    for (int device = 0; device < instance.devices.size(); device++) {
      if (assignment.level(device) - level(device) > NEGLIGIBLE) {
        return false;
      }
    }
    return true;
  }

  /** How many shards are not counted, since load or speed is not measured. */
  int unknown() {
    int unknown = 0;
    for (int shard = 0; shard < instance.shards.size(); shard++) {
      unknown += knows(shard) ? 0 : 1;
    }
    return unknown;
  }
}
