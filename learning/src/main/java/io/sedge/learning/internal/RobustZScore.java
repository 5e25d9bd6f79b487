package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * The distance from the median of the last readings, in robust deviations: {@code |x - median| /
 * (1.4826 MAD)}, where MAD is the median of the distances from the median. A quarter of the window
 * may be wild without an effect.
 *
 * <p>Where more than half of the readings are equal MAD is 0, and the deviation is 1.2533 times the
 * mean distance; where all are equal it is 0, and another reading has the score {@value #MOST}.
 *
 * <p>The readings are kept in the order in which they came and sorted; O(window) for each.
 *
 * <p>Source: Iglewicz, Hoaglin, "How to Detect and Handle Outliers", ASQC 1993 (modified z-score,
 * and the mean distance in its place).
 */
final class RobustZScore implements Detector {
  private static final int LEAST_READINGS = 10;
  private static final double OF_MAD = 1.4826;
  private static final double OF_MEAN_DISTANCE = 1.2533;

  /** A score is not higher, so that sums and means of scores stay finite. */
  static final double MOST = 1e6;

  private final double[] last;
  private final double[] sorted;
  private int count;
  private int next;

  RobustZScore(int window) {
    last = new double[window];
    sorted = new double[window];
  }

  @Override
  public double score(double[] reading, long time) {
    double x = reading[0];
    double score = count < LEAST_READINGS ? Double.NaN : distance(x);
    if (count == last.length) {
      remove(last[next]);
    }
    insert(x);
    last[next] = x;
    next = (next + 1) % last.length;
    return score;
  }

  private double distance(double x) {
    double median = median();
    double distance = Math.abs(x - median);
    double deviation = OF_MAD * medianDistance(median);
    if (deviation == 0) {
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += Math.abs(sorted[i] - median);
      }
      deviation = OF_MEAN_DISTANCE * sum / count;
    }
    return distance == 0 ? 0 : Math.min(distance / deviation, MOST);
  }

  private double median() {
    return count % 2 == 1
        ? sorted[count / 2]
        : sorted[count / 2 - 1] + (sorted[count / 2] - sorted[count / 2 - 1]) / 2;
  }

  /** The distances grow to both sides of the median: they are merged from there. */
  private double medianDistance(double median) {
    int below = (count - 1) / 2;
    int above = below + 1;
    double before = 0;
    double distance = 0;
    for (int taken = 0; taken <= count / 2; taken++) {
      before = distance;
      double left = below < 0 ? Double.POSITIVE_INFINITY : median - sorted[below];
      double right = above >= count ? Double.POSITIVE_INFINITY : sorted[above] - median;
      if (left <= right) {
        distance = left;
        below--;
      } else {
        distance = right;
        above++;
      }
    }
    return count % 2 == 1 ? distance : before + (distance - before) / 2;
  }

  private void insert(double x) {
    int place = place(x);
    System.arraycopy(sorted, place, sorted, place + 1, count - place);
    sorted[place] = x;
    count++;
  }

  private void remove(double x) {
    int place = place(x);
    System.arraycopy(sorted, place + 1, sorted, place, count - place - 1);
    count--;
  }

  /** Where a value stands or is to stand. */
  private int place(double x) {
    int found = Arrays.binarySearch(sorted, 0, count, x);
    return found < 0 ? -found - 1 : found;
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeInt(count);
    for (int i = 0; i < count; i++) {
      output.writeDouble(last[(next - count + i + last.length) % last.length]);
    }
  }

  @Override
  public void read(DataInput input) throws IOException {
    count = input.readInt();
    next = count % last.length;
    for (int i = 0; i < count; i++) {
      last[i] = input.readDouble();
    }
    System.arraycopy(last, 0, sorted, 0, count);
    Arrays.sort(sorted, 0, count);
  }
}
