package io.sedge.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures of small sites by exhaustive search, written apart from what it checks. */
final class Oracle {
  private final Site site;
  private final double[] busy;
  private final long[] memory;
  private int mostPlaced = -1;
  private double leastMakespan = Double.POSITIVE_INFINITY;

  Oracle(Site site) {
    this.site = site;
    busy = new double[site.devices().size()];
    memory = new long[busy.length];
    search(0, 0);
  }

  /** How many shards can run at the same time. */
  int mostPlaced() {
    return mostPlaced;
  }

  /** The least makespan with that many. */
  double leastMakespan() {
    return leastMakespan;
  }

  /** The site with nothing left to infer: every speed measured, no shard silent. */
  static Site explicit(Site site) {
    List<Device> devices = new ArrayList<>();
    for (Device device : site.devices()) {
      Map<String, Double> speeds = new HashMap<>(device.readingsPerCpuSecond());
      List.of("a0", "a1", "a2").forEach(algorithm -> speeds.putIfAbsent(algorithm, 1.0));
      devices.add(
          new Device(
              device.name(),
              device.health(),
              device.cpuShare(),
              device.limitFactor(),
              device.memoryBytes(),
              device.labels(),
              speeds));
    }
    List<Shard> shards = new ArrayList<>();
    for (Shard shard : site.shards()) {
      shards.add(
          new Shard(
              shard.id(),
              shard.algorithm(),
              Math.max(shard.load(), 0.5),
              shard.memoryBytes(),
              shard.requiredLabels(),
              shard.stateBytes(),
              shard.moveSeconds(),
              shard.unfit()));
    }
    return new Site(devices, shards, site.running());
  }

  static double makespan(Site site, Map<ShardId, String> places) {
    Map<String, Double> busy = new HashMap<>();
    for (Shard shard : site.shards()) {
      String name = places.get(shard.id());
      if (name != null) {
        busy.merge(name, time(shard, Sites.device(site, name)), Double::sum);
      }
    }
    return busy.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private void search(int next, int placed) {
    int left = site.shards().size() - next;
    if (placed + left < mostPlaced) {
      return;
    }
    if (left == 0) {
      double makespan = 0;
      for (double level : busy) {
        makespan = Math.max(makespan, level);
      }
      if (placed > mostPlaced || makespan < leastMakespan) {
        leastMakespan = makespan;
      }
      mostPlaced = placed;
      return;
    }
    Shard shard = site.shards().get(next);
    for (int d = 0; d < busy.length; d++) {
      Device device = site.devices().get(d);
      if (canRun(shard, device) && memory[d] + shard.memoryBytes() <= device.memoryBytes()) {
        double before = busy[d];
        busy[d] += time(shard, device);
        memory[d] += shard.memoryBytes();
        search(next + 1, placed + 1);
        busy[d] = before;
        memory[d] -= shard.memoryBytes();
      }
    }
    search(next + 1, placed);
  }

  private static boolean canRun(Shard shard, Device device) {
    return device.health() == Health.UP
        && time(shard, device) < Double.POSITIVE_INFINITY
        && !shard.unfit().containsKey(device.name())
        && shard.requiredLabels().entrySet().stream()
            .allMatch(label -> label.getValue().equals(device.labels().get(label.getKey())));
  }

  private static double time(Shard shard, Device device) {
    return shard.load()
        / (device.readingsPerCpuSecond().get(shard.algorithm())
            * device.cpuShare()
            * device.limitFactor());
  }
}
