package io.sedge.engine.operator.internal;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a {@link RowTable} by time, in the order of arrival where times are equal; or by mark,
 * then by time. Made for rows that come nearly in order and leave at the front.
 */
final class SortedSlots {
  private final SlotColumn times;
  private final @Nullable RowTable marked;
  private int[] slots = new int[4];
  private int head;
  private int size;

  /** By time. */
  SortedSlots(SlotColumn times) {
    this.times = times;
    this.marked = null;
  }

  /** By mark, then by time. */
  SortedSlots(RowTable table, SlotColumn times) {
    this.times = times;
    this.marked = table;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return slots[head + index];
  }

  long time(int index) {
    return times.longAt(slots[head + index]);
  }

  void insert(int slot) {
    makeRoom();
    int place = place(slot);
    int at = head + place;
    System.arraycopy(slots, at, slots, at + 1, size - place);
    slots[at] = slot;
    size++;
  }

  private int place(int slot) {
    int place = size;
    if (size > 0 && isBefore(slot, get(size - 1))) {
      place = 0;
      int high = size - 1;
      while (place < high) {
        int middle = (place + high) >>> 1;
        if (isBefore(slot, get(middle))) {
          high = middle;
        } else {
          place = middle + 1;
        }
      }
    }
    return place;
  }

  private boolean isBefore(int slot, int other) {
    if (marked != null && marked.mark(slot) != marked.mark(other)) {
      return marked.mark(slot) < marked.mark(other);
    }
    return times.longAt(slot) < times.longAt(other);
  }

  /** The number of slots, sorted by time alone, with a time at or below {@code time}. */
  int indexAfter(long time) {
    if (size == 0 || time(size - 1) <= time) {
      return size;
    }
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (time(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The number of slots, sorted by mark, with a mark at or below {@code mark}. */
  int indexAfterMark(RowTable table, long mark) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (table.mark(get(middle)) <= mark) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  void removeFirst() {
    head++;
    size--;
    if (size == 0) {
      head = 0;
    }
  }

  private void makeRoom() {
    if (head + size < slots.length) {
      return;
    }
    int[] target = head > size ? slots : Arrays.copyOf(slots, slots.length * 2);
    System.arraycopy(slots, head, target, 0, size);
    slots = target;
    head = 0;
  }

  void checkInvariants() {
    for (int i = 1; i < size; i++) {
      if (isBefore(get(i), get(i - 1))) {
        throw new AssertionError("%d of %d is out of order".formatted(i, size));
      }
    }
  }
}
