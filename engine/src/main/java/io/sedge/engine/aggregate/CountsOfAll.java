package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** COUNT(x, y, …): the rows in which no argument is null. */
final class CountsOfAll implements Accumulators {
  private long[] counts = new long[0];

  @Override
  public void ensureSlots(int slots) {
    counts = Shared.grown(counts, slots);
  }

  @Override
  public void clear(int slot) {
    counts[slot] = 0;
  }

  @Override
  public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    Selection selection = new Selection(rows, slots, count);
    for (Column argument : arguments) {
      selection = selection.where(argument.nulls(), false);
    }
    int[] counted = Arrays.copyOf(selection.slots(), selection.count());
    for (int slot : counted) {
      counts[slot]++;
    }
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    counts[slot] += ((CountsOfAll) other).counts[otherSlot];
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    output.addLong(counts[slot]);
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    output.writeLong(counts[slot]);
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    counts[slot] = input.readLong();
  }
}
