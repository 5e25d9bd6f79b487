package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulated sites: shards follow what changes, and stay where they are when nothing does. */
class VirtualSiteTest {
  private static final int SETTLED = 90;

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05, 0.1})
  void noiseMovesNothing(double noise) {
    for (long seed = 1; seed <= 4; seed++) {
      VirtualSite site = new VirtualSite(seed, 8, 160, noise);
      run(site, SETTLED);
      int before = site.moves(Move.Reason.BALANCE);
      for (int second = 0; second < 600; second++) {
        run(site, 1);
        assertThat(site.excess()).as("seed %d second %d", seed, second).isLessThan(1.25);
      }
      assertThat(site.moves(Move.Reason.BALANCE) - before)
          .as("noise %s seed %d: shards moved in ten minutes, of 160", noise, seed)
          .isLessThanOrEqualTo(noise < 0.1 ? 4 : 16);
    }
  }

  /** The same without hysteresis, to show that it is the hysteresis that keeps shards still. */
  @Test
  void withoutHysteresisNoiseMovesShardsAllTheTime() {
    VirtualSite site = new VirtualSite(1, 8, 160, 0.05, new Policy(0, 0, 0, 0, 60, 10e6), false);
    run(site, 90);
    assertThat(site.moves(Move.Reason.BALANCE)).isGreaterThan(200);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.05, 0.1})
  void aLossOfThreeQuartersIsMendedInFiveSeconds(double noise) {
    for (long seed = 1; seed <= 8; seed++) {
      VirtualSite site = new VirtualSite(seed, 6, 240, noise);
      run(site, SETTLED);
      int slow = (int) (seed % 6);
      int held = Sites.load(site.plan(), name(slow)).shards();
      int before = site.moves(Move.Reason.BALANCE);
      site.setFactor(slow, 0.25);
      run(site, 5);
      String where = "noise " + noise + " seed " + seed;
      assertThat(site.excess()).as(where).isLessThan(noise > 0.05 ? 1.4 : 1.2);
      run(site, 15);
      assertThat(site.moves(Move.Reason.BALANCE) - before)
          .as("%s: of %d shards there", where, held)
          .isLessThanOrEqualTo(held + 10);
    }
  }

  @Test
  void withoutNoiseAFiveSecondLossEndsWithinTenPercentOfTheIdealAndOnlyItsShardsMove() {
    for (long seed = 1; seed <= 8; seed++) {
      VirtualSite site = new VirtualSite(seed, 6, 240, 0);
      run(site, SETTLED);
      int slow = (int) (seed % 6);
      int held = Sites.load(site.plan(), name(slow)).shards();
      int before = site.moves(Move.Reason.BALANCE);
      site.setFactor(slow, 0.25);
      run(site, 5);
      assertThat(site.excess()).as("seed %d", seed).isLessThan(1.10);
      assertThat(site.moves(Move.Reason.BALANCE) - before)
          .as("seed %d", seed)
          .isLessThanOrEqualTo(held);
    }
  }

  @Test
  void aDeviceThatDiesLosesItsShardsAtOnceAndGetsWorkWhenItIsBack() {
    for (long seed = 1; seed <= 8; seed++) {
      VirtualSite site = new VirtualSite(seed, 6, 120, 0.05);
      run(site, SETTLED);
      site.setFactor(2, 0);
      run(site, 1);
      assertThat(Sites.load(site.plan(), name(2)).shards()).as("seed %d", seed).isZero();
      assertThat(site.plan().unplaced()).isEmpty();
      assertThat(site.excess()).as("seed %d", seed).isLessThan(1.3);
      run(site, 60);
      site.setFactor(2, 1);
      run(site, 5);
      assertThat(Sites.load(site.plan(), name(2)).shards()).as("seed %d", seed).isPositive();
      assertThat(site.excess()).as("seed %d", seed).isLessThan(1.3);
    }
  }

  /** Other work takes a device for 15 s of every 30: after a while shards stop following it. */
  @Test
  void aDeviceThatKeepsSlowingAndRecoveringMovesFewerAndFewerShards() {
    VirtualSite site = new VirtualSite(3, 6, 120, 0.03);
    run(site, SETTLED);
    int first = flap(site, 20);
    int second = flap(site, 20);
    assertThat(second).as("first ten minutes moved %d", first).isLessThanOrEqualTo(first / 4);
  }

  private static int flap(VirtualSite site, int times) {
    int before = site.moves(Move.Reason.BALANCE);
    for (int i = 0; i < times; i++) {
      site.setFactor(1, 0.25);
      run(site, 15);
      site.setFactor(1, 1);
      run(site, 15);
    }
    return site.moves(Move.Reason.BALANCE) - before;
  }

  private static String name(int device) {
    return String.format("d%02d", device);
  }

  private static void run(VirtualSite site, int seconds) {
    for (int second = 0; second < seconds; second++) {
      site.tick(() -> 0);
    }
  }
}
