package io.sedge.placement.internal;

import io.sedge.placement.Health;
import io.sedge.placement.Policy;
import io.sedge.placement.Site;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The course of one plan.
 *
 * <ol>
 *   <li>Shards that can stay, stay. Where memory no longer does, the cheapest leave.
 *   <li>The others go where they are done first, largest first; room is made if need be.
 *   <li>Only those may then move again, at no price, as they must start somewhere anyway.
 *   <li>If the makespan is still beyond the policy's trigger, or a device idles at less than half
 *       of the bound, and it is more than what the policy calls calm, {@link LocalSearch} moves
 *       shards from the fullest devices; if that does not do, a placement from nothing (which keeps
 *       at home what it can) is tried. Either is taken only if it saves the policy's least gain and
 *       pays for its moves.
 *   <li>Devices well below the makespan are then a problem of their own: the fullest among them is
 *       relieved in the same way, and so on (a pinned large shard must not hide the rest).
 * </ol>
 *
 * <p>So the makespan is never longer than that of what runs now, unless shards had to move.
 */
public final class Planner {
  private static final double NEAR = 1.005;
  private static final double IDLE = 0.5;
  private static final double LEAST_GAIN_FOR_IDLE = 0.01;

  private final Instance instance;
  private final Policy policy;

  /** Shards that run nowhere yet or cannot stay. */
  private final boolean[] free;

  private double lowerBound;

  /** For one plan. */
  Planner(Instance instance, Policy policy) {
    this.instance = instance;
    this.policy = policy;
    free = new boolean[instance.shards.size()];
  }

  /** Plans the site. */
  public static Outcome plan(Site site, Policy policy) {
    Instance instance = new Instance(site, policy);
    Planner planner = new Planner(instance, policy);
    Assignment required = planner.required();
    Assignment best = planner.balanced(required);
    double without = required.makespan();
    if (planner.insertLeftOver(best)) {
      without = Math.max(without, best.makespan());
    }
    return new Outcome(instance, best, shard -> planner.free[shard], without, planner.lowerBound);
  }

  /** What stays, and the others inserted. */
  private Assignment required() {
    Assignment kept = new Assignment(instance);
    for (int s = 0; s < free.length; s++) {
      int home = instance.home[s];
      if (home != Instance.NOWHERE && instance.mayRun(s, home)) {
        kept.put(s, home);
      } else {
        free[s] = true;
      }
    }
    for (int d = 0; d < instance.devices.size(); d++) {
      evict(kept, d);
    }
    List<Integer> pending = new ArrayList<>();
    for (int s = 0; s < free.length; s++) {
      if (free[s]) {
        pending.add(s);
      }
    }
    Assignment best = inserted(kept, Insertion.largestFirst(instance, pending));
    if (best.unplaced() > 0) {
      best = fuller(best, inserted(kept, Insertion.mostMemoryFirst(instance, pending)));
    }
    if (best.unplaced() > 0) {
      best = fuller(best, inserted(kept, Insertion.leastMemoryFirst(instance, pending)));
    }
    return best;
  }

  private static Assignment fuller(Assignment first, Assignment second) {
    return second.unplaced() < first.unplaced() ? second : first;
  }

  private Assignment inserted(Assignment kept, List<Integer> pending) {
    Assignment assignment = kept.copy();
    if (!Insertion.greedy(assignment, pending, usable(), 0)) {
      MemoryRepair.run(assignment, pending, usable());
    }
    return assignment;
  }

  /** Balancing may have made room for a shard that had none. */
  private boolean insertLeftOver(Assignment assignment) {
    List<Integer> leftOver = new ArrayList<>();
    for (int s = 0; s < free.length; s++) {
      if (!assignment.isPlaced(s)) {
        leftOver.add(s);
      }
    }
    int before = leftOver.size();
    Insertion.greedy(assignment, Insertion.largestFirst(instance, leftOver), usable(), 0);
    return assignment.unplaced() < before;
  }

  /** Cheapest per byte first; those that were evicted for nothing come back. */
  private void evict(Assignment kept, int device) {
    if (kept.free(device) >= 0) {
      return;
    }
    List<Integer> members = new ArrayList<>();
    for (int k = 0; k < kept.count(device); k++) {
      if (instance.memory(kept.member(device, k)) > 0) {
        members.add(kept.member(device, k));
      }
    }
    members.sort(
        Comparator.<Integer>comparingDouble(s -> instance.price[s] / instance.memory(s))
            .thenComparing(Comparator.naturalOrder()));
    List<Integer> evicted = new ArrayList<>();
    for (int shard : members) {
      if (kept.free(device) < 0) {
        kept.remove(shard);
        evicted.add(shard);
      }
    }
    for (int shard : evicted.reversed()) {
      if (instance.memory(shard) <= kept.free(device)) {
        kept.put(shard, device);
      } else {
        free[shard] = true;
      }
    }
    kept.settleLevels();
  }

  private boolean[] usable() {
    boolean[] usable = new boolean[instance.devices.size()];
    for (double[] slowness : instance.slowness) {
      for (int d = 0; d < usable.length; d++) {
        usable[d] |= slowness[d] < Double.POSITIVE_INFINITY;
      }
    }
    return usable;
  }

  private Assignment balanced(Assignment required) {
    Assignment best = required;
    boolean[] open = usable();
    for (int depth = 0; depth < open.length; depth++) {
      FractionalBound fraction = new FractionalBound(best, open);
      double bound = Math.max(fraction.value(), IndivisibleBound.of(best, open));
      if (depth == 0) {
        lowerBound = bound;
      }
      best = new Level(open, fraction, bound).improved(best);
      double low = best.makespan(open) / (1 + policy.trigger());
      boolean[] below = new boolean[open.length];
      int count = 0;
      for (int d = 0; d < open.length; d++) {
        below[d] = open[d] && best.level(d) < low;
        count += below[d] ? 1 : 0;
      }
      if (count < 2) {
        break;
      }
      open = below;
    }
    return best;
  }

  /** The balancing of the devices that are open, against the bound for the shards on them. */
  private final class Level {
    private final boolean[] open;
    private final FractionalBound fraction;
    private final double bound;
    private final double target;
    private final int devices;

    Level(boolean[] open, FractionalBound fraction, double bound) {
      this.open = open;
      this.fraction = fraction;
      this.bound = bound;
      target = bound * (1 + policy.settle());
      int count = 0;
      for (boolean isOpen : open) {
        count += isOpen ? 1 : 0;
      }
      devices = Math.max(1, count);
    }

    Assignment improved(Assignment start) {
      List<Integer> shards = shards(start);
      boolean anyFree = shards.stream().anyMatch(shard -> free[shard]);
      boolean allFree = shards.stream().allMatch(shard -> free[shard]);
      Assignment now = start;
      if (allFree && now.makespan(open) > target) {
        now = shorter(now, anew(now, shards));
      }
      if (allFree && now.makespan(open) <= target) {
        return now;
      }
      if (anyFree && now.makespan(open) > bound * NEAR) {
        now = shorter(now, searched(now.copy(), true, bound * NEAR));
      }
      if (allFree) {
        return now;
      }
      int idle = idle(now);
      double makespan = now.makespan(open);
      boolean near = makespan <= bound * (1 + policy.trigger()) && idle < 0;
      if (near || makespan <= Math.max(target, policy.calm())) {
        return now;
      }
      Assignment moved = now.copy();
      LocalSearch search = search(moved, target);
      search.run(false);
      search.undoNeedless(Math.max(target, moved.makespan(open)));
      Assignment best = isWorth(now, moved, idle) ? moved : now;
      if (best.makespan(open) > bound * (1 + policy.trigger())) {
        Assignment fresh = anew(now, shards);
        search(fresh, target).undoNeedless(Math.max(target, fresh.makespan(open)));
        best = isWorth(best, fresh, idle) ? fresh : best;
      }
      return best;
    }

    /** Places the shards of the open devices from nothing, in two ways; the better one. */
    private Assignment anew(Assignment start, List<Integer> shards) {
      List<Integer> ordered = Insertion.largestFirst(instance, shards);
      Assignment empty = start.copy();
      shards.forEach(empty::remove);
      empty.settleLevels();
      boolean quotasFirst = fraction.groups() > 1;
      Assignment best = start;
      for (boolean quotas : new boolean[] {quotasFirst, !quotasFirst}) {
        Assignment next = empty.copy();
        boolean all =
            quotas
                ? Insertion.byQuota(next, ordered, open, fraction)
                : Insertion.greedy(next, ordered, open, target);
        if (all) {
          best = shorter(best, searched(next, false, bound * NEAR));
        }
        if (best.makespan(open) <= target) {
          break;
        }
      }
      return best == start ? start.copy() : best;
    }

    private Assignment searched(Assignment assignment, boolean freeOnly, double to) {
      search(assignment, to).run(freeOnly);
      return assignment;
    }

    private LocalSearch search(Assignment assignment, double to) {
      return new LocalSearch(assignment, open, free, to, policy.horizonSeconds() * devices);
    }

    private Assignment shorter(Assignment first, Assignment second) {
      return second.makespan(open) < first.makespan(open) ? second : first;
    }

    /** A device far below the bound that could take more; -1 if there is none. */
    private int idle(Assignment assignment) {
      for (int d = 0; d < open.length; d++) {
        if (open[d]
            && assignment.level(d) < IDLE * bound
            && instance.devices.get(d).health() == Health.UP) {
          return d;
        }
      }
      return -1;
    }

    /** Idle: the device that idled before, whose filling counts as a reason; -1 if none. */
    private boolean isWorth(Assignment from, Assignment to, int idle) {
      double gain = from.makespan(open) - to.makespan(open);
      double least = policy.leastGain();
      if (idle >= 0 && to.level(idle) >= IDLE * bound) {
        least = Math.min(least, LEAST_GAIN_FOR_IDLE);
      }
      return gain > 0
          && gain >= least * from.makespan(open)
          && gain * policy.horizonSeconds() * devices >= to.price() - from.price();
    }

    private List<Integer> shards(Assignment assignment) {
      List<Integer> shards = new ArrayList<>();
      for (int s = 0; s < free.length; s++) {
        if (assignment.isPlaced(s) && open[assignment.at(s)]) {
          shards.add(s);
        }
      }
      return shards;
    }
  }

  /**
   * What a plan came to.
   *
   * @param hadToMove shards that ran nowhere or could not stay
   * @param makespanWithoutMoves with the required moves alone
   */
  record Outcome(
      Instance instance,
      Assignment assignment,
      IntPredicate hadToMove,
      double makespanWithoutMoves,
      double lowerBound) {}
}
