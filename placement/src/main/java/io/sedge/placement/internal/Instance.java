package io.sedge.placement.internal;

import io.sedge.placement.Device;
import io.sedge.placement.Health;
import io.sedge.placement.Policy;
import io.sedge.placement.Shard;
import io.sedge.placement.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A site as arrays, devices and shards in the order of their names, so that a plan does not depend
 * on the order in which they were listed. Shards of the same algorithm and the same demanded labels
 * that the same devices are unfit for are of one class: they differ in load and memory only.
 */
final class Instance {
  static final int NOWHERE = -1;

  private static final double SILENT = 0.001;

  private record ShardClass(String algorithm, Map<String, String> labels, Set<String> unfit) {}

  final List<Device> devices;
  final List<Shard> shards;
  final double[] load;
  final double[] price;
  final int[] home;
  final int[] classOf;

  /** Seconds per reading, [class][device]; infinite where the class may not run. */
  final double[][] slowness;

  private final boolean[] takesMore;
  private final double[][] speeds;

  Instance(Site site, Policy policy) {
    devices = site.devices().stream().sorted(Comparator.comparing(Device::name)).toList();
    shards = site.shards().stream().sorted(Comparator.comparing(Shard::id)).toList();
    load = loads(shards);
    price = shards.stream().mapToDouble(policy::price).toArray();
    takesMore = new boolean[devices.size()];
    Map<String, Integer> numbers = new HashMap<>();
    for (int d = 0; d < devices.size(); d++) {
      numbers.put(devices.get(d).name(), d);
      takesMore[d] = devices.get(d).health() == Health.UP;
    }
    home = new int[shards.size()];
    for (int s = 0; s < home.length; s++) {
      String runs = site.running().get(shards.get(s).id());
      home[s] = runs == null ? NOWHERE : numbers.getOrDefault(runs, NOWHERE);
    }
    Map<ShardClass, Integer> classes = new LinkedHashMap<>();
    classOf = new int[shards.size()];
    for (int s = 0; s < classOf.length; s++) {
      Shard shard = shards.get(s);
      ShardClass key =
          new ShardClass(
              shard.algorithm(), shard.requiredLabels(), Set.copyOf(shard.unfit().keySet()));
      classOf[s] = classes.computeIfAbsent(key, _ -> classes.size());
    }
    List<ShardClass> inOrder = new ArrayList<>(classes.keySet());
    speeds = speeds(devices, inOrder);
    slowness = new double[inOrder.size()][devices.size()];
    for (int c = 0; c < slowness.length; c++) {
      for (int d = 0; d < devices.size(); d++) {
        slowness[c][d] = slowness(inOrder.get(c), devices.get(d), speeds[c][d]);
      }
    }
  }

  private static double[] loads(List<Shard> shards) {
    double sum = 0;
    int speaking = 0;
    for (Shard shard : shards) {
      sum += shard.load();
      speaking += shard.load() > 0 ? 1 : 0;
    }
    double least = speaking == 0 ? 1 : SILENT * sum / speaking;
    return shards.stream().mapToDouble(shard -> Math.max(shard.load(), least)).toArray();
  }

  private static double[][] speeds(List<Device> devices, List<ShardClass> classes) {
    Set<String> names = new TreeSet<>();
    classes.forEach(shardClass -> names.add(shardClass.algorithm()));
    devices.forEach(device -> names.addAll(device.readingsPerCpuSecond().keySet()));
    List<String> algorithms = List.copyOf(names);
    SpeedTable table = new SpeedTable(devices, algorithms);
    double[][] speeds = new double[classes.size()][devices.size()];
    for (int c = 0; c < speeds.length; c++) {
      int algorithm = algorithms.indexOf(classes.get(c).algorithm());
      for (int d = 0; d < devices.size(); d++) {
        Device device = devices.get(d);
        speeds[c][d] = table.perCpuSecond(d, algorithm) * device.cpuShare() * device.limitFactor();
      }
    }
    return speeds;
  }

  private static double slowness(ShardClass shardClass, Device device, double speed) {
    boolean usable = device.health() == Health.UP || device.health() == Health.SUSPECT;
    boolean labelled = device.labels().entrySet().containsAll(shardClass.labels().entrySet());
    boolean fit = !shardClass.unfit().contains(device.name());
    return usable && labelled && fit && speed > 0 ? 1 / speed : Double.POSITIVE_INFINITY;
  }

  /** Readings per second of the device for the shard, whether it may run there or not. */
  double speed(int shard, int device) {
    return speeds[classOf[shard]][device];
  }

  /** How busy the shard makes the device; infinite if it may not run there. */
  double time(int shard, int device) {
    return load[shard] * slowness[classOf[shard]][device];
  }

  long memory(int shard) {
    return shards.get(shard).memoryBytes();
  }

  long room(int device) {
    return devices.get(device).memoryBytes();
  }

  /** Whether the device could run the shard if it ran nothing else and were not suspect. */
  boolean mayRun(int shard, int device) {
    return slowness[classOf[shard]][device] < Double.POSITIVE_INFINITY
        && memory(shard) <= room(device);
  }

  /** Whether the shard may be put there now, memory beside other shards apart. */
  boolean mayTake(int shard, int device) {
    return (takesMore[device] || home[shard] == device) && mayRun(shard, device);
  }

  /** The least time that the shard takes on any device; infinite if none may run it. */
  double leastTime(int shard) {
    double least = Double.POSITIVE_INFINITY;
    for (int d = 0; d < devices.size(); d++) {
      if (mayTake(shard, d)) {
        least = Math.min(least, time(shard, d));
      }
    }
    return least;
  }
}
