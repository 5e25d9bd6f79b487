package io.sedge.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * A site in virtual time, a second at a time: devices with a true speed that measurements show with
 * noise and outliers, shards with a true load, heartbeats (a device silent for a second is gone), a
 * leader that plans each second from what was measured, and moves that are carried out at once.
 */
final class VirtualSite {
  private static final double BUSY = 0.6;

  /** For so many seconds after a device has come nothing waits. */
  private static final long SETTLE = 5;

  private final SplittableRandom random;
  private final double noise;
  private final Policy policy;
  private final boolean stabilized;
  private final List<Device> nominal;
  private final List<Shard> shards;
  private final double[] factor; // of the nominal speed; 0 is dead
  private final int[] silent;
  private final SpeedEstimator[] speeds;
  private final LoadEstimator[] loads;
  private Map<ShardId, String> running = Map.of();
  private final StabilizationWindow window = new StabilizationWindow();
  private long second;
  private long arrived = -SETTLE;
  private Plan plan;
  private final int[] movesByReason = new int[Move.Reason.values().length];
  private long planNanos;

  /**
   * A site about 60 % busy.
   *
   * @param noise sigma of the logarithm of each measurement; one in a hundred is an outlier besides
   */
  VirtualSite(long seed, int devices, int shardCount, double noise) {
    this(seed, devices, shardCount, noise, Policy.forStreams(), true);
  }

  /**
   * One whose plans are made otherwise.
   *
   * @param stabilized whether what gains little waits
   */
  VirtualSite(
      long seed, int devices, int shardCount, double noise, Policy policy, boolean stabilized) {
    this.stabilized = stabilized;
    random = new SplittableRandom(seed);
    this.noise = noise;
    this.policy = policy;
    nominal = new ArrayList<>();
    shards = new ArrayList<>();
    factor = new double[devices];
    Arrays.fill(factor, 1);
    silent = new int[devices];
    speeds = new SpeedEstimator[devices];
    loads = new LoadEstimator[shardCount];
    double speed = 0;
    for (int d = 0; d < devices; d++) {
      double own = 10_000 * Math.pow(8, random.nextDouble());
      speed += own;
      nominal.add(Device.of(String.format("d%02d", d), Sites.ALGORITHM, own));
      speeds[d] = new SpeedEstimator();
    }
    for (int s = 0; s < shardCount; s++) {
      double load = BUSY * speed / shardCount * (0.5 + random.nextDouble());
      shards.add(new Shard(Sites.id(s), Sites.ALGORITHM, load, 0, Map.of(), 100_000, 0.1));
      loads[s] = new LoadEstimator(10);
    }
  }

  /** Sets a device's true speed, as a part of what it had at first. 0: it dies. */
  void setFactor(int device, double to) {
    factor[device] = to;
  }

  double factor(int device) {
    return factor[device];
  }

  int devices() {
    return factor.length;
  }

  Plan plan() {
    return plan;
  }

  /** How many shards have moved for this reason so far. */
  int moves(Move.Reason reason) {
    return movesByReason[Arrays.asList(Move.Reason.values()).indexOf(reason)];
  }

  /** Nanoseconds that the last plan took, by the clock handed in with {@link #tick}. */
  long planNanos() {
    return planNanos;
  }

  /** One second: measure, plan, move. */
  void tick(LongSupplier clock) {
    List<Device> devices = new ArrayList<>();
    boolean hasArrived = false;
    for (int d = 0; d < factor.length; d++) {
      hasArrived |= silent[d] > 0 && factor[d] > 0;
      silent[d] = factor[d] > 0 ? 0 : silent[d] + 1;
      if (factor[d] > 0) {
        speeds[d].add(trueSpeed(d) * noisy() * outlier(), 1);
      }
      Device device = nominal.get(d);
      Health health = silent[d] == 0 ? Health.UP : Health.GONE;
      devices.add(Device.of(device.name(), Sites.ALGORITHM, speeds[d].value()).with(health));
    }
    List<Shard> measured = new ArrayList<>();
    for (int s = 0; s < loads.length; s++) {
      loads[s].add(shards.get(s).load() * noisy(), 1);
      measured.add(
          new Shard(Sites.id(s), Sites.ALGORITHM, loads[s].value(), 0, Map.of(), 100_000, 0.1));
    }
    Site site = new Site(devices, measured, running);
    long begin = clock.getAsLong();
    second++;
    arrived = hasArrived ? second : arrived;
    plan =
        second - arrived < SETTLE || !stabilized
            ? Placement.plan(site, policy)
            : window.plan(site, policy, second * 1_000_000_000L);
    planNanos = clock.getAsLong() - begin;
    running = plan.places();
    plan.moves().forEach(move -> movesByReason[indexOf(move.reason())]++);
  }

  /** The true makespan over what it would be if loads could be cut at will: 1 is ideal. */
  double excess() {
    Map<String, Double> load = new HashMap<>();
    double all = 0;
    for (Shard shard : shards) {
      all += shard.load();
      String at = running.get(shard.id());
      if (at != null) {
        load.merge(at, shard.load(), Double::sum);
      }
    }
    double speed = 0;
    double makespan = 0;
    for (int d = 0; d < factor.length; d++) {
      speed += trueSpeed(d);
      double here = load.getOrDefault(nominal.get(d).name(), 0.0);
      if (here > 0) {
        makespan = Math.max(makespan, here / trueSpeed(d));
      }
    }
    return makespan / (all / speed);
  }

  private double trueSpeed(int device) {
    Double speed = nominal.get(device).readingsPerCpuSecond().get(Sites.ALGORITHM);
    return speed == null ? 0 : speed * factor[device];
  }

  private double noisy() {
    return Math.exp(noise * random.nextGaussian());
  }

  private double outlier() {
    return random.nextInt(100) == 0 ? Math.exp(2 * random.nextGaussian()) : 1;
  }

  private static int indexOf(Move.Reason reason) {
    return Arrays.asList(Move.Reason.values()).indexOf(reason);
  }
}
