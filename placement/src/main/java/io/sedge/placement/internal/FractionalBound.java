package io.sedge.placement.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The least makespan if shards could be cut at will: a lower bound for shards that cannot, and how
 * much of each class each device has then.
 *
 * <p>Idea: minimise T such that each class is given out whole and no device is busier than T, a
 * linear program with a row for each class and each device, solved with the simplex method (Dantzig
 * 1951) from a greedy start. Its dual gives each device a weight w, all together 1, and says T &ge;
 * sum over classes of min over devices of w times the time that the class takes there (Lenstra,
 * Shmoys, Tardos 1990 build their approximation for unrelated machines on the same program).
 * Whatever w is, that sum is a bound, so the bound holds in spite of rounding and of the limit on
 * pivots. With one class it is load over total speed.
 *
 * <p>Bounds: the tableau has at most {@value #MOST_CELLS} cells; where classes are too many, the
 * smallest become one that takes the least time of any of them on each device, which can only lower
 * the bound.
 */
final class FractionalBound {
  private static final int MOST_CELLS = 150_000;
  private static final double EPSILON = 1e-9;

  private final int[] groupOf; // class to group; -1 for a class without load
  private final int[] deviceOf; // row among the devices to device
  private final double[][] time; // [group][row] of the whole group
  private final double[][] share; // [group][device], 0 to 1
  private final double value;

  /** Over the shards that are on open devices. */
  FractionalBound(Assignment assignment, boolean[] open) {
    Instance instance = assignment.instance;
    int devices = open.length;
    double[] load = new double[instance.slowness.length];
    List<Integer> rows = new ArrayList<>();
    for (int d = 0; d < devices; d++) {
      if (open[d]) {
        rows.add(d);
        for (int k = 0; k < assignment.count(d); k++) {
          int shard = assignment.member(d, k);
          load[instance.classOf[shard]] += instance.load[shard];
        }
      }
    }
    deviceOf = rows.stream().mapToInt(Integer::intValue).toArray();
    groupOf = groups(load, deviceOf.length);
    time = times(instance, load);
    share = new double[time.length][devices];
    value = time.length == 0 ? 0 : solve();
  }

  /** No assignment of these shards to these devices has a smaller makespan. */
  double value() {
    return value;
  }

  /** How busy the device is with the class's group in the fractional optimum, about. */
  double quota(int shardClass, int device) {
    int group = groupOf[shardClass];
    int row = Arrays.binarySearch(deviceOf, device);
    double there = row < 0 ? 0 : share[group][device];
    return there == 0 ? 0 : there * time[group][row];
  }

  /** The group of the class, or -1 if it has no load. */
  int group(int shardClass) {
    return groupOf[shardClass];
  }

  int groups() {
    return time.length;
  }

  private static int[] groups(double[] load, int devices) {
    List<Integer> loaded = new ArrayList<>();
    for (int c = 0; c < load.length; c++) {
      if (load[c] > 0) {
        loaded.add(c);
      }
    }
    loaded.sort(Comparator.comparingDouble(c -> -load[c]));
    int most = 1;
    while (most < loaded.size()
        && (long) (most + 1 + devices) * ((most + 1L) * devices + devices) < MOST_CELLS) {
      most++;
    }
    int[] groupOf = new int[load.length];
    Arrays.fill(groupOf, -1);
    for (int rank = 0; rank < loaded.size(); rank++) {
      groupOf[loaded.get(rank)] = Math.min(rank, most - 1);
    }
    return groupOf;
  }

  private double[][] times(Instance instance, double[] load) {
    int groups = 0;
    for (int group : groupOf) {
      groups = Math.max(groups, group + 1);
    }
    double[] loadOf = new double[groups];
    double[][] times = new double[groups][deviceOf.length];
    for (double[] row : times) {
      Arrays.fill(row, Double.POSITIVE_INFINITY);
    }
    for (int c = 0; c < groupOf.length; c++) {
      int group = groupOf[c];
      if (group >= 0) {
        loadOf[group] += load[c];
        for (int row = 0; row < deviceOf.length; row++) {
          times[group][row] = Math.min(times[group][row], instance.slowness[c][deviceOf[row]]);
        }
      }
    }
    for (int group = 0; group < groups; group++) {
      for (int row = 0; row < deviceOf.length; row++) {
        times[group][row] *= loadOf[group];
      }
    }
    return times;
  }

  private double solve() {
    Simplex simplex = new Simplex(time, deviceOf.length);
    double[] weight = simplex.solve();
    for (int group = 0; group < time.length; group++) {
      for (int row = 0; row < deviceOf.length; row++) {
        share[group][deviceOf[row]] = simplex.share(group, row);
      }
    }
    double sum = 0;
    for (double w : weight) {
      sum += w;
    }
    double bound = 0;
    for (double[] times : time) {
      double least = Double.POSITIVE_INFINITY;
      for (int row = 0; row < times.length; row++) {
        if (times[row] < Double.POSITIVE_INFINITY) {
          least = Math.min(least, weight[row] / sum * times[row]);
        }
      }
      bound += least;
    }
    return bound * (1 - EPSILON);
  }
}
