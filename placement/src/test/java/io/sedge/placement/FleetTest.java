package io.sedge.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Many sites in virtual time, whose devices die, slow down and come back at random. Prints a table;
 * {@code docs/placement.md} shows one.
 */
class FleetTest {
  private static final int SETTLED = 90;
  private static final int DEVICES = 20;
  private static final int SHARDS = 200;
  private static final double NOISE = 0.03;
  private static final double WELL = 1.10;

  private final List<Double> excess = new ArrayList<>();
  private final List<Double> planMs = new ArrayList<>();
  private final List<Double> secondsToWell = new ArrayList<>();
  private int events;
  private int balanceMoves;
  private int requiredMoves;
  private int worstMovesOfASite;

  @Test
  void aFewSitesFollowWhatHappensToTheirDevices() {
    run(6, 90);
  }

  @Test
  @Tag("long")
  void tenThousandDevicesInFiveHundredSites() {
    run(500, 120);
  }

  private void run(int sites, int seconds) {
    for (int site = 0; site < sites; site++) {
      runSite(1000 + site, seconds);
    }
    report(sites, seconds);
    assertThat(at(excess, 0.5)).isLessThan(1.10);
    assertThat(at(excess, 0.9)).isLessThan(1.25);
    assertThat(at(secondsToWell, 0.5)).isLessThanOrEqualTo(5);
  }

  private void runSite(long seed, int seconds) {
    SplittableRandom random = new SplittableRandom(seed);
    VirtualSite site = new VirtualSite(seed, DEVICES, SHARDS, NOISE);
    int[] until = new int[DEVICES];
    int since = -1;
    for (int second = 0; second < SETTLED; second++) {
      site.tick(System::nanoTime);
    }
    int before = site.moves(Move.Reason.BALANCE);
    for (int second = 0; second < seconds; second++) {
      if (happens(site, until, second, random)) {
        since = since < 0 ? second : since;
      }
      site.tick(System::nanoTime);
      check(site, "seed " + seed + " second " + second);
      double now = site.excess();
      excess.add(now);
      planMs.add(site.planNanos() / 1e6);
      if (since >= 0 && now <= WELL) {
        secondsToWell.add((double) (second - since + 1));
        since = -1;
      }
    }
    int moved = site.moves(Move.Reason.BALANCE) - before;
    balanceMoves += moved;
    requiredMoves += site.moves(Move.Reason.GONE);
    worstMovesOfASite = Math.max(worstMovesOfASite, moved);
  }

  /** A device fails every 450 s: it dies (a quarter) or slows to 0.2 to 0.6, for 20 to 60 s. */
  private boolean happens(VirtualSite site, int[] until, int second, SplittableRandom random) {
    boolean worse = false;
    for (int d = 0; d < DEVICES; d++) {
      boolean well = site.factor(d) == 1;
      if (!well && second >= until[d]) {
        site.setFactor(d, 1);
      } else if (well && random.nextInt(450) == 0) {
        site.setFactor(d, random.nextInt(4) == 0 ? 0 : 0.2 + 0.4 * random.nextDouble());
        until[d] = second + 20 + random.nextInt(40);
        events++;
        worse = true;
      }
    }
    return worse;
  }

  private static void check(VirtualSite site, String where) {
    assertThat(site.plan().unplaced()).as(where).isEmpty();
    assertThat(site.plan().places()).as(where).hasSize(SHARDS);
    for (int d = 0; d < DEVICES; d++) {
      if (site.factor(d) == 0) {
        assertThat(site.plan().devices().get(d).shards()).as(where).isZero();
      }
    }
  }

  private void report(int sites, int seconds) {
    double hours = sites * seconds / 3600.0;
    System.err.printf(
        Locale.ROOT,
        """
        | %d sites of %d devices and %d shards, %d s | p50 | p99 | most |
        | --- | --- | --- | --- |
        | makespan over the ideal, every second | %.3f | %.3f | %.3f |
        | seconds until within 10 %% of the ideal (%d deaths and slowdowns) | %.0f | %.0f | %.0f |
        | ms for a plan | %.2f | %.2f | %.2f |
        shards moved per site and hour: %.0f for balance (%d in the worst site), %.0f as their device was gone
        """,
        sites,
        DEVICES,
        SHARDS,
        seconds,
        at(excess, 0.5),
        at(excess, 0.99),
        at(excess, 1),
        events,
        at(secondsToWell, 0.5),
        at(secondsToWell, 0.99),
        at(secondsToWell, 1),
        at(planMs, 0.5),
        at(planMs, 0.99),
        at(planMs, 1),
        balanceMoves / hours,
        worstMovesOfASite,
        requiredMoves / hours);
  }

  private static double at(List<Double> values, double part) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(part * (sorted.length - 1))];
  }
}
