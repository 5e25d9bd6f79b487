package io.sedge.placement;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a plan is made of, at one moment.
 *
 * @param devices every device that the site knows; a device that is absent here is gone
 * @param shards every shard that should run
 * @param running where each shard runs now; absent if nowhere. For a part of a bounded job that has
 *     not begun: the device that has its data. Entries of shards that are not in {@code shards} are
 *     ignored
 */
public record Site(List<Device> devices, List<Shard> shards, Map<ShardId, String> running) {

  /** Copies the collections; refuses a name that occurs twice. */
  public Site {
    devices = List.copyOf(devices);
    shards = List.copyOf(shards);
    running = Map.copyOf(running);
    Set<Object> seen = new HashSet<>();
    for (Device device : devices) {
      if (!seen.add(device.name())) {
        throw new IllegalArgumentException(
            "device " + device.name() + " is twice in the site; names are unique");
      }
    }
    for (Shard shard : shards) {
      if (!seen.add(shard.id())) {
        throw new IllegalArgumentException(
            "shard " + shard.id() + " is twice in the site; names are unique in a job");
      }
    }
  }

  /** The same site where the given assignment runs: what the next plan starts from. */
  public Site running(Map<ShardId, String> assignment) {
    return new Site(devices, shards, assignment);
  }

  /** The same site with other devices. */
  public Site with(List<Device> others) {
    return new Site(others, shards, running);
  }
}
