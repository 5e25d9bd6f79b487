package io.sedge.connector.opcua.internal;

import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExtensionObject;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.Matrix;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.builtin.XmlElement;
import org.jspecify.annotations.Nullable;

/**
 * Values on their way from the feeder's thread to the task's. Full, the feeder waits, and the
 * server with it. Any thread.
 */
final class Inbox {
  /** So much may wait: a value weighs 1, and more if it is long. */
  static final int CAPACITY = 50_000;

  /** A value weighs one more for so many bytes. */
  private static final int BYTES = 64;

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
      return 1 + (int) Math.min(CAPACITY, bytes(value.value().value()) / BYTES);
    }

    /** About so many bytes a value takes, beyond those that each does. */
    private static long bytes(@Nullable Object value) {
      return switch (value) {
        case null -> 0;
        case String text -> 2L * text.length();
        case ByteString some -> some.length();
        case LocalizedText text -> bytes(text.text());
        case XmlElement xml -> bytes(xml.getFragment());
        case Variant inner -> bytes(inner.value());
        case ExtensionObject structure -> bytes(structure.getBody());
        case Matrix matrix -> bytes(matrix.getElements());
        case Object[] array -> {
          long sum = 16L * array.length;
          for (Object each : array) {
            sum += bytes(each);
          }
          yield sum;
        }
        case Object other -> other.getClass().isArray() ? 8L * Array.getLength(other) : 0;
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
