package io.sedge.engine.operator.internal;

import java.util.Arrays;

/** A list of ints that grows. */
final class Ints {
  private int[] values = new int[16];
  private int size;

  int size() {
    return size;
  }

  int get(int index) {
    return values[index];
  }

  void set(int index, int value) {
    values[index] = value;
  }

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  void insert(int index, int value) {
    add(value);
    System.arraycopy(values, index, values, index + 1, size - 1 - index);
    values[index] = value;
  }

  int removeLast() {
    return values[--size];
  }

  void clear() {
    size = 0;
  }

  /** Drops the values from an index on. */
  void truncate(int newSize) {
    size = newSize;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  int[] array() {
    return values;
  }
}
