package io.sedge.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Sites for tests. */
final class Sites {
  static final String ALGORITHM = "window";

  private Sites() {}

  static ShardId id(int number) {
    return new ShardId("plant", String.format("%04d", number));
  }

  /** Devices A, B, C ... of the given speeds, in readings per second. */
  static List<Device> devices(double... speeds) {
    List<Device> devices = new ArrayList<>();
    for (double speed : speeds) {
      String name = String.valueOf((char) ('A' + devices.size()));
      devices.add(Device.of(name, ALGORITHM, speed));
    }
    return devices;
  }

  static List<Shard> equalShards(int count, double total) {
    List<Shard> shards = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      shards.add(Shard.of(id(s), ALGORITHM, total / count));
    }
    return shards;
  }

  static Site fresh(List<Device> devices, List<Shard> shards) {
    return new Site(devices, shards, Map.of());
  }

  /** The site after its plan was carried out. */
  static Site settled(Site site) {
    return site.running(Placement.plan(site, Policy.forStreams()).places());
  }

  /** The same site with one device replaced by another of the same name. */
  static Site with(Site site, Device device) {
    List<Device> devices = new ArrayList<>(site.devices());
    devices.replaceAll(old -> old.name().equals(device.name()) ? device : old);
    return site.with(devices);
  }

  static Device device(Site site, String name) {
    return site.devices().stream()
        .filter(device -> device.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static DeviceLoad load(Plan plan, String device) {
    return plan.devices().stream()
        .filter(load -> load.device().equals(device))
        .findFirst()
        .orElseThrow();
  }

  /** Anything: labels, algorithms, tight memory, every health, shards that run somewhere or not. */
  static Site random(SplittableRandom random, int mostDevices, int mostShards) {
    List<Device> devices = new ArrayList<>();
    int count = 1 + random.nextInt(mostDevices);
    for (int d = 0; d < count; d++) {
      Map<String, Double> speeds = new HashMap<>();
      for (int a = 0; a < 3; a++) {
        if (random.nextInt(8) > 0) {
          speeds.put("a" + a, random.nextInt(20) == 0 ? 0 : Math.exp(3 * random.nextDouble()));
        }
      }
      devices.add(
          new Device(
              "d" + d,
              health(random.nextInt(9)),
              0.25 + random.nextDouble(),
              random.nextInt(5) == 0 ? 0.5 : 1,
              50 + random.nextInt(400),
              Map.of("zone", "z" + random.nextInt(3), "gpu", Integer.toString(random.nextInt(2))),
              speeds));
    }
    List<Shard> shards = new ArrayList<>();
    Map<ShardId, String> running = new HashMap<>();
    int wanted = random.nextInt(mostShards + 1);
    for (int s = 0; s < wanted; s++) {
      Map<String, String> labels =
          switch (random.nextInt(5)) {
            case 0 -> Map.of("zone", "z" + random.nextInt(3));
            case 1 -> Map.of("gpu", "1");
            default -> Map.of();
          };
      shards.add(
          new Shard(
              id(s),
              "a" + random.nextInt(3),
              random.nextInt(10) == 0 ? 0 : Math.exp(2 * random.nextGaussian()),
              random.nextInt(100),
              labels,
              random.nextInt(10_000_000),
              random.nextDouble(),
              random.nextInt(6) == 0
                  ? Map.of("d" + random.nextInt(count), "has no key for it")
                  : Map.of()));
      if (random.nextInt(3) > 0) {
        running.put(id(s), "d" + random.nextInt(count + 1));
      }
    }
    return new Site(devices, shards, running);
  }

  private static Health health(int draw) {
    return switch (draw) {
      case 0 -> Health.GONE;
      case 1 -> Health.DRAINING;
      case 2 -> Health.SUSPECT;
      default -> Health.UP;
    };
  }
}
