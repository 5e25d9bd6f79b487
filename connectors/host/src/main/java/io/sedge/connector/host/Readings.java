package io.sedge.connector.host;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Readings on their way from the sampler's thread to the task's: a ring with a fixed capacity. The
 * sampler asks for room before it samples, so nothing is ever dropped from it.
 */
final class Readings {
  private final ReentrantLock lock = new ReentrantLock();
  private final Quantity[] quantities;
  private final long[] micros;
  private final double[] values;
  private int oldest;
  private int size;

  Readings(int capacity) {
    quantities = new Quantity[capacity];
    micros = new long[capacity];
    values = new double[capacity];
  }

  /** What takes a reading out. */
  @FunctionalInterface
  interface Taker {
    void take(Quantity quantity, long micros, double value);
  }

  int room() {
    lock.lock();
    try {
      return values.length - size;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a reading for which there is {@link #room}. */
  void add(Quantity quantity, long timeMicros, double value) {
    lock.lock();
    try {
      if (size == values.length) {
        throw new IllegalStateException("%d readings wait already".formatted(size));
      }
      int slot = (oldest + size++) % values.length;
      quantities[slot] = quantity;
      micros[slot] = timeMicros;
      values[slot] = value;
    } finally {
      lock.unlock();
    }
  }

  /** Hands over what waits, oldest first, at most {@code limit}; returns how many. */
  int drain(int limit, Taker taker) {
    lock.lock();
    try {
      int count = Math.min(limit, size);
      for (int i = 0; i < count; i++) {
        int slot = (oldest + i) % values.length;
        taker.take(quantities[slot], micros[slot], values[slot]);
      }
      oldest = (oldest + count) % values.length;
      size -= count;
      return count;
    } finally {
      lock.unlock();
    }
  }
}
