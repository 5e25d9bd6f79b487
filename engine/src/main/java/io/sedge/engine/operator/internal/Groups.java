package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.column.Batch;
import java.util.Arrays;

/** Keys and their accumulators; the accumulators of a key have its slot in the key table. */
final class Groups {
  /** The entry changed since changes were last written. */
  static final byte CHANGED = 1;

  /** The entry is known to whoever collects the changes. */
  static final byte WRITTEN = 2;

  /** Windows that have fired with the entry must fire again. */
  static final byte AGAIN = 4;

  final KeyTable keys;
  final GroupAccumulators accumulators;
  private byte[] marks = new byte[16];
  private int[] slots = new int[16];
  private boolean changed;

  /** How many are marked {@link #CHANGED}. */
  private int changedSlots;

  /** The slots marked {@link #AGAIN}. */
  private final Ints again = new Ints();

  Groups(KeyTable keys, GroupAccumulators accumulators) {
    this.keys = keys;
    this.accumulators = accumulators;
  }

  int size() {
    return keys.size();
  }

  /** Adds rows of a batch, ascending, and marks their groups. */
  void add(Batch batch, int[] rows, int count, int mark) {
    if (slots.length < count) {
      slots = new int[Math.max(count, slots.length * 2)];
    }
    int[] target = slots;
    keys.slots(batch, rows, count, target);
    ensureSlots();
    accumulators.add(rows, target, count, batch);
    if ((mark & AGAIN) != 0) {
      for (int i = 0; i < count; i++) {
        mark(target[i], mark);
      }
      return;
    }
    byte[] marked = marks;
    int newlyChanged = 0;
    for (int i = 0; i < count; i++) {
      int before = marked[target[i]];
      newlyChanged += ~before & mark & CHANGED;
      marked[target[i]] = (byte) (before | mark);
    }
    changedSlots += newlyChanged;
    changed = true;
  }

  /** Makes accumulators for all keys. */
  void ensureSlots() {
    int size = keys.size();
    if (size > marks.length) {
      marks = Arrays.copyOf(marks, Math.max(size, marks.length * 2));
    }
    accumulators.ensureSlots(size);
  }

  void mark(int slot, int mark) {
    changed |= (mark & CHANGED) != 0;
    changedSlots += ~marks[slot] & mark & CHANGED;
    if ((mark & AGAIN) != 0 && !isMarked(slot, AGAIN)) {
      again.add(slot);
    }
    marks[slot] = (byte) (marks[slot] | mark);
  }

  void unmark(int slot, int mark) {
    changedSlots -= marks[slot] & mark & CHANGED;
    marks[slot] = (byte) (marks[slot] & ~mark);
  }

  int marks(int slot) {
    return marks[slot];
  }

  boolean isMarked(int slot, int mark) {
    return (marks[slot] & mark) != 0;
  }

  /** The slots marked {@link #AGAIN}. */
  Ints again() {
    return again;
  }

  /** No slot is to fire again any more, which is a change of those that were. */
  void endAgain() {
    for (int i = 0; i < again.size(); i++) {
      unmark(again.get(i), AGAIN);
      mark(again.get(i), CHANGED);
    }
    again.clear();
  }

  /** How many are marked {@link #CHANGED}. */
  int changedSlots() {
    return changedSlots;
  }

  /** Whether a group is marked as changed; asking ends that. */
  boolean takeChanged() {
    boolean was = changed;
    changed = false;
    return was;
  }

  /** Merges all groups of another table and marks those that it had. */
  void merge(Groups other, int mark) {
    int size = other.size();
    int[] targets = new int[size];
    int[] sources = new int[size];
    for (int slot = 0; slot < size; slot++) {
      targets[slot] = keys.slotOf(other.keys, slot);
      sources[slot] = slot;
    }
    ensureSlots();
    accumulators.merge(targets, other.accumulators, sources, size);
    for (int target : targets) {
      mark(target, mark);
    }
  }

  void checkInvariants() {
    int counted = 0;
    for (int slot = 0; slot < size(); slot++) {
      counted += marks[slot] & CHANGED;
    }
    if (counted != changedSlots) {
      throw new AssertionError("%d groups changed, %d counted".formatted(counted, changedSlots));
    }
  }

  /** Merges the groups of another table whose keys are here: few, as a rule. */
  void mergeKnown(Groups other) {
    for (int slot = 0; slot < size(); slot++) {
      int source = other.keys.find(keys, slot);
      if (source >= 0) {
        accumulators.merge(slot, other.accumulators, source);
      }
    }
  }
}
