package io.sedge.engine.operator.internal;

import io.sedge.engine.state.StateWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slices that are open, by their ends, and their entries of state.
 *
 * <pre>
 *   key                                value
 *   0                                  watermark up to which windows have fired (8 bytes)
 *   1, end of slice (8), key columns   1 if windows must fire again, accumulators
 * </pre>
 *
 * Only the last few slices hold on to the dictionary of their keys: an hour of windows that slide
 * by a second has 3,600 open ones.
 *
 * <p>Removals are written only for entries that were written before, so that what waits for the
 * next {@link #writeChanges} is bounded by the state.
 */
final class SliceStore {
  /** So many of the last slices get most rows. */
  static final int NEAR = 4;

  private static final byte PROGRESS_ENTRY = 0;
  private static final byte GROUP_ENTRY = 1;

  private final WindowAggregates.WindowSetup setup;
  private final List<Slice> slices = new ArrayList<>();
  private final List<byte[]> removed = new ArrayList<>();
  private long progress = Long.MIN_VALUE;
  private long writtenProgress = Long.MIN_VALUE;

  SliceStore(WindowAggregates.WindowSetup setup) {
    this.setup = setup;
  }

  /** The slices in the order of their ends. */
  List<Slice> slices() {
    return slices;
  }

  /** The watermark up to which windows have fired. */
  long progress() {
    return progress;
  }

  void setProgress(long watermark) {
    progress = watermark;
  }

  /** The position of the first slice that ends at or after a time. */
  private int position(long end) {
    int low = 0;
    int high = slices.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (slices.get(middle).end < end) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Nullable Slice find(long end) {
    int position = position(end);
    return position < slices.size() && slices.get(position).end == end
        ? slices.get(position)
        : null;
  }

  /** Whether a slice is one of those that most rows belong to. */
  private boolean isNear(Slice slice) {
    return slices.size() <= NEAR || slices.get(slices.size() - NEAR).end <= slice.end;
  }

  /** The rows of a batch have been accumulated: only the slices near now keep what they know. */
  void forgetCodesUnlessNear(Slice slice) {
    if (!isNear(slice)) {
      slice.groups.keys.forgetCodes();
    }
  }

  /** The slice with an end; made if there is none. */
  Slice get(long end) {
    Slice known = find(end);
    if (known != null) {
      return known;
    }
    Slice made = new Slice(end, setup.clock.overAt(end), setup.groups());
    slices.add(position(end), made);
    if (slices.size() > NEAR) {
      forgetCodesUnlessNear(slices.get(slices.size() - NEAR - 1));
    }
    return made;
  }

  /** The slices of a window, in order. */
  List<Slice> between(long start, long end) {
    List<Slice> found = new ArrayList<>();
    for (int i = position(start + 1); i < slices.size() && slices.get(i).end <= end; i++) {
      found.add(slices.get(i));
    }
    return found;
  }

  /** Whether there is a slice that ends between two times, these included. */
  boolean hasAny(long firstEnd, long lastEnd) {
    int position = position(firstEnd);
    return position < slices.size() && slices.get(position).end <= lastEnd;
  }

  void remove(Slice slice) {
    slices.remove(slice);
    for (int slot = 0; slot < slice.groups.size(); slot++) {
      if (slice.groups.isMarked(slot, Groups.WRITTEN)) {
        removed.add(key(slice, slot));
      }
    }
  }

  private static byte[] key(Slice slice, int slot) {
    return StateBytes.of(
        output -> {
          output.writeByte(GROUP_ENTRY);
          output.writeLong(slice.end);
          slice.groups.keys.write(slot, output);
        });
  }

  private static byte[] value(Slice slice, int slot) {
    return StateBytes.of(
        output -> {
          output.writeBoolean(slice.groups.isMarked(slot, Groups.AGAIN));
          slice.groups.accumulators.write(slot, output);
        });
  }

  void writeSnapshot(StateWriter writer) {
    writeProgress(writer);
    for (Slice slice : slices) {
      for (int slot = 0; slot < slice.groups.size(); slot++) {
        writer.put(key(slice, slot), value(slice, slot));
      }
    }
  }

  /** How many entries {@link #writeChanges} would write of groups. */
  long changedEntries() {
    long entries = removed.size();
    for (Slice slice : slices) {
      entries += slice.groups.changedSlots();
    }
    return entries;
  }

  void writeChanges(StateWriter writer) {
    if (progress != writtenProgress) {
      writeProgress(writer);
      writtenProgress = progress;
    }
    removed.forEach(writer::remove);
    removed.clear();
    for (Slice slice : slices) {
      if (slice.groups.takeChanged()) {
        writeChanges(slice, writer);
      }
    }
  }

  private static void writeChanges(Slice slice, StateWriter writer) {
    Groups groups = slice.groups;
    for (int slot = 0; slot < groups.size(); slot++) {
      if (groups.isMarked(slot, Groups.CHANGED)) {
        writer.put(key(slice, slot), value(slice, slot));
        groups.unmark(slot, Groups.CHANGED);
        groups.mark(slot, Groups.WRITTEN);
      }
    }
  }

  private void writeProgress(StateWriter writer) {
    if (progress != Long.MIN_VALUE) {
      writer.put(new byte[] {PROGRESS_ENTRY}, StateBytes.of(output -> output.writeLong(progress)));
    }
  }

  /** Takes entries over; entries of the same key, as several shards have them, are merged. */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    boolean first = true;
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (entry.getKey()[0] == PROGRESS_ENTRY) {
        long read = StateBytes.<Long>read(entry.getValue(), input -> input.readLong());
        progress = first ? read : Math.min(progress, read);
        first = false;
      } else {
        restoreGroup(entry.getKey(), entry.getValue());
      }
    }
    writtenProgress = progress;
  }

  private void restoreGroup(byte[] key, byte[] value) {
    StateBytes.<Boolean>read(
        key,
        input -> {
          input.readByte();
          Groups groups = get(input.readLong()).groups;
          int slot = groups.keys.read(input);
          groups.ensureSlots();
          boolean known = groups.isMarked(slot, Groups.WRITTEN);
          readValue(groups, slot, value, known);
          return true;
        });
  }

  private void readValue(Groups groups, int slot, byte[] value, boolean known) {
    StateBytes.<Boolean>read(
        value,
        input -> {
          groups.mark(slot, input.readBoolean() ? Groups.WRITTEN | Groups.AGAIN : Groups.WRITTEN);
          if (known) {
            var other = setup.accumulators();
            other.ensureSlots(1);
            other.read(0, input);
            groups.accumulators.merge(slot, other, 0);
          } else {
            groups.accumulators.read(slot, input);
          }
          return true;
        });
  }

  void checkInvariants() {
    for (Slice slice : slices) {
      slice.groups.checkInvariants();
      if (slice.groups.keys.knowsCodes() && !isNear(slice)) {
        throw new AssertionError(
            "the slice that ends at %d holds on to a dictionary".formatted(slice.end));
      }
    }
  }
}
