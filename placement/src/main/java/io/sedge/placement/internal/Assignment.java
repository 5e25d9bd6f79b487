package io.sedge.placement.internal;

import java.util.Arrays;

/**
 * Which shard is on which device, while a plan is made: levels (load over speed), memory taken, and
 * members of each device, kept up to date by {@link #put} and {@link #remove}.
 */
final class Assignment {
  final Instance instance;
  private final int[] at;
  private final int[] position; // of a shard among the members of its device
  private final int[][] members;
  private final int[] count;
  private final double[] level;
  private final long[] used;

  Assignment(Instance instance) {
    this.instance = instance;
    int devices = instance.devices.size();
    at = new int[instance.shards.size()];
    Arrays.fill(at, Instance.NOWHERE);
    position = new int[at.length];
    members = new int[devices][8];
    count = new int[devices];
    level = new double[devices];
    used = new long[devices];
  }

  private Assignment(Assignment other) {
    instance = other.instance;
    at = other.at.clone();
    position = other.position.clone();
    members = other.members.clone();
    Arrays.setAll(members, d -> members[d].clone());
    count = other.count.clone();
    level = other.level.clone();
    used = other.used.clone();
  }

  Assignment copy() {
    return new Assignment(this);
  }

  int at(int shard) {
    return at[shard];
  }

  boolean isPlaced(int shard) {
    return at[shard] != Instance.NOWHERE;
  }

  double level(int device) {
    return level[device];
  }

  long used(int device) {
    return used[device];
  }

  int count(int device) {
    return count[device];
  }

  int member(int device, int index) {
    return members[device][index];
  }

  /** Bytes that are free; negative if more is taken than there is. */
  long free(int device) {
    return instance.room(device) - used[device];
  }

  /** Whether the shard may be put on the device beside what is there. */
  boolean fits(int shard, int device) {
    return instance.mayTake(shard, device) && instance.memory(shard) <= free(device);
  }

  void put(int shard, int device) {
    at[shard] = device;
    if (count[device] == members[device].length) {
      members[device] = Arrays.copyOf(members[device], 2 * count[device]);
    }
    position[shard] = count[device];
    members[device][count[device]++] = shard;
    level[device] += instance.time(shard, device);
    used[device] += instance.memory(shard);
  }

  void remove(int shard) {
    int device = at[shard];
    int last = members[device][--count[device]];
    members[device][position[shard]] = last;
    position[last] = position[shard];
    at[shard] = Instance.NOWHERE;
    level[device] =
        count[device] == 0 ? 0 : Math.max(0, level[device] - instance.time(shard, device));
    used[device] -= instance.memory(shard);
  }

  void move(int shard, int device) {
    remove(shard);
    put(shard, device);
  }

  /** Sums the levels anew: adding and subtracting leaves errors of rounding. */
  void settleLevels() {
    Arrays.fill(level, 0);
    for (int s = 0; s < at.length; s++) {
      if (isPlaced(s)) {
        level[at[s]] += instance.time(s, at[s]);
      }
    }
  }

  double makespan() {
    return Arrays.stream(level).max().orElse(0);
  }

  /** The greatest level among the devices that are open. */
  double makespan(boolean[] open) {
    double most = 0;
    for (int d = 0; d < level.length; d++) {
      if (open[d]) {
        most = Math.max(most, level[d]);
      }
    }
    return most;
  }

  int unplaced() {
    return (int) Arrays.stream(at).filter(device -> device == Instance.NOWHERE).count();
  }

  /** Seconds that the moves away from where shards run cost, all together. */
  double price() {
    double sum = 0;
    for (int s = 0; s < at.length; s++) {
      if (isPlaced(s) && at[s] != instance.home[s] && instance.home[s] != Instance.NOWHERE) {
        sum += instance.price[s];
      }
    }
    return sum;
  }
}
