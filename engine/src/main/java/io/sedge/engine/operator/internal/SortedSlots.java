package io.sedge.engine.operator.internal;

import java.util.Arrays;

/**
 * Slots of a {@link RowTable} by time, in the order of arrival where times are equal. Made for rows
 * that come nearly in order and leave at the front.
 */
final class SortedSlots {
  private final Vault times;
  private int[] slots = new int[4];
  private int head;
  private int size;

  SortedSlots(Vault times) {
    this.times = times;
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
    long time = times.longAt(slot);
    int place = indexAfter(time);
    int at = head + place;
    System.arraycopy(slots, at, slots, at + 1, size - place);
    slots[at] = slot;
    size++;
  }

  /** The number of slots with a time at or below {@code time}. */
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
      if (time(i) < time(i - 1)) {
        throw new AssertionError("times fall at %d of %d".formatted(i, size));
      }
    }
  }
}
