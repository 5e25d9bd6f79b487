package io.sedge.engine.operator.internal;

import io.sedge.engine.state.StateWriter;
import java.util.Map;
import java.util.function.Supplier;

/** Groups that live on, and their entries of state: the key columns to the accumulators. */
final class GroupStore {
  private final Supplier<Groups> factory;
  private final Groups groups;

  /** The slots marked {@link Groups#CHANGED}. */
  private final Ints changed = new Ints();

  GroupStore(Supplier<Groups> factory) {
    this.factory = factory;
    this.groups = factory.get();
  }

  Groups groups() {
    return groups;
  }

  /** Notes that a group is to be written. */
  void change(int slot) {
    if (!groups.isMarked(slot, Groups.CHANGED)) {
      changed.add(slot);
      groups.mark(slot, Groups.CHANGED);
    }
  }

  private byte[] key(int slot) {
    return StateBytes.of(output -> groups.keys.write(slot, output));
  }

  private byte[] value(int slot) {
    return StateBytes.of(output -> groups.accumulators.write(slot, output));
  }

  void writeSnapshot(StateWriter writer) {
    for (int slot = 0; slot < groups.size(); slot++) {
      writer.put(key(slot), value(slot));
    }
  }

  long changedEntries() {
    return changed.size();
  }

  void writeChanges(StateWriter writer) {
    for (int i = 0; i < changed.size(); i++) {
      int slot = changed.get(i);
      groups.unmark(slot, Groups.CHANGED);
      writer.put(key(slot), value(slot));
    }
    changed.clear();
  }

  /** Takes entries over; entries of the same key, as several shards have them, are merged. */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      int slot = StateBytes.<Integer>read(entry.getKey(), input -> groups.keys.read(input));
      groups.ensureSlots();
      Groups read = factory.get();
      StateBytes.<Boolean>read(
          entry.getValue(),
          input -> {
            read.accumulators.ensureSlots(1);
            read.accumulators.read(0, input);
            return true;
          });
      groups.accumulators.merge(slot, read.accumulators, 0);
    }
  }

  void checkInvariants() {
    int marked = 0;
    for (int slot = 0; slot < groups.size(); slot++) {
      marked += groups.isMarked(slot, Groups.CHANGED) ? 1 : 0;
    }
    if (marked != changed.size()) {
      throw new AssertionError("%d groups changed, %d listed".formatted(marked, changed.size()));
    }
  }
}
