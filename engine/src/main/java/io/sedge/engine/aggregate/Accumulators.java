package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * The accumulators of one aggregate for many groups, as columns: group g has slot g. Accumulators
 * merge: feeding rows to two and merging them equals feeding all rows to one (the order of rows
 * counts only for FIRST_VALUE and LAST_VALUE, where {@code merge} appends the other's rows after
 * this one's). One thread.
 */
public interface Accumulators {
  /** Makes the slots 0 to {@code slots - 1} usable; new ones are empty. */
  void ensureSlots(int slots);

  /** Makes a slot empty again. */
  void clear(int slot);

  /**
   * Adds rows: row {@code rows[i]} of the arguments goes to slot {@code slots[i]}, for each i below
   * {@code count}. SQL's rule for nulls (an aggregate passes over them) is the implementation's.
   *
   * @param rows the rows that count (late and filtered ones are left out), ascending
   * @param slots the slot of each of them
   */
  void add(int[] rows, int[] slots, int count, List<Column> arguments);

  /** Merges a slot of {@code other}, made by the same factory, into a slot of this. */
  void merge(int slot, Accumulators other, int otherSlot);

  /** Appends the result of a slot. */
  void result(int slot, ColumnBuilder output);

  /** Writes a slot so that {@link #read} on any machine restores it. */
  void write(int slot, DataOutput output) throws IOException;

  /** Replaces a slot with what {@link #write} wrote. */
  void read(int slot, DataInput input) throws IOException;
}
