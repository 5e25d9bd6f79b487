package io.sedge.placement;

import io.sedge.placement.internal.Plans;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives each shard of a site to one device so that the makespan T = max over devices of load/speed
 * is least, under labels, memory and the price of moves. What a site's leader calls every second,
 * with what was measured; in between it costs nothing.
 *
 * <p>All methods are pure: the same arguments give the same answer, whatever the order of devices
 * and shards; nothing is kept. Any thread. Work is bounded (see {@code docs/placement.md} for
 * figures): 50 devices and 2,000 shards take some milliseconds.
 *
 * <p>With one algorithm and no labels this is the scheduling of independent jobs on uniform
 * machines, with several algorithms on unrelated machines; both are NP-hard. See {@code internal}
 * for the algorithms: LPT (Graham 1969; Gonzalez, Ibarra, Sahni 1977), a linear program for the
 * bound and the shares (Lenstra, Shmoys, Tardos 1990), local search.
 */
public final class Placement {
  private Placement() {}

  /**
   * Where each shard shall run from now on. Every shard is in the plan's places or among its
   * unplaced; devices that must not run a shard never get it, whatever the price.
   */
  public static Plan plan(Site site, Policy policy) {
    return Plans.of(site, policy);
  }

  /** What each device does with the shards that run on it now, in the order of the devices. */
  public static List<DeviceLoad> loads(Site site, Policy policy) {
    return Plans.loads(site, policy);
  }

  /**
   * Why a shard is where {@code places} has it, and why not on each other device.
   *
   * @param site as it was planned, or as it is now
   * @param policy the one that plans
   * @param places where shards run: {@link Plan#places()} or {@link Site#running()}
   * @throws IllegalArgumentException if the site has no such shard
   */
  public static Explanation explain(
      Site site, Policy policy, Map<ShardId, String> places, ShardId shard) {
    return Plans.explain(site, policy, places, shard);
  }

  /**
   * What would happen if the devices were lost at once.
   *
   * @throws IllegalArgumentException if the site has no device of one of these names
   */
  public static WhatIf whatIf(Site site, Policy policy, Set<String> lost) {
    Set<String> unknown = new TreeSet<>(lost);
    site.devices().forEach(device -> unknown.remove(device.name()));
    if (!unknown.isEmpty()) {
      TreeSet<String> known = new TreeSet<>();
      site.devices().forEach(device -> known.add(device.name()));
      throw new IllegalArgumentException(
          "lose=" + unknown + " is not of the site; its devices are " + known);
    }
    Plan now = plan(site, policy);
    Site without =
        site.running(now.places())
            .with(
                site.devices().stream()
                    .map(device -> lost.contains(device.name()) ? device.with(Health.GONE) : device)
                    .toList());
    return Plans.whatIf(site, without, policy, lost, now);
  }
}
