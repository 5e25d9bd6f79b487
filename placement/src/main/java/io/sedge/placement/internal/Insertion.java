package io.sedge.placement.internal;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Puts shards onto devices, largest first (Graham's LPT, "Bounds on multiprocessing timing
 * anomalies", 1969; for devices of unequal speed Gonzalez, Ibarra, Sahni 1977: each goes where it
 * is done first).
 */
final class Insertion {
  private Insertion() {}

  /** Largest first by the least time that they take; equal ones in the order of their names. */
  static List<Integer> largestFirst(Instance instance, List<Integer> shards) {
    return descending(instance, shards, instance::leastTime);
  }

  /** Largest first by memory: what finds room for the large ones when memory is short. */
  static List<Integer> mostMemoryFirst(Instance instance, List<Integer> shards) {
    return descending(instance, shards, instance::memory);
  }

  /** Smallest first by memory: what places most of them when there is not room for all. */
  static List<Integer> leastMemoryFirst(Instance instance, List<Integer> shards) {
    return descending(instance, shards, shard -> -instance.memory(shard));
  }

  private static List<Integer> descending(
      Instance instance, List<Integer> shards, ToDoubleFunction<Integer> size) {
    double[] sizes = new double[instance.shards.size()];
    shards.forEach(shard -> sizes[shard] = size.applyAsDouble(shard));
    return shards.stream()
        .sorted(
            Comparator.<Integer>comparingDouble(shard -> -sizes[shard])
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  /**
   * Puts each where it is done first, but at home if it is done there by {@code homeLimit}.
   *
   * @return whether all found a place
   */
  static boolean greedy(
      Assignment assignment, List<Integer> ordered, boolean[] open, double homeLimit) {
    boolean all = true;
    for (int shard : ordered) {
      int to = doneFirst(assignment, shard, open, homeLimit);
      if (to == Instance.NOWHERE) {
        all = false;
      } else {
        assignment.put(shard, to);
      }
    }
    return all;
  }

  private static int doneFirst(Assignment assignment, int shard, boolean[] open, double homeLimit) {
    Instance instance = assignment.instance;
    int best = Instance.NOWHERE;
    double least = Double.POSITIVE_INFINITY;
    for (int d = 0; d < open.length; d++) {
      if (open[d] && assignment.fits(shard, d)) {
        double done = assignment.level(d) + instance.time(shard, d);
        if (d == instance.home[shard] && done <= homeLimit) {
          return d;
        }
        if (done < least) {
          best = d;
          least = done;
        }
      }
    }
    return best;
  }

  /**
   * Puts each where most of its class's share in the fractional optimum is left, at home first.
   *
   * @return whether all found a place
   */
  static boolean byQuota(
      Assignment assignment, List<Integer> ordered, boolean[] open, FractionalBound fraction) {
    Instance instance = assignment.instance;
    double[][] left = new double[fraction.groups()][open.length];
    for (int c = 0; c < instance.slowness.length; c++) {
      if (fraction.group(c) >= 0) {
        int shardClass = c;
        Arrays.setAll(left[fraction.group(c)], d -> fraction.quota(shardClass, d));
      }
    }
    for (int shard : ordered) {
      double[] quota = left[fraction.group(instance.classOf[shard])];
      int best = Instance.NOWHERE;
      double most = 0;
      for (int d = 0; d < open.length; d++) {
        if (open[d] && assignment.fits(shard, d)) {
          double rest = quota[d] - instance.time(shard, d);
          boolean staysHome = d == instance.home[shard] && rest >= 0;
          if (best == Instance.NOWHERE || rest > most || staysHome) {
            best = d;
            most = staysHome ? Double.POSITIVE_INFINITY : rest;
          }
        }
      }
      if (best == Instance.NOWHERE) {
        return false;
      }
      assignment.put(shard, best);
      quota[best] -= instance.time(shard, best);
    }
    return true;
  }
}
