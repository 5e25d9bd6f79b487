package io.sedge.placement.internal;

import io.sedge.placement.Device;
import io.sedge.placement.DeviceLoad;
import io.sedge.placement.Explanation;
import io.sedge.placement.Health;
import io.sedge.placement.Move;
import io.sedge.placement.Plan;
import io.sedge.placement.Policy;
import io.sedge.placement.Shard;
import io.sedge.placement.ShardId;
import io.sedge.placement.Site;
import io.sedge.placement.Unplaced;
import io.sedge.placement.WhatIf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes plans and explanations of assignments. */
public final class Plans {
  private Plans() {}

  /** The plan for the site. */
  public static Plan of(Site site, Policy policy) {
    Planner.Outcome outcome = Planner.plan(site, policy);
    Assignment assignment = outcome.assignment();
    Instance instance = outcome.instance();
    Refusals refusals = new Refusals(assignment, policy);
    Map<ShardId, String> places = new HashMap<>();
    List<Move> moves = new ArrayList<>();
    List<Unplaced> unplaced = new ArrayList<>();
    for (int s = 0; s < instance.shards.size(); s++) {
      Shard shard = instance.shards.get(s);
      String runs = site.running().get(shard.id());
      if (!assignment.isPlaced(s)) {
        unplaced.add(new Unplaced(shard.id(), staysOn(instance, s), refusals.of(s)));
        continue;
      }
      String to = instance.devices.get(assignment.at(s)).name();
      places.put(shard.id(), to);
      if (!to.equals(runs)) {
        double price = runs == null ? 0 : instance.price[s];
        moves.add(new Move(shard.id(), runs, to, reason(outcome, s, runs), price));
      }
    }
    return new Plan(
        places,
        moves,
        unplaced,
        loads(assignment),
        assignment.makespan(),
        outcome.makespanWithoutMoves(),
        outcome.lowerBound());
  }

  /** The explanation for one shard where it is in {@code places}, or why it is nowhere. */
  public static Explanation explain(
      Site site, Policy policy, Map<ShardId, String> places, ShardId id) {
    Assignment assignment = running(site.running(places), policy);
    Instance instance = assignment.instance;
    int shard = -1;
    for (int s = 0; s < instance.shards.size(); s++) {
      shard = instance.shards.get(s).id().equals(id) ? s : shard;
    }
    if (shard < 0) {
      throw new IllegalArgumentException("shard " + id + " is not in the site");
    }
    int at = assignment.at(shard);
    boolean placed = at != Instance.NOWHERE;
    Measured measured = new Measured(assignment);
    Shard known = instance.shards.get(shard);
    boolean speedIsKnown = placed && measured.knowsSpeed(shard);
    return new Explanation(
        id,
        placed ? instance.devices.get(at).name() : null,
        known.loadIsMeasured() ? OptionalDouble.of(known.load()) : OptionalDouble.empty(),
        speedIsKnown ? OptionalDouble.of(instance.speed(shard, at)) : OptionalDouble.empty(),
        placed ? measured.level(at) : 0,
        measured.makespan(),
        new Refusals(assignment, policy).of(shard));
  }

  /**
   * What would happen if devices were lost.
   *
   * @param now the plan with them
   * @param without the site without them
   */
  public static WhatIf whatIf(Site site, Site without, Policy policy, Set<String> lost, Plan now) {
    Plan after = of(without, policy);
    Measured before = new Measured(running(site.running(now.places()), policy));
    Measured then = new Measured(running(without.running(after.places()), policy));
    return new WhatIf(
        lost,
        before.makespan(),
        then.makespan(),
        before.isAll() && then.isAll() ? 0 : then.unknown(),
        after);
  }

  /** What each device does where its shards run now. */
  public static List<DeviceLoad> loads(Site site, Policy policy) {
    return loads(running(site, policy));
  }

  /** Every shard where it runs, if it may. */
  private static Assignment running(Site site, Policy policy) {
    Instance instance = new Instance(site, policy);
    Assignment assignment = new Assignment(instance);
    for (int s = 0; s < instance.shards.size(); s++) {
      int home = instance.home[s];
      if (home != Instance.NOWHERE && instance.mayRun(s, home)) {
        assignment.put(s, home);
      }
    }
    return assignment;
  }

  private static @Nullable String staysOn(Instance instance, int shard) {
    int home = instance.home[shard];
    boolean drains =
        home != Instance.NOWHERE && instance.devices.get(home).health() == Health.DRAINING;
    return drains ? instance.devices.get(home).name() : null;
  }

  private static Move.Reason reason(Planner.Outcome outcome, int shard, @Nullable String runs) {
    if (runs == null) {
      return Move.Reason.START;
    }
    if (!outcome.hadToMove().test(shard)) {
      return Move.Reason.BALANCE;
    }
    Instance instance = outcome.instance();
    int home = instance.home[shard];
    Device device = home == Instance.NOWHERE ? null : instance.devices.get(home);
    if (device == null || device.health() == Health.GONE) {
      return Move.Reason.GONE;
    }
    if (device.health() == Health.DRAINING) {
      return Move.Reason.DRAINING;
    }
    Shard moved = instance.shards.get(shard);
    if (!device.labels().entrySet().containsAll(moved.requiredLabels().entrySet())) {
      return Move.Reason.LABEL;
    }
    if (moved.unfit().containsKey(device.name())) {
      return Move.Reason.UNFIT;
    }
    if (!(instance.speed(shard, home) > 0)) {
      return Move.Reason.NO_SPEED;
    }
    return Move.Reason.MEMORY;
  }

  private static List<DeviceLoad> loads(Assignment assignment) {
    List<DeviceLoad> loads = new ArrayList<>();
    Instance instance = assignment.instance;
    for (int d = 0; d < instance.devices.size(); d++) {
      double load = 0;
      for (int k = 0; k < assignment.count(d); k++) {
        load += instance.shards.get(assignment.member(d, k)).load();
      }
      loads.add(
          new DeviceLoad(
              instance.devices.get(d).name(),
              assignment.count(d),
              load,
              assignment.level(d),
              assignment.used(d)));
    }
    return loads;
  }
}
