package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PERCENTILE(x, fraction), exact: all values are kept and sorted when the result is asked for. The
 * position among n sorted values is {@code fraction * (n - 1) + 1}, counted from 1; between two
 * values it is interpolated, as in Flink. With an array of fractions the result is the array of
 * percentiles.
 */
final class Percentile extends SingleArgument {
  /** What is read costs little more memory than it is long. */
  private static final int READ_AT_ONCE = 1_024;

  private final double[] fractions;
  private final boolean array;
  private double[][] values = new double[0][];
  private int[] sizes = new int[0];

  Percentile(double[] fractions, boolean array) {
    this.fractions = fractions.clone();
    this.array = array;
  }

  @Override
  public void ensureSlots(int slots) {
    if (slots > sizes.length) {
      int before = sizes.length;
      values = Arrays.copyOf(values, Shared.grown(slots));
      sizes = Arrays.copyOf(sizes, values.length);
      Arrays.fill(values, before, values.length, new double[0]);
    }
  }

  @Override
  public void clear(int slot) {
    values[slot] = new double[0];
    sizes[slot] = 0;
  }

  @Override
  void addPresent(Selection selection, Column argument) {
    Doubles doubles = Doubles.of(argument, selection);
    for (int i = 0; i < selection.count(); i++) {
      int slot = selection.slots()[i];
      reserve(slot, sizes[slot] + 1);
      values[slot][sizes[slot]++] = doubles.values()[doubles.from() + i];
    }
  }

  private void reserve(int slot, int size) {
    values[slot] = Shared.grown(values[slot], size);
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    Percentile from = (Percentile) other;
    int added = from.sizes[otherSlot];
    reserve(slot, sizes[slot] + added);
    System.arraycopy(from.values[otherSlot], 0, values[slot], sizes[slot], added);
    sizes[slot] += added;
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    int size = sizes[slot];
    if (size == 0) {
      output.addNull();
      return;
    }
    double[] sorted = Arrays.copyOf(values[slot], size);
    Arrays.sort(sorted);
    if (!array) {
      output.addDouble(percentile(sorted, fractions[0]));
      return;
    }
    List<@Nullable Object> results = new ArrayList<>();
    for (double fraction : fractions) {
      results.add(percentile(sorted, fraction));
    }
    output.add(results);
  }

  private static double percentile(double[] sorted, double fraction) {
    double position = fraction * (sorted.length - 1) + 1;
    double lower = Math.floor(position);
    double upper = Math.ceil(position);
    double below = sorted[(int) lower - 1];
    double above = sorted[(int) upper - 1];
    return below == above ? below : (upper - position) * below + (position - lower) * above;
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    output.writeInt(sizes[slot]);
    for (int i = 0; i < sizes[slot]; i++) {
      output.writeDouble(values[slot][i]);
    }
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    int size = input.readInt();
    double[] read = new double[Math.clamp(size, 0, READ_AT_ONCE)];
    for (int i = 0; i < size; i++) {
      if (i == read.length) {
        read = Arrays.copyOf(read, Math.min(size, 2 * i));
      }
      read[i] = input.readDouble();
    }
    sizes[slot] = Math.max(size, 0);
    values[slot] = read;
  }
}
