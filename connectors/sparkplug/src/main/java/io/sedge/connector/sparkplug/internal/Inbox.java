package io.sedge.connector.sparkplug.internal;

import io.sedge.mqtt.Incoming;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Messages on their way from the connection's thread to the task's, with what became of the
 * connection between them. Full, {@link #offer} waits, so that nothing more is read from the
 * socket. Any thread.
 */
final class Inbox {
  /** What has happened. */
  sealed interface Event {
    long micros();
  }

  record Arrived(Incoming message, long micros) implements Event {}

  /** The connection was lost. */
  record Lost(long micros) implements Event {}

  /** There is a new one, and it is subscribed. */
  record Subscribed(long micros) implements Event {}

  private final int capacity;
  private final long capacityBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Deque<Event> events = new ArrayDeque<>();
  private int messages;
  private long bytes;
  private boolean closed;

  Inbox(int capacity, long capacityBytes) {
    this.capacity = capacity;
    this.capacityBytes = capacityBytes;
  }

  /**
   * Adds a message once there is room, or if there is no other.
   *
   * @return whether it is the first that waits
   */
  boolean offer(Incoming message, long micros) {
    int more = message.heldBytes();
    lock.lock();
    try {
      while (!closed && messages > 0 && (messages >= capacity || bytes + more > capacityBytes)) {
        room.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      messages++;
      bytes += more;
      events.add(new Arrived(message, micros));
      return events.size() == 1;
    } finally {
      lock.unlock();
    }
  }

  /** The connection was lost; of losses with no message between, the first one is kept. */
  void lost(long micros) {
    lock.lock();
    try {
      Event last = events.pollLast();
      if (last instanceof Subscribed && events.peekLast() instanceof Lost) {
        return;
      }
      if (last != null) {
        events.add(last);
      }
      if (!(last instanceof Lost)) {
        events.add(new Lost(micros));
      }
    } finally {
      lock.unlock();
    }
  }

  void subscribed(long micros) {
    lock.lock();
    try {
      events.add(new Subscribed(micros));
    } finally {
      lock.unlock();
    }
  }

  @Nullable Event poll() {
    lock.lock();
    try {
      Event event = events.poll();
      if (event instanceof Arrived arrived) {
        messages--;
        bytes -= arrived.message().heldBytes();
        room.signalAll();
      }
      return event;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      events.clear();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
