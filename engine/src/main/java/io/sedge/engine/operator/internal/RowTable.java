package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.Column;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Rows that an operator keeps, as columns of slots; each row is an entry of state. A row has a
 * sequence number, given in the order of arrival and never again while there are later rows, and a
 * mark, a number for the operator's own use.
 *
 * <p>Restoring gives the rows back in the order of their numbers, so an operator rebuilds whatever
 * it derives from them by adding them again.
 *
 * <p>A new row takes the lowest free slot, so that after a burst the upper slots become free and
 * the columns shrink.
 *
 * <p>Changes are tracked in two lists. New and marked rows: their slots, compacted when more than
 * half are stale. Removed rows: only those that the store knows, so the list is bounded by the rows
 * that were there at the last commit.
 *
 * <pre>
 * key    tag (1 byte, the operator's), sequence number (8)
 * value  mark (8), then each column: 0 for null, or 1 and the value
 * </pre>
 */
final class RowTable {
  private static final int FIRST_CAPACITY = 64;
  static final int KEY_BYTES = 1 + Long.BYTES;

  private final byte tag;
  private final Schema schema;
  private final SlotColumn[] columns;

  private int capacity;
  private int used;
  private int live;
  private long[] numbers = {};
  private long[] marks = {};
  private boolean[] changed = {};

  /** The free slots below {@link #used}. */
  private final BitSet free = new BitSet();

  /** There is no free slot below this one. */
  private int lowestFree;

  private final Ints changedSlots = new Ints();
  private final List<Long> removed = new ArrayList<>();
  private long next;
  private long known;

  RowTable(byte tag, Schema schema) {
    this.tag = tag;
    this.schema = schema;
    this.columns = schema.types().stream().map(SlotColumn::of).toArray(SlotColumn[]::new);
  }

  int size() {
    return live;
  }

  /** How many rows there is room for. */
  int capacity() {
    return capacity;
  }

  Schema schema() {
    return schema;
  }

  SlotColumn column(int index) {
    return columns[index];
  }

  long number(int slot) {
    return numbers[slot];
  }

  long mark(int slot) {
    return marks[slot];
  }

  void mark(int slot, long mark) {
    if (marks[slot] != mark) {
      marks[slot] = mark;
      change(slot);
    }
  }

  /** Adds a row and returns its slot, which is its own until it is removed. */
  int add(Batch batch, int row, long mark) {
    int slot = claim();
    numbers[slot] = next++;
    fill(slot, batch, row, mark);
    change(slot);
    return slot;
  }

  private void fill(int slot, Batch batch, int row, long mark) {
    for (int i = 0; i < columns.length; i++) {
      columns[i].set(slot, batch.column(i), row);
    }
    marks[slot] = mark;
    live++;
  }

  private int claim() {
    if (live < used) {
      int slot = free.nextSetBit(lowestFree);
      free.clear(slot);
      lowestFree = slot + 1;
      return slot;
    }
    if (used == capacity) {
      resize(Math.max(FIRST_CAPACITY, capacity * 2));
    }
    return used++;
  }

  private void resize(int newCapacity) {
    capacity = newCapacity;
    numbers = Arrays.copyOf(numbers, capacity);
    marks = Arrays.copyOf(marks, capacity);
    changed = Arrays.copyOf(changed, capacity);
    for (SlotColumn column : columns) {
      column.ensure(capacity);
    }
  }

  void remove(int slot) {
    if (numbers[slot] < known) {
      removed.add(numbers[slot]);
    }
    numbers[slot] = -1;
    changed[slot] = false;
    for (SlotColumn column : columns) {
      column.forget(slot);
    }
    free.set(slot);
    lowestFree = Math.min(lowestFree, slot);
    live--;
    if (slot == used - 1) {
      shrink();
    }
  }

  private void shrink() {
    int kept = free.previousClearBit(used - 1) + 1;
    free.clear(kept, used);
    used = kept;
    if (capacity > FIRST_CAPACITY && used < capacity / 4) {
      compactChanges();
      resize(Math.max(FIRST_CAPACITY, used * 2));
    }
  }

  private void change(int slot) {
    if (changed[slot]) {
      return;
    }
    if (changedSlots.size() > 2 * live + FIRST_CAPACITY) {
      compactChanges();
    }
    changed[slot] = true;
    changedSlots.add(slot);
  }

  /** Leaves each changed slot once; a slot that was given up and taken again is listed twice. */
  private void compactChanges() {
    int count = 0;
    for (int i = 0; i < changedSlots.size(); i++) {
      int slot = changedSlots.get(i);
      if (changed[slot]) {
        changed[slot] = false;
        changedSlots.set(count++, slot);
      }
    }
    changedSlots.truncate(count);
    for (int i = 0; i < count; i++) {
      changed[changedSlots.get(i)] = true;
    }
  }

  /** Whether the row in a slot is equal to one of a batch; nulls are equal. */
  boolean holds(int slot, Batch batch, int row) {
    for (int i = 0; i < columns.length; i++) {
      if (!columns[i].holds(slot, batch.column(i), row)) {
        return false;
      }
    }
    return true;
  }

  /** Appends the columns of a row to those of an unfinished one. */
  void append(int slot, BatchBuilder builder, int firstColumn) {
    for (int i = 0; i < columns.length; i++) {
      columns[i].append(slot, builder.column(firstColumn + i));
    }
  }

  /** The rows of the slots as columns; a row of nulls where a slot is negative. */
  List<Column> gather(int[] slots, int count) {
    List<Column> gathered = new ArrayList<>(columns.length);
    for (SlotColumn column : columns) {
      gathered.add(column.gather(slots, count));
    }
    return gathered;
  }

  void writeSnapshot(StateWriter writer) {
    for (int slot = 0; slot < used; slot++) {
      if (numbers[slot] >= 0) {
        writer.put(key(numbers[slot]), encode(slot));
      }
    }
  }

  /** How many entries {@link #writeChanges} would write, or a few more. */
  long changedEntries() {
    return (long) changedSlots.size() + removed.size();
  }

  void writeChanges(StateWriter writer) {
    for (long number : removed) {
      writer.remove(key(number));
    }
    removed.clear();
    for (int i = 0; i < changedSlots.size(); i++) {
      int slot = changedSlots.get(i);
      if (changed[slot]) {
        changed[slot] = false;
        writer.put(key(numbers[slot]), encode(slot));
      }
    }
    changedSlots.clear();
    known = next;
  }

  private byte[] key(long number) {
    return ByteBuffer.allocate(KEY_BYTES).put(tag).putLong(number).array();
  }

  private byte[] encode(int slot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeLong(marks[slot]);
      for (SlotColumn column : columns) {
        column.write(slot, output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Whether an entry of state is of this table. */
  boolean owns(Map.Entry<byte[], byte[]> entry) {
    return entry.getKey()[0] == tag;
  }

  /** What an operator does with a row that has come back. */
  interface Restored {
    /** Row {@code row} of the batch stands in the slot. */
    void row(int slot, Batch batch, int row);
  }

  /**
   * Takes over the entries of this table; passes over others.
   *
   * @param restored is called for each row, in the order of arrival, after all stand in their slots
   */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries, Restored restored) {
    List<Map.Entry<byte[], byte[]>> mine = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (owns(entry)) {
        mine.add(entry);
      }
    }
    mine.sort(Comparator.comparingLong(RowTable::number));
    BatchBuilder builder = new BatchBuilder(schema);
    long[] readMarks = new long[mine.size()];
    for (int i = 0; i < readMarks.length; i++) {
      readMarks[i] = decode(mine.get(i).getValue(), builder);
    }
    Batch batch = builder.build();
    for (int row = 0; row < readMarks.length; row++) {
      int slot = claim();
      numbers[slot] = number(mine.get(row));
      next = numbers[slot] + 1;
      fill(slot, batch, row, readMarks[row]);
    }
    known = next;
    for (int row = 0; row < readMarks.length; row++) {
      restored.row(row, batch, row);
    }
  }

  private static long number(Map.Entry<byte[], byte[]> entry) {
    return ByteBuffer.wrap(entry.getKey()).getLong(1);
  }

  /** How many bytes the entry of a row would have. */
  int entryBytes(Batch batch, int row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      for (int i = 0; i < columns.length; i++) {
        Column column = batch.column(i);
        ValueCodec.write(columns[i].type(), column.isNull(row) ? null : column.value(row), output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return KEY_BYTES + Long.BYTES + bytes.size();
  }

  private long decode(byte[] value, BatchBuilder builder) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(value))) {
      long mark = input.readLong();
      for (int i = 0; i < columns.length; i++) {
        SlotColumn.read(columns[i].type(), input, builder.column(i));
      }
      builder.endRow();
      return mark;
    } catch (IOException e) {
      throw new UncheckedIOException("a row of state cannot be read", e);
    }
  }

  void checkInvariants() {
    int counted = 0;
    for (int slot = 0; slot < used; slot++) {
      if (numbers[slot] >= next) {
        throw new AssertionError("row %d is numbered beyond %d".formatted(numbers[slot], next));
      }
      counted += numbers[slot] >= 0 ? 1 : 0;
    }
    if (counted != live || live + free.cardinality() != used || free.length() > used) {
      throw new AssertionError(
          "%d rows live, %d counted, %d slots free of %d"
              .formatted(live, counted, free.cardinality(), used));
    }
  }
}
