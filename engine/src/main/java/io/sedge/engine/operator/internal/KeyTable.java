package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the distinct keys that it sees: 0, 1, 2 … in the order of their first row.
 *
 * <p>Open addressing with linear probing over an array of slots, at most half full, and the hash of
 * each slot beside it. A single string key is looked up by its code alone while rows come with the
 * same dictionary; a single INT or LONG key without nulls is hashed in the loop. One thread.
 */
final class KeyTable {
  private static final int[] NO_CACHE = {};

  private final int[] keys;
  private final List<Type> types;
  private final KeyColumn[] columns;
  private int[] table = new int[32];
  private int[] hashes = new int[16];
  private int size;

  private @Nullable Dictionary lastSeen;
  private @Nullable Dictionary cached;

  /** Slot + 1 of each code of {@link #cached}; 0 where it has not been looked up. */
  private int[] slotOfCode = NO_CACHE;

  /**
   * @param keys the key columns in a batch
   * @param types their types
   */
  KeyTable(int[] keys, List<Type> types) {
    this.keys = keys;
    this.types = types;
    this.columns = types.stream().map(KeyColumn::of).toArray(KeyColumn[]::new);
  }

  /** The number of keys. */
  int size() {
    return size;
  }

  /** Finds the slot of each row's key; new keys get the next slots. */
  void slots(Batch batch, int[] rows, int count, int[] slots) {
    if (keys.length == 0) {
      if (size == 0) {
        claim(0);
      }
      Arrays.fill(slots, 0, count, 0);
      return;
    }
    Column first = batch.column(keys[0]);
    if (keys.length == 1 && first instanceof StringColumn strings && prepare(strings, count)) {
      slotsOfCodes(batch, strings, rows, count, slots);
    } else if (keys.length == 1 && first.nulls() == null && first instanceof LongColumn longs) {
      slotsOfLongs(longs.values(), rows, count, slots);
    } else if (keys.length == 1 && first.nulls() == null && first instanceof IntColumn ints) {
      slotsOfInts(ints.values(), rows, count, slots);
    } else {
      slotsOfAny(batch, rows, count, slots);
    }
  }

  /** Makes the cache ready for a column's dictionary, unless that costs more than it gives. */
  private boolean prepare(StringColumn strings, int count) {
    Dictionary dictionary = strings.dictionary();
    if (dictionary != cached) {
      boolean seenBefore = dictionary == lastSeen;
      lastSeen = dictionary;
      if (!seenBefore && dictionary.size() > 4L * count) {
        return false;
      }
      cached = dictionary;
      slotOfCode = new int[dictionary.size() + 1];
    } else if (dictionary.size() >= slotOfCode.length) {
      slotOfCode = Arrays.copyOf(slotOfCode, dictionary.size() * 2);
    }
    return true;
  }

  /**
   * Lets go of the dictionary seen last, and of what is known of its codes. For tables that are
   * kept long after most of their rows have come.
   */
  void forgetCodes() {
    lastSeen = null;
    cached = null;
    slotOfCode = NO_CACHE;
  }

  /** Whether it holds on to a dictionary. */
  boolean knowsCodes() {
    return lastSeen != null;
  }

  private void slotsOfCodes(Batch batch, StringColumn strings, int[] rows, int count, int[] slots) {
    int[] codes = strings.codes();
    int[] cache = slotOfCode;
    boolean[] nulls = strings.nulls();
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      if (nulls != null && nulls[row]) {
        slots[i] = slotOfRow(batch, row);
        continue;
      }
      int slot = cache[codes[row]];
      if (slot == 0) {
        slot = slotOfRow(batch, row) + 1;
        cache[codes[row]] = slot;
      }
      slots[i] = slot - 1;
    }
  }

  private void slotsOfLongs(long[] values, int[] rows, int count, int[] slots) {
    KeyColumn.Words words = (KeyColumn.Words) columns[0];
    for (int i = 0; i < count; i++) {
      slots[i] = slotOfWord(words, values[rows[i]]);
    }
  }

  private void slotsOfInts(int[] values, int[] rows, int count, int[] slots) {
    KeyColumn.Words words = (KeyColumn.Words) columns[0];
    for (int i = 0; i < count; i++) {
      slots[i] = slotOfWord(words, values[rows[i]]);
    }
  }

  private int slotOfWord(KeyColumn.Words words, long word) {
    int hash = KeyColumn.Words.hashOf(word);
    int mask = table.length - 1;
    int position = hash & mask;
    for (int slot = table[position]; slot != 0; slot = table[position]) {
      if (words.is(slot - 1, word)) {
        return slot - 1;
      }
      position = (position + 1) & mask;
    }
    int slot = claim(hash);
    words.set(slot, false, word);
    return slot;
  }

  private void slotsOfAny(Batch batch, int[] rows, int count, int[] slots) {
    int[] rowHashes = hashes(batch, rows, count);
    for (int i = 0; i < count; i++) {
      slots[i] = slotOf(rowHashes[i], batch, rows[i]);
    }
  }

  private int[] hashes(Batch batch, int[] rows, int count) {
    int[] rowHashes = new int[count];
    for (int k = 0; k < keys.length; k++) {
      columns[k].hash(batch.column(keys[k]), rows, count, rowHashes);
    }
    return rowHashes;
  }

  private int slotOfRow(Batch batch, int row) {
    int[] rows = {row};
    return slotOf(hashes(batch, rows, 1)[0], batch, row);
  }

  private int slotOf(int hash, Batch batch, int row) {
    int mask = table.length - 1;
    int position = hash & mask;
    for (int slot = table[position]; slot != 0; slot = table[position]) {
      if (hashes[slot - 1] == hash && isSame(slot - 1, batch, row)) {
        return slot - 1;
      }
      position = (position + 1) & mask;
    }
    int slot = claim(hash);
    for (int k = 0; k < keys.length; k++) {
      columns[k].set(slot, batch.column(keys[k]), row);
    }
    return slot;
  }

  private boolean isSame(int slot, Batch batch, int row) {
    for (int k = 0; k < keys.length; k++) {
      if (!columns[k].same(slot, batch.column(keys[k]), row)) {
        return false;
      }
    }
    return true;
  }

  /** The slot here of a key of another table over the same columns; added if it is new. */
  int slotOf(KeyTable other, int otherSlot) {
    int known = find(other, otherSlot);
    if (known >= 0) {
      return known;
    }
    int slot = claim(other.hashes[otherSlot]);
    for (int k = 0; k < columns.length; k++) {
      columns[k].set(slot, other.columns[k], otherSlot);
    }
    return slot;
  }

  /** The slot here of a key of another table over the same columns, or -1. */
  int find(KeyTable other, int otherSlot) {
    int hash = other.hashes[otherSlot];
    int mask = table.length - 1;
    int position = hash & mask;
    for (int slot = table[position]; slot != 0; slot = table[position]) {
      if (hashes[slot - 1] == hash && isSame(slot - 1, other, otherSlot)) {
        return slot - 1;
      }
      position = (position + 1) & mask;
    }
    return -1;
  }

  private boolean isSame(int slot, KeyTable other, int otherSlot) {
    for (int k = 0; k < columns.length; k++) {
      if (!columns[k].same(slot, other.columns[k], otherSlot)) {
        return false;
      }
    }
    return true;
  }

  /** Takes the next slot for a key that is not in the table. */
  private int claim(int hash) {
    int slot = size++;
    if (size * 2 > table.length) {
      grow();
    }
    if (slot == hashes.length) {
      hashes = Arrays.copyOf(hashes, slot * 2);
    }
    hashes[slot] = hash;
    for (KeyColumn column : columns) {
      column.ensureSlots(size);
    }
    insert(slot);
    return slot;
  }

  private void grow() {
    table = new int[table.length * 2];
    for (int slot = 0; slot < size - 1; slot++) {
      insert(slot);
    }
  }

  private void insert(int slot) {
    int mask = table.length - 1;
    int position = hashes[slot] & mask;
    while (table[position] != 0) {
      position = (position + 1) & mask;
    }
    table[position] = slot + 1;
  }

  /** Appends a part of a slot's key. */
  void append(int slot, int key, ColumnBuilder output) {
    columns[key].append(slot, output);
  }

  /** Writes the key of a slot. */
  void write(int slot, DataOutput output) throws IOException {
    for (int k = 0; k < columns.length; k++) {
      ValueCodec.write(types.get(k), columns[k].value(slot), output);
    }
  }

  /** The slot of a key that {@link #write} wrote; added if it is new. */
  int read(DataInput input) throws IOException {
    List<Column> read = new ArrayList<>();
    for (Type type : types) {
      ColumnBuilder builder = ColumnBuilder.of(type);
      builder.add(ValueCodec.read(type, input));
      read.add(builder.build());
    }
    int[] positions = new int[columns.length];
    Arrays.setAll(positions, k -> k);
    KeyTable one = new KeyTable(positions, types);
    int[] slots = new int[1];
    one.slotsOfAny(new Batch(1, read), new int[1], 1, slots);
    return slotOf(one, slots[0]);
  }
}
