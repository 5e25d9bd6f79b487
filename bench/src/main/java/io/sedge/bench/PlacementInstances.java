package io.sedge.bench;

import io.sedge.placement.Device;
import io.sedge.placement.Health;
import io.sedge.placement.Shard;
import io.sedge.placement.ShardId;
import io.sedge.placement.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Random sites. Speeds are spread log-uniformly over 1 to 10, loads log-normally (sigma 1), scaled
 * so that the site is about 70 % busy.
 */
final class PlacementInstances {
  /** What makes a site harder than equal shards on equal machines. */
  enum Kind {
    /** One algorithm. */
    ONE_ALGORITHM,
    /** Three algorithms; a device is up to 1.5 times better or worse at each. */
    THREE_ALGORITHMS,
    /**
     * One algorithm; 30 % of the shards demand one of three zones, 15 % a GPU (a fifth has one).
     */
    LABELS,
    /** Three algorithms and labels, and memory is 85 % full. */
    ALL_AT_ONCE
  }

  private static final double BUSY = 0.7;

  private final SplittableRandom random;

  PlacementInstances(long seed) {
    random = new SplittableRandom(seed);
  }

  Site site(Kind kind, int devices, int shards) {
    boolean several = kind == Kind.THREE_ALGORITHMS || kind == Kind.ALL_AT_ONCE;
    boolean labels = kind == Kind.LABELS || kind == Kind.ALL_AT_ONCE;
    List<Shard> all = new ArrayList<>();
    double[] loads = new double[shards];
    double sum = 0;
    for (int s = 0; s < shards; s++) {
      loads[s] = Math.exp(random.nextGaussian());
      sum += loads[s];
    }
    List<Device> machines = new ArrayList<>();
    double speed = 0;
    for (int d = 0; d < devices; d++) {
      Device device = device(d, several, labels);
      machines.add(device);
      speed += PlacementBenchmark.speed(device);
    }
    double scale = BUSY * speed / sum;
    long memory = kind == Kind.ALL_AT_ONCE ? (long) (0.85 * 150e6 * devices / shards) : 1;
    for (int s = 0; s < shards; s++) {
      all.add(
          new Shard(
              new ShardId("job", String.format("%05d", s)),
              "a" + (several ? random.nextInt(3) : 0),
              scale * loads[s],
              (long) (memory * (0.5 + random.nextDouble())),
              labels ? demanded() : Map.of(),
              (long) (1e5 * Math.exp(random.nextGaussian())),
              0.1));
    }
    return new Site(machines, all, Map.of());
  }

  private Device device(int number, boolean several, boolean labels) {
    double speed = 20_000 * Math.pow(10, random.nextDouble());
    Map<String, Double> speeds = new HashMap<>();
    speeds.put("a0", speed);
    for (int a = 1; several && a < 3; a++) {
      double better = Math.pow(1.5, 2 * random.nextDouble() - 1);
      speeds.put("a" + a, speed * better / (1 + a));
    }
    Map<String, String> has = new HashMap<>();
    if (labels) {
      has.put("zone", "z" + number % 3);
      has.put("gpu", Boolean.toString(number % 5 == 0));
    }
    long memory = 100_000_000L + random.nextInt(100_000_000);
    return new Device(String.format("d%03d", number), Health.UP, 1, 1, memory, has, speeds);
  }

  private Map<String, String> demanded() {
    double draw = random.nextDouble();
    if (draw < 0.3) {
      return Map.of("zone", "z" + random.nextInt(3));
    }
    return draw < 0.45 ? Map.of("gpu", "true") : Map.of();
  }
}
