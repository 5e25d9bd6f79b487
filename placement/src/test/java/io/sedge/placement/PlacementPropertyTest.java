package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds for every plan, over random sites. Failures name the seed of the site. */
class PlacementPropertyTest {
  private static final Policy POLICY = Policy.forStreams();

  @Test
  void everyShardIsPlacedWhereItMayRunOrReportedWithAReasonForEachDevice() {
    for (long seed = 1; seed <= 2000; seed++) {
      Site site = Sites.random(new SplittableRandom(seed), 8, 40);
      checkFeasible(site, Placement.plan(site, POLICY), seed);
      checkFeasible(site, Placement.plan(site, POLICY.still()), seed);
    }
  }

  @Test
  void theMakespanIsNeverBelowTheBoundNorAboveWhatTheRequiredMovesGive() {
    for (long seed = 1; seed <= 2000; seed++) {
      Site site = Sites.random(new SplittableRandom(seed), 8, 40);
      Plan plan = Placement.plan(site, POLICY);
      String where = "seed " + seed;
      assertThat(plan.makespan()).as(where).isGreaterThanOrEqualTo(plan.lowerBound());
      assertThat(plan.makespan())
          .as(where)
          .isLessThanOrEqualTo(plan.makespanWithoutMoves() * (1 + 1e-9));
    }
  }

  @Test
  void whatRunsIsNeverMadeWorseUnlessShardsHadToMove() {
    int kept = 0;
    for (long seed = 1; seed <= 2000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Site site = Sites.settled(Oracle.explicit(Sites.random(random, 8, 40)));
      Site changed = site.with(slowed(site.devices(), random));
      Plan plan = Placement.plan(changed, POLICY);
      if (plan.moves().stream().allMatch(move -> move.reason() == Move.Reason.BALANCE)) {
        double before = Oracle.makespan(changed, changed.running());
        assertThat(plan.makespan()).as("seed %d", seed).isLessThanOrEqualTo(before * (1 + 1e-9));
        kept++;
      }
    }
    assertThat(kept).isGreaterThan(1000);
  }

  @Test
  void theSameSiteInAnotherOrderHasTheSamePlan() {
    for (long seed = 1; seed <= 300; seed++) {
      Site site = Sites.random(new SplittableRandom(seed), 8, 40);
      List<Device> devices = new ArrayList<>(site.devices());
      List<Shard> shards = new ArrayList<>(site.shards());
      Random random = new Random(seed);
      Collections.shuffle(devices, random);
      Collections.shuffle(shards, random);
      Site shuffled = new Site(devices, shards, site.running());
      assertThat(Placement.plan(shuffled, POLICY))
          .as("seed %d", seed)
          .isEqualTo(Placement.plan(site, POLICY));
    }
  }

  /** Each change of places saves 5 %, so few of them can follow each other. */
  @Test
  void plansOfASiteThatDoesNotChangeComeToAnEnd() {
    for (long seed = 1; seed <= 500; seed++) {
      Site site = Sites.random(new SplittableRandom(seed), 8, 40);
      int plans = 0;
      Plan plan = Placement.plan(site, POLICY);
      while (!plan.moves().isEmpty() && plans < 10) {
        site = site.running(plan.places());
        plan = Placement.plan(site, POLICY);
        plans++;
      }
      assertThat(plan.moves()).as("seed %d after %d plans", seed, plans).isEmpty();
    }
  }

  @Test
  void smallSitesHaveAllShardsPlacedThatCanBeAndMostlyTheOptimum() {
    int optimal = 0;
    int sites = 0;
    double worst = 1;
    for (long seed = 1; seed <= 300; seed++) {
      Site any = Oracle.explicit(Sites.random(new SplittableRandom(seed), 4, 7));
      Site site = new Site(any.devices(), any.shards(), Map.of());
      Plan plan = Placement.plan(site, new Policy(0, 0, 0, 0, 60, 10e6));
      Oracle oracle = new Oracle(site);
      assertThat(plan.places()).as("seed %d", seed).hasSize(oracle.mostPlaced());
      if (plan.unplaced().isEmpty() && !site.shards().isEmpty()) {
        double ratio = plan.makespan() / oracle.leastMakespan();
        assertThat(plan.lowerBound())
            .as("seed %d", seed)
            .isLessThanOrEqualTo(oracle.leastMakespan() * (1 + 1e-9));
        assertThat(ratio).as("seed %d", seed).isBetween(1 - 1e-9, 1.34);
        worst = Math.max(worst, ratio);
        optimal += ratio < 1 + 1e-6 ? 1 : 0;
        sites++;
      }
    }
    assertThat(optimal).as("of %d, worst ratio %s", sites, worst).isGreaterThan(sites * 9 / 10);
  }

  private static List<Device> slowed(List<Device> devices, SplittableRandom random) {
    List<Device> changed = new ArrayList<>();
    for (Device device : devices) {
      double factor = random.nextInt(3) == 0 ? 0.25 : 1;
      changed.add(
          new Device(
              device.name(),
              device.health(),
              device.cpuShare() * factor,
              device.limitFactor(),
              device.memoryBytes(),
              device.labels(),
              device.readingsPerCpuSecond()));
    }
    return changed;
  }

  private static void checkFeasible(Site site, Plan plan, long seed) {
    Map<String, Long> memory = new HashMap<>();
    for (Shard shard : site.shards()) {
      String where = "seed " + seed + " shard " + shard.id();
      String name = plan.places().get(shard.id());
      if (name == null) {
        Unplaced unplaced =
            plan.unplaced().stream()
                .filter(other -> other.shard().equals(shard.id()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(where + " was dropped"));
        assertThat(unplaced.refusals()).as(where).hasSameSizeAs(site.devices());
        continue;
      }
      Device device = Sites.device(site, name);
      boolean stays = name.equals(site.running().get(shard.id()));
      assertThat(device.health()).as(where).isIn(Health.UP, Health.SUSPECT);
      assertThat(device.health() == Health.UP || stays).as(where).isTrue();
      assertThat(device.labels()).as(where).containsAllEntriesOf(shard.requiredLabels());
      assertThat(shard.unfit()).as(where).doesNotContainKey(name);
      Double speed = device.readingsPerCpuSecond().get(shard.algorithm());
      assertThat(speed == null || speed > 0).as(where).isTrue();
      memory.merge(name, shard.memoryBytes(), Long::sum);
    }
    memory.forEach(
        (name, bytes) ->
            assertThat(bytes)
                .as("seed %d memory of %s", seed, name)
                .isLessThanOrEqualTo(Sites.device(site, name).memoryBytes()));
    assertThat(plan.places().size() + plan.unplaced().size()).isEqualTo(site.shards().size());
    Map<ShardId, String> carriedOut = new HashMap<>(site.running());
    plan.moves().forEach(move -> carriedOut.put(move.shard(), move.to()));
    plan.unplaced().forEach(unplaced -> carriedOut.remove(unplaced.shard()));
    assertThat(carriedOut).as("moves lead to places, seed %d", seed).isEqualTo(plan.places());
  }
}
