package io.sedge.connector.jdbc.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What waits for the database. Rows stay until they are known to be there. Bounded: nothing is
 * added while it is full. Any thread.
 */
final class Outgoing {
  /** A transaction takes whole batches until it has so many rows. */
  private static final int TRANSACTION_ROWS = 10_000;

  private static final long NANOS_PER_MS = 1_000_000;

  private final SinkSettings settings;
  private final Deque<Shipment> waiting = new ArrayDeque<>();
  private long bytes;
  private long rows;
  private long durable;
  private long wanted;
  private long oldestNanos;
  private boolean closing;

  Outgoing(SinkSettings settings, long durable) {
    this.settings = settings;
    this.durable = durable;
  }

  synchronized boolean hasRoom() {
    return bytes < settings.queueBytes();
  }

  synchronized void add(Shipment shipment) {
    if (waiting.isEmpty()) {
      oldestNanos = settings.context().nanoTime();
    }
    waiting.add(shipment);
    bytes += shipment.bytes();
    rows += shipment.rows().size();
    notifyAll();
  }

  /** Asks for all that was added to be written, and tells up to where it is in the database. */
  synchronized long flush() {
    if (!waiting.isEmpty()) {
      wanted = waiting.getLast().last();
      notifyAll();
    }
    return durable;
  }

  /**
   * Waits until there is reason to write.
   *
   * @return what the next transaction takes, in order; empty if there will be nothing more
   */
  synchronized List<Shipment> await() throws InterruptedException {
    while (true) {
      long leftNanos = leftNanos();
      if (leftNanos <= 0) {
        return next();
      }
      if (closing && waiting.isEmpty()) {
        return List.of();
      }
      if (waiting.isEmpty()) {
        wait();
      } else {
        wait(leftNanos / NANOS_PER_MS + 1);
      }
    }
  }

  /** How long it is until a transaction begins, if nothing more comes; none left: now. */
  private long leftNanos() {
    Shipment first = waiting.peek();
    if (first == null) {
      return Long.MAX_VALUE;
    }
    boolean full = !hasRoom() || (settings.maxRows() > 0 && rows >= settings.maxRows());
    return full || closing || first.last() <= wanted
        ? 0
        : settings.interval().toNanos() - (settings.context().nanoTime() - oldestNanos);
  }

  private List<Shipment> next() {
    List<Shipment> next = new ArrayList<>();
    int taken = 0;
    for (Shipment shipment : waiting) {
      if (taken > 0 && taken + shipment.rows().size() > TRANSACTION_ROWS) {
        break;
      }
      next.add(shipment);
      taken += shipment.rows().size();
    }
    return next;
  }

  /** All up to a sequence is in the database. */
  synchronized void settle(long last) {
    for (Shipment first = waiting.peek();
        first != null && first.last() <= last;
        first = waiting.peek()) {
      waiting.remove();
      bytes -= first.bytes();
      rows -= first.rows().size();
    }
    oldestNanos = settings.context().nanoTime();
    durable = Math.max(durable, last);
  }

  synchronized int shipments() {
    return waiting.size();
  }

  /** Nothing more will be added. */
  synchronized void close() {
    closing = true;
    notifyAll();
  }
}
