package io.sedge.connector.modbus.internal;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals on their way from the loop's thread to the task's. A line asks for room before it asks
 * its units, so nothing is dropped. Any thread.
 */
final class Inbox {
  /** For how long an arrival waits at most before the task is woken, nanoseconds. */
  private static final long PATIENCE_NANOS = 100_000_000;

  private final int capacity;
  private final Runnable wakeUp;
  private final Queue<Arrival> arrivals = new ArrayDeque<>();
  private boolean signalled = true;
  private long unsignalledNanos;

  /**
   * @param capacity how many may wait
   * @param wakeUp lets the task run
   */
  Inbox(int capacity, Runnable wakeUp) {
    this.capacity = capacity;
    this.wakeUp = wakeUp;
  }

  synchronized boolean hasRoom(int count) {
    return capacity - arrivals.size() >= count;
  }

  /** Adds an arrival for which there is room. The task hears of it with the others of a sweep. */
  void add(Arrival arrival, long nowNanos) {
    boolean late;
    synchronized (this) {
      arrivals.add(arrival);
      if (signalled) {
        signalled = false;
        unsignalledNanos = nowNanos;
      }
      late = nowNanos - unsignalledNanos > PATIENCE_NANOS;
    }
    if (late) {
      signal();
    }
  }

  /** Wakes the task if there is anything that it has not heard of. */
  void signal() {
    synchronized (this) {
      if (signalled) {
        return;
      }
      signalled = true;
    }
    wakeUp.run();
  }

  synchronized @Nullable Arrival poll() {
    return arrivals.poll();
  }
}
