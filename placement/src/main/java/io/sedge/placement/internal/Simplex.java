package io.sedge.placement.internal;

import java.util.Arrays;

/**
 * Minimises T over y &ge; 0 with sum over devices of y[group][device] = 1 for each group, and sum
 * over groups of time * y + slack = T for each device. Dense tableau; a row for each group, then
 * one for each device; a column for each y with a finite time, then each slack.
 *
 * <p>Invariant: T is basic, in the row {@code rowOfT}, and that row is the objective too: T = value
 * - sum of its coefficients times the variables that are not basic. So a variable enters where that
 * coefficient is greatest, and none is positive at the optimum. After {@value #STALL} pivots
 * without progress the first positive column enters (Bland 1977), which cannot cycle.
 */
final class Simplex {
  private static final double EPSILON = 1e-10;
  private static final int STALL = 30;

  private final int groups;
  private final int devices;
  private final int[][] columnOf; // [group][device]; -1 where the time is infinite
  private final int slacks; // column of the first slack
  private final double[][] cell; // the last column is the right-hand side
  private final int[] basic; // of each row; -1 for T
  private int rowOfT;

  Simplex(double[][] time, int devices) {
    groups = time.length;
    this.devices = devices;
    columnOf = new int[groups][devices];
    int columns = 0;
    for (int g = 0; g < groups; g++) {
      for (int d = 0; d < devices; d++) {
        columnOf[g][d] = time[g][d] < Double.POSITIVE_INFINITY ? columns++ : -1;
      }
    }
    slacks = columns;
    cell = new double[groups + devices][slacks + devices + 1];
    basic = new int[groups + devices];
    start(time);
  }

  /** Each group whole on the device where it is done first; the fullest device's row holds T. */
  private void start(double[][] time) {
    int rhs = slacks + devices;
    double[] level = new double[devices];
    for (int d = 0; d < devices; d++) {
      cell[groups + d][slacks + d] = 1;
      basic[groups + d] = slacks + d;
    }
    for (int g = 0; g < groups; g++) {
      int best = -1;
      for (int d = 0; d < devices; d++) {
        int column = columnOf[g][d];
        if (column >= 0) {
          cell[g][column] = 1;
          cell[groups + d][column] = time[g][d];
          if (best < 0 || level[d] + time[g][d] < level[best] + time[g][best]) {
            best = d;
          }
        }
      }
      cell[g][rhs] = 1;
      basic[g] = columnOf[g][best];
      level[best] += time[g][best];
      subtract(cell[groups + best], cell[g], time[g][best]);
    }
    int fullest = 0;
    for (int d = 1; d < devices; d++) {
      fullest = level[d] > level[fullest] ? d : fullest;
    }
    rowOfT = groups + fullest;
    double[] objective = cell[rowOfT];
    for (int k = 0; k < objective.length; k++) {
      objective[k] = -objective[k];
    }
    basic[rowOfT] = -1;
    for (int d = 0; d < devices; d++) {
      if (d != fullest) {
        subtract(cell[groups + d], objective, -1);
      }
    }
  }

  /** The dual weight of each device, not yet scaled to 1; none is negative, not all are 0. */
  double[] solve() {
    double[] objective = cell[rowOfT];
    int rhs = slacks + devices;
    int stalled = 0;
    int most = 40 * cell.length;
    for (int pivots = 0; pivots < most; pivots++) {
      int enters = entering(objective, stalled >= STALL);
      int leaves = enters < 0 ? -1 : leaving(enters);
      if (leaves < 0) {
        break;
      }
      double before = objective[rhs];
      pivot(leaves, enters);
      stalled = objective[rhs] < before * (1 - 1e-12) ? 0 : stalled + 1;
    }
    double[] weight = new double[devices];
    double sum = 0;
    for (int d = 0; d < devices; d++) {
      weight[d] = Math.max(0, -objective[slacks + d]);
      sum += weight[d];
    }
    if (!(sum > 0)) {
      Arrays.fill(weight, 1);
    }
    return weight;
  }

  /** How much of the group the device has, 0 to 1. */
  double share(int group, int device) {
    int column = columnOf[group][device];
    if (column >= 0) {
      for (int row = 0; row < basic.length; row++) {
        if (basic[row] == column) {
          return Math.clamp(cell[row][slacks + devices], 0, 1);
        }
      }
    }
    return 0;
  }

  private int entering(double[] objective, boolean first) {
    int best = -1;
    double most = EPSILON * Math.max(1e-300, objective[slacks + devices]);
    for (int k = 0; k < slacks + devices; k++) {
      double gain = k < slacks ? objective[k] : objective[k] * objective[slacks + devices];
      if (gain > most) {
        best = k;
        most = gain;
        if (first) {
          break;
        }
      }
    }
    return best;
  }

  private int leaving(int enters) {
    int rhs = slacks + devices;
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int row = 0; row < cell.length; row++) {
      double slope = cell[row][enters];
      if (row != rowOfT && slope > 1e-12) {
        double ratio = Math.max(0, cell[row][rhs]) / slope;
        if (ratio < least || (ratio == least && basic[row] < basic[best])) {
          best = row;
          least = ratio;
        }
      }
    }
    return best;
  }

  private void pivot(int row, int column) {
    double[] pivotRow = cell[row];
    double by = pivotRow[column];
    for (int k = 0; k < pivotRow.length; k++) {
      pivotRow[k] /= by;
    }
    for (int other = 0; other < cell.length; other++) {
      if (other != row && cell[other][column] != 0) {
        subtract(cell[other], pivotRow, cell[other][column]);
        cell[other][column] = 0;
      }
    }
    basic[row] = column;
  }

  private static void subtract(double[] from, double[] what, double times) {
    for (int k = 0; k < from.length; k++) {
      from[k] -= times * what[k];
    }
  }
}
