package io.sedge.engine.operator.internal;

import io.sedge.engine.state.StateWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Groups that live on, how many rows each has, and their entries of state: the key columns to the
 * rows (8 bytes) and the accumulators. A group without rows has no entry; when more than half of
 * the groups have none, the table is made anew without them.
 */
final class GroupStore {
  private static final int EMPTY_GROUPS_KEPT = 1024;

  private final Supplier<Groups> factory;
  private Groups groups;
  private long[] rows = new long[16];
  private int live;
  private int compactAbove = EMPTY_GROUPS_KEPT;

  /** The slots marked {@link Groups#CHANGED}. */
  private final Ints changed = new Ints();

  GroupStore(Supplier<Groups> factory) {
    this.factory = factory;
    this.groups = factory.get();
  }

  Groups groups() {
    return groups;
  }

  /** The rows of a group: those added less those taken back. */
  long rows(int slot) {
    return rows[slot];
  }

  /** Makes room for what the key table has. */
  void ensureSlots() {
    groups.ensureSlots();
    if (groups.size() > rows.length) {
      rows = Arrays.copyOf(rows, Math.max(groups.size(), rows.length * 2));
    }
  }

  void addRows(int slot, long added) {
    int before = rows[slot] == 0 ? 0 : 1;
    rows[slot] += added;
    live += (rows[slot] == 0 ? 0 : 1) - before;
    change(slot);
  }

  private void change(int slot) {
    if (!groups.isMarked(slot, Groups.CHANGED)) {
      changed.add(slot);
      groups.mark(slot, Groups.CHANGED);
    }
  }

  /** Makes the table anew if most groups are empty. Slots change. */
  void compact() {
    if (groups.size() > compactAbove && live * 2 < groups.size()) {
      copyLive();
      compactAbove = Math.max(EMPTY_GROUPS_KEPT, groups.size() * 2);
    }
  }

  private void copyLive() {
    Groups before = groups;
    long[] rowsBefore = rows;
    groups = factory.get();
    rows = new long[16];
    changed.clear();
    for (int slot = 0; slot < before.size(); slot++) {
      if (rowsBefore[slot] != 0 || before.isMarked(slot, Groups.WRITTEN)) {
        int copy = groups.keys.slotOf(before.keys, slot);
        ensureSlots();
        groups.accumulators.merge(copy, before.accumulators, slot);
        rows[copy] = rowsBefore[slot];
        groups.mark(copy, before.marks(slot) & Groups.WRITTEN);
        if (before.isMarked(slot, Groups.CHANGED)) {
          change(copy);
        }
      }
    }
  }

  private byte[] key(int slot) {
    return StateBytes.of(output -> groups.keys.write(slot, output));
  }

  private byte[] value(int slot) {
    return StateBytes.of(
        output -> {
          output.writeLong(rows[slot]);
          groups.accumulators.write(slot, output);
        });
  }

  void writeSnapshot(StateWriter writer) {
    for (int slot = 0; slot < groups.size(); slot++) {
      if (rows[slot] != 0) {
        writer.put(key(slot), value(slot));
      }
    }
  }

  void writeChanges(StateWriter writer) {
    for (int i = 0; i < changed.size(); i++) {
      writeChange(changed.get(i), writer);
    }
    changed.clear();
  }

  private void writeChange(int slot, StateWriter writer) {
    groups.unmark(slot, Groups.CHANGED);
    if (rows[slot] != 0) {
      writer.put(key(slot), value(slot));
      groups.mark(slot, Groups.WRITTEN);
    } else if (groups.isMarked(slot, Groups.WRITTEN)) {
      writer.remove(key(slot));
      groups.unmark(slot, Groups.WRITTEN);
    }
  }

  /** Takes entries over; entries of the same key, as several shards have them, are merged. */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      int slot = StateBytes.<Integer>read(entry.getKey(), input -> groups.keys.read(input));
      ensureSlots();
      Groups read = factory.get();
      StateBytes.<Boolean>read(
          entry.getValue(),
          input -> {
            addRows(slot, input.readLong());
            read.accumulators.ensureSlots(1);
            read.accumulators.read(0, input);
            return true;
          });
      groups.accumulators.merge(slot, read.accumulators, 0);
      groups.unmark(slot, Groups.CHANGED);
      groups.mark(slot, Groups.WRITTEN);
    }
    changed.clear();
  }

  void checkInvariants() {
    int counted = 0;
    int marked = 0;
    for (int slot = 0; slot < groups.size(); slot++) {
      counted += rows[slot] == 0 ? 0 : 1;
      marked += groups.isMarked(slot, Groups.CHANGED) ? 1 : 0;
    }
    if (counted != live || marked != changed.size()) {
      throw new AssertionError(
          "%d groups have rows, %d counted; %d changed, %d listed"
              .formatted(counted, live, marked, changed.size()));
    }
  }
}
