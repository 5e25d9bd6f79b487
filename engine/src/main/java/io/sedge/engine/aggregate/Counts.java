package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Counts rows, or the rows in which an argument is not null: COUNT(*) and COUNT(x). */
final class Counts extends Shared {
  private long[] counts = new long[0];

  @Override
  void ensureSlots(int slots) {
    counts = grown(counts, slots);
  }

  @Override
  void clear(int slot) {
    counts[slot] = 0;
  }

  /** Adds rows; what is in them does not matter. */
  void add(Selection selection) {
    int[] slots = selection.slots();
    if (selection.isOneSlot()) {
      counts[slots[0]] += selection.count();
      return;
    }
    long[] target = counts;
    for (int i = 0; i < selection.count(); i++) {
      target[slots[i]]++;
    }
  }

  @Override
  void add(Selection selection, Column argument) {
    add(selection);
  }

  @Override
  void merge(int slot, Shared other, int otherSlot) {
    counts[slot] += ((Counts) other).counts[otherSlot];
  }

  @Override
  void result(int slot, Outcome outcome, ColumnBuilder output) {
    outcome.addLong(counts[slot], output);
  }

  @Override
  void write(int slot, DataOutput output) throws IOException {
    output.writeLong(counts[slot]);
  }

  @Override
  void read(int slot, DataInput input) throws IOException {
    counts[slot] = input.readLong();
  }
}
