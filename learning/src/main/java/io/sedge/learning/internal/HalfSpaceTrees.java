package io.sedge.learning.internal;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * Trees that halve the space of readings at random, and count how many readings of a window fell
 * into each part; a reading is strange that falls where few of the last window did. With the mass
 * {@code r} of the part where a reading ends and its depth {@code k}, {@code density = mean over
 * trees of r 2^k / window}, and the score is {@code 1 / (1 + density)}: about 0.5 where readings
 * are as dense as if they were spread evenly, 1 where there never was one.
 *
 * <p>The range of each value is learnt from the first window, which has no scores. Trees follow
 * from their number alone, so they are not kept: only the counts are, those that are 0 in one byte.
 *
 * <p>Source: Tan, Ting, Liu, "Fast Anomaly Detection for Streaming Data", IJCAI 2011: the ranges of
 * section 3.1, the end at a tenth of a window's mass, the two counts that change places; the score
 * here falls where theirs rises.
 */
final class HalfSpaceTrees implements Detector {
  /** A part with no more than this share of the window is not looked into. */
  private static final double SMALL = 0.1;

  /** Trees times the parts at their depth: the counts of so many take 256 KB. */
  private static final int MOST_PARTS = 16_384;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private final int trees;
  private final int depth;
  private final int window;
  private final int nodes;
  private int[] reference;
  private int[] latest;

  private double[] least = {};
  private double[] greatest = {};
  private double[] low = {};
  private double[] high = {};
  private long count;

  HalfSpaceTrees(int trees, int depth, int window) {
    if (trees << depth > MOST_PARTS) {
      throw new IllegalArgumentException(
          "trees x 2^depth = %d x 2^%d is more than %d".formatted(trees, depth, MOST_PARTS));
    }
    this.trees = trees;
    this.depth = depth;
    this.window = window;
    this.nodes = (1 << (depth + 1)) - 1;
    this.reference = new int[trees * nodes];
    this.latest = new int[trees * nodes];
  }

  @Override
  public int mostValues() {
    return MOST_VALUES;
  }

  @Override
  public double score(double[] reading, long time) {
    if (count < window) {
      widen(reading);
      count++;
      return Double.NaN;
    }
    boolean scored = count >= 2L * window;
    double sum = 0;
    for (int tree = 0; tree < trees; tree++) {
      sum += visit(tree, reading, scored);
    }
    count++;
    if (count % window == 0) {
      int[] done = reference;
      reference = latest;
      latest = done;
      Arrays.fill(latest, 0);
    }
    return scored ? 1 / (1 + sum / trees / window) : Double.NaN;
  }

  private void widen(double[] reading) {
    if (count == 0) {
      least = reading.clone();
      greatest = reading.clone();
      low = new double[reading.length];
      high = new double[reading.length];
    }
    for (int i = 0; i < reading.length; i++) {
      least[i] = Math.min(least[i], reading[i]);
      greatest[i] = Math.max(greatest[i], reading[i]);
    }
  }

  /** Counts a reading in all its parts of a tree; the mass of where it ends, times 2^depth. */
  private double visit(int tree, double[] reading, boolean scored) {
    for (int i = 0; i < reading.length; i++) {
      double range = greatest[i] - least[i];
      double centre = uniform(tree, -1 - i);
      double half = 2 * Math.max(centre, 1 - centre);
      double unit = range > 0 ? range : Math.max(Math.abs(least[i]), 1) * 1e-9;
      low[i] = least[i] + unit * (centre - half);
      high[i] = least[i] + unit * (centre + half);
    }
    double mass = Double.NaN;
    int node = 0;
    for (int level = 0; ; level++) {
      int place = tree * nodes + node;
      latest[place]++;
      boolean end = level == depth || reference[place] <= SMALL * window;
      if (end && Double.isNaN(mass)) {
        mass = (double) reference[place] * (1L << level);
      }
      if (level == depth) {
        return scored ? mass : 0;
      }
      int value = (int) (uniform(tree, node) * reading.length);
      double middle = (low[value] + high[value]) / 2;
      if (reading[value] < middle) {
        high[value] = middle;
        node = 2 * node + 1;
      } else {
        low[value] = middle;
        node = 2 * node + 2;
      }
    }
  }

  /** A number from 0 to 1 that follows from two others (the finaliser of SplitMix64). */
  private static double uniform(int tree, int number) {
    long z = (tree * 1_000_003L + number + 1) * GOLDEN;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeLong(count);
    output.writeInt(least.length);
    for (int i = 0; i < least.length; i++) {
      output.writeDouble(least[i]);
      output.writeDouble(greatest[i]);
    }
    if (count >= window) {
      write(reference, output);
      write(latest, output);
    }
  }

  private static void write(int[] counts, DataOutput output) throws IOException {
    for (int value : counts) {
      int left = value;
      while (left >= 0x80) {
        output.writeByte(left | 0x80);
        left >>>= 7;
      }
      output.writeByte(left);
    }
  }

  @Override
  public void read(DataInput input) throws IOException {
    count = input.readLong();
    int values = input.readInt();
    least = new double[values];
    greatest = new double[values];
    low = new double[values];
    high = new double[values];
    for (int i = 0; i < values; i++) {
      least[i] = input.readDouble();
      greatest[i] = input.readDouble();
    }
    if (count >= window) {
      read(reference, input);
      read(latest, input);
    }
  }

  private static void read(int[] counts, DataInput input) throws IOException {
    for (int i = 0; i < counts.length; i++) {
      int value = 0;
      int shift = 0;
      byte part = input.readByte();
      while (part < 0) {
        value |= (part & 0x7F) << shift;
        shift += 7;
        part = input.readByte();
      }
      counts[i] = value | part << shift;
    }
  }
}
