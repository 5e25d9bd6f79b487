package io.sedge.connector.opcua.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.jspecify.annotations.Nullable;

/**
 * Values on their way from the feeder's thread to the task's. Full, the feeder waits, and the
 * server with it. Any thread.
 */
final class Inbox {
  /** So much may wait: a value weighs 1, and more if it is long. */
  static final int CAPACITY = 50_000;

  private final Runnable wakeUp;
  private final Deque<Change> changes = new ArrayDeque<>();
  private long weight;

  /**
   * A value of a node.
   *
   * @param micros when it came, by this device's clock
   */
  record Change(Variable variable, DataValue value, long micros) {
    int weight() {
      return switch (value.value().value()) {
        case null -> 1;
        case String text -> 1 + text.length() / 32;
        case Object[] array -> 1 + array.length / 4;
        case org.eclipse.milo.opcua.stack.core.types.builtin.ByteString bytes ->
            1 + bytes.length() / 64;
        default -> 1;
      };
    }
  }

  Inbox(Runnable wakeUp) {
    this.wakeUp = wakeUp;
  }

  /** Adds what came together, once there is room; more than there is room for, if it was empty. */
  void put(List<Change> more) throws InterruptedException {
    if (more.isEmpty()) {
      return;
    }
    synchronized (this) {
      while (weight >= CAPACITY) {
        wait();
      }
      for (Change change : more) {
        changes.add(change);
        weight += change.weight();
      }
    }
    wakeUp.run();
  }

  synchronized @Nullable Change poll() {
    Change change = changes.poll();
    if (change != null) {
      weight -= change.weight();
      if (weight < CAPACITY) {
        notifyAll();
      }
    }
    return change;
  }
}
