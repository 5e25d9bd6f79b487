package io.sedge.placement.internal;

import java.util.Arrays;

/**
 * Lower bounds that large shards give because they cannot be cut: no shard is done sooner than on
 * its best device, and the k largest shards of a class sit on one device or more of any, but at
 * best on the k fastest: T &ge; their load over those devices' speed (Gonzalez, Ibarra, Sahni,
 * "Bounds for LPT schedules on uniform processors", 1977).
 */
final class IndivisibleBound {
  private IndivisibleBound() {}

  static double of(Assignment assignment, boolean[] open) {
    Instance instance = assignment.instance;
    int classes = instance.slowness.length;
    double[][] loads = new double[classes][];
    int[] counts = new int[classes];
    double bound = 0;
    for (int c = 0; c < classes; c++) {
      loads[c] = new double[8];
    }
    for (int d = 0; d < open.length; d++) {
      for (int k = 0; open[d] && k < assignment.count(d); k++) {
        int shard = assignment.member(d, k);
        int c = instance.classOf[shard];
        if (counts[c] == loads[c].length) {
          loads[c] = Arrays.copyOf(loads[c], 2 * counts[c]);
        }
        loads[c][counts[c]++] = instance.load[shard];
        bound = Math.max(bound, leastTime(instance, shard, open));
      }
    }
    for (int c = 0; c < classes; c++) {
      bound = Math.max(bound, ofClass(instance, c, Arrays.copyOf(loads[c], counts[c]), open));
    }
    return bound * (1 - 1e-9);
  }

  private static double leastTime(Instance instance, int shard, boolean[] open) {
    double least = Double.POSITIVE_INFINITY;
    for (int d = 0; d < open.length; d++) {
      if (open[d] && instance.mayRun(shard, d)) {
        least = Math.min(least, instance.time(shard, d));
      }
    }
    return least;
  }

  private static double ofClass(Instance instance, int c, double[] loads, boolean[] open) {
    double[] slowness = new double[open.length];
    int usable = 0;
    for (int d = 0; d < open.length; d++) {
      if (open[d] && instance.slowness[c][d] < Double.POSITIVE_INFINITY) {
        slowness[usable++] = instance.slowness[c][d];
      }
    }
    Arrays.sort(slowness, 0, usable);
    Arrays.sort(loads);
    double bound = 0;
    double load = 0;
    double speed = 0;
    for (int k = 0; k < Math.min(usable, loads.length); k++) {
      load += loads[loads.length - 1 - k];
      speed += 1 / slowness[k];
      bound = Math.max(bound, load / speed);
    }
    return bound;
  }
}
