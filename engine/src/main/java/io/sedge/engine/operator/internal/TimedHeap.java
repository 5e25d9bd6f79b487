package io.sedge.engine.operator.internal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A binary heap of objects that know their place in it, so that one can change its order. */
final class TimedHeap<T extends TimedHeap.Timed> {
  /** What is kept in a heap: ordered by {@code due}, then by {@code order}. */
  abstract static class Timed {
    private int place = -1;
    private long due;
    private long order;

    final long due() {
      return due;
    }

    final boolean isQueued() {
      return place >= 0;
    }
  }

  private final List<T> heap = new ArrayList<>();

  int size() {
    return heap.size();
  }

  @Nullable T first() {
    return heap.isEmpty() ? null : heap.getFirst();
  }

  /** Puts an object in, or moves it. */
  void queue(T item, long due, long order) {
    Timed timed = item;
    timed.due = due;
    timed.order = order;
    if (timed.place < 0) {
      timed.place = heap.size();
      heap.add(item);
    }
    up(item);
    down(item);
  }

  void remove(T item) {
    Timed timed = item;
    if (timed.place < 0) {
      return;
    }
    int place = timed.place;
    T last = heap.removeLast();
    timed.place = -1;
    if (place < heap.size()) {
      set(place, last);
      up(last);
      down(last);
    }
  }

  private void set(int place, T item) {
    heap.set(place, item);
    Timed timed = item;
    timed.place = place;
  }

  private static boolean before(Timed left, Timed right) {
    return left.due != right.due ? left.due < right.due : left.order < right.order;
  }

  private void up(T item) {
    Timed timed = item;
    while (timed.place > 0) {
      int parent = (timed.place - 1) / 2;
      T above = heap.get(parent);
      if (!before(item, above)) {
        return;
      }
      int place = timed.place;
      set(parent, item);
      set(place, above);
    }
  }

  private void down(T item) {
    Timed timed = item;
    while (true) {
      int child = timed.place * 2 + 1;
      if (child >= heap.size()) {
        return;
      }
      if (child + 1 < heap.size() && before(heap.get(child + 1), heap.get(child))) {
        child++;
      }
      T below = heap.get(child);
      if (!before(below, item)) {
        return;
      }
      int place = timed.place;
      set(child, item);
      set(place, below);
    }
  }

  void checkInvariants() {
    for (int i = 1; i < heap.size(); i++) {
      if (before(heap.get(i), heap.get((i - 1) / 2))) {
        throw new AssertionError("the heap is out of order at " + i);
      }
    }
  }
}
