package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The bound against theorems that give it in closed form. */
class LowerBoundTest {
  private static final Policy POLICY = Policy.forStreams();

  /**
   * One algorithm, labels, loads that can be cut at will: by the max-flow min-cut theorem the least
   * makespan is the greatest, over sets of classes, of their load over the speed of all devices
   * that may run any of them.
   */
  @Test
  void underLabelsItIsTheWorstSetOfClassesOverItsDevices() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Device> devices = new ArrayList<>();
      double[] speed = new double[2 + random.nextInt(5)];
      for (int d = 0; d < speed.length; d++) {
        speed[d] = 1 + 9 * random.nextDouble();
        devices.add(
            new Device(
                "d" + d,
                Health.UP,
                1,
                1,
                1,
                Map.of("zone", "z" + d % 2, "gpu", "" + random.nextInt(2), "any", "x"),
                Map.of(Sites.ALGORITHM, speed[d])));
      }
      List<Map<String, String>> demands =
          List.of(Map.of(), Map.of("zone", "z0"), Map.of("zone", "z1"), Map.of("gpu", "1"));
      List<Shard> shards = new ArrayList<>();
      double[] load = new double[demands.size()];
      for (int c = 0; c < load.length; c++) {
        double each = 0.001 * random.nextDouble();
        boolean runnable = devices.stream().anyMatch(suits(demands.get(c)));
        for (int s = 0; runnable && s < 50; s++) {
          ShardId id = new ShardId("c" + c, "s" + s);
          shards.add(new Shard(id, Sites.ALGORITHM, each, 0, demands.get(c), 0, 0.1));
          load[c] += each;
        }
      }
      double expected = worstSet(devices, speed, demands, load);
      Plan plan = Placement.plan(Sites.fresh(devices, shards), POLICY);
      assertThat(plan.lowerBound())
          .as("seed %d", seed)
          .isCloseTo(expected, within(1e-7 * expected));
    }
  }

  /** Two algorithms, each device good at another: cutting neither is best, equal parts are not. */
  @Test
  void withSeveralAlgorithmsItUsesWhatEachDeviceIsGoodAt() {
    Map<String, Double> left = Map.of("a", 10.0, "b", 1.0);
    Map<String, Double> right = Map.of("a", 1.0, "b", 10.0);
    List<Device> devices =
        List.of(
            new Device("A", Health.UP, 1, 1, 1, Map.of(), left),
            new Device("B", Health.UP, 1, 1, 1, Map.of(), right));
    List<Shard> shards = new ArrayList<>();
    for (int s = 0; s < 100; s++) {
      shards.add(Shard.of(Sites.id(s), s % 2 == 0 ? "a" : "b", 0.1));
    }
    Plan plan = Placement.plan(Sites.fresh(devices, shards), POLICY);
    assertThat(plan.lowerBound()).isCloseTo(0.5, within(1e-6));
    assertThat(plan.makespan()).isCloseTo(0.5, within(1e-6));
  }

  /** Nor are the two largest done sooner than by the two fastest devices. */
  @Test
  void aShardIsNeverDoneSoonerThanOnItsBestDevice() {
    List<Shard> one = List.of(Shard.of(Sites.id(0), Sites.ALGORITHM, 8));
    Plan plan = Placement.plan(Sites.fresh(Sites.devices(4, 4, 4), one), POLICY);
    assertThat(plan.lowerBound()).isCloseTo(2, within(1e-6));
    List<Shard> two = new ArrayList<>(one);
    two.add(Shard.of(Sites.id(1), Sites.ALGORITHM, 8));
    Plan largest = Placement.plan(Sites.fresh(Sites.devices(4, 1, 1, 1), two), POLICY);
    assertThat(largest.lowerBound()).as("16 on the two fastest").isCloseTo(3.2, within(1e-6));
  }

  private static Predicate<Device> suits(Map<String, String> demand) {
    return device -> device.labels().entrySet().containsAll(demand.entrySet());
  }

  private static double worstSet(
      List<Device> devices, double[] speed, List<Map<String, String>> demands, double[] load) {
    double worst = 0;
    for (int set = 1; set < 1 << load.length; set++) {
      double loadOfSet = 0;
      double speedOfSet = 0;
      for (int c = 0; c < load.length; c++) {
        loadOfSet += (set >> c & 1) == 1 ? load[c] : 0;
      }
      for (int d = 0; d < speed.length; d++) {
        boolean any = false;
        for (int c = 0; c < load.length; c++) {
          any |= (set >> c & 1) == 1 && load[c] > 0 && suits(demands.get(c)).test(devices.get(d));
        }
        speedOfSet += any ? speed[d] : 0;
      }
      worst = loadOfSet > 0 ? Math.max(worst, loadOfSet / speedOfSet) : worst;
    }
    return worst;
  }
}
