package io.sedge.connector.kafka.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What a sink has taken and the broker is not known to have, in order. The task adds to it; the
 * courier takes what is to be sent, and settles what is durable. Bounded: nothing is added while it
 * is full. Any thread.
 */
final class Outgoing {
  /** What is to be done next. */
  sealed interface Step {
    /** Send it. */
    record Send(Shipment shipment) implements Step {}

    /** Make durable what was sent, up to a sequence. */
    record Commit(long last) implements Step {}

    /** There is nothing more. */
    record End() implements Step {}
  }

  private final long capacityBytes;
  private final Deque<Shipment> unsent = new ArrayDeque<>();
  private final Deque<Shipment> sent = new ArrayDeque<>();
  private long bytes;
  private long sentBytes;
  private long durable;
  private long wanted;
  private long progressNanos;
  private boolean closing;

  Outgoing(long capacityBytes, long durable) {
    this.capacityBytes = capacityBytes;
    this.durable = durable;
  }

  synchronized boolean hasRoom() {
    return bytes < capacityBytes;
  }

  synchronized void add(Shipment shipment, long nowNanos) {
    if (bytes == 0) {
      progressNanos = nowNanos;
    }
    unsent.add(shipment);
    bytes += shipment.bytes();
    notifyAll();
  }

  /** Asks for all that was added to be made durable, and tells up to where it is. */
  synchronized long flush() {
    if (!unsent.isEmpty() || !sent.isEmpty()) {
      wanted = unsent.isEmpty() ? sent.getLast().last() : unsent.getLast().last();
      notifyAll();
    }
    return durable;
  }

  /** For how long nothing has become durable although something was to. */
  synchronized long stuckNanos(long nowNanos) {
    return bytes == 0 ? 0 : nowNanos - progressNanos;
  }

  /** Waits for something to do. */
  synchronized Step next() throws InterruptedException {
    while (true) {
      boolean due = !unsent.isEmpty() && unsent.getFirst().last() > wanted;
      if (!sent.isEmpty()
          && (sentBytes >= capacityBytes / 2
              || (sent.getLast().last() <= wanted && (unsent.isEmpty() || due))
              || (closing && unsent.isEmpty()))) {
        return new Step.Commit(sent.getLast().last());
      }
      if (!unsent.isEmpty()) {
        Shipment shipment = unsent.remove();
        sent.add(shipment);
        sentBytes += shipment.bytes();
        return new Step.Send(shipment);
      }
      if (closing) {
        return new Step.End();
      }
      wait();
    }
  }

  /** All up to a sequence is durable. */
  synchronized void settle(long last, long nowNanos) {
    progressNanos = nowNanos;
    for (Shipment shipment = sent.peek();
        shipment != null && shipment.last() <= last;
        shipment = sent.peek()) {
      sent.remove();
      sentBytes -= shipment.bytes();
      bytes -= shipment.bytes();
    }
    durable = Math.max(durable, last);
  }

  /**
   * Begins anew with a far end that has all up to a sequence, and nothing of what was sent after.
   */
  synchronized void rewind(long last, long nowNanos) {
    settle(last, nowNanos);
    List<Shipment> again = new ArrayList<>(sent);
    again.reversed().forEach(unsent::addFirst);
    sent.clear();
    sentBytes = 0;
  }

  synchronized int shipments() {
    return unsent.size() + sent.size();
  }

  /** Nothing more will be added. */
  synchronized void close() {
    closing = true;
    notifyAll();
  }
}
