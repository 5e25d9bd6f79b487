package io.sedge.connector.courier;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a sink has taken and the far end is not known to have, in order. The task adds to it; the
 * courier takes what is to be sent, and settles what is durable. Bounded: nothing is added while it
 * is full. Any thread.
 */
final class Outgoing<S extends Shipment> {
  /** What is to be done next. */
  sealed interface Step<S> {
    /** Send it. */
    record Send<S>(S shipment) implements Step<S> {}

    /** Make durable what was sent, up to a sequence. */
    record Commit<S>(long last) implements Step<S> {}

    /** There is nothing more. */
    record End<S>() implements Step<S> {}
  }

  /** What a shipment takes besides its rows; so there is room for so many of those without any. */
  private static final int OBJECT_BYTES = 100;

  private static final long NANOS_PER_MS = 1_000_000;

  private final Rhythm rhythm;
  private final LongSupplier nanoTime;
  private final Deque<S> unsent = new ArrayDeque<>();
  private final Deque<S> sent = new ArrayDeque<>();
  private long bytes;
  private long sentBytes;
  private long sentRows;
  private long durable;
  private long wanted;
  private long progressNanos;
  private boolean closing;

  /**
   * @param nanoTime a monotonic clock
   * @param durable the sequence up to which rows are known to be durable
   */
  Outgoing(Rhythm rhythm, LongSupplier nanoTime, long durable) {
    this.rhythm = rhythm;
    this.nanoTime = nanoTime;
    this.durable = durable;
  }

  synchronized boolean hasRoom() {
    return bytes < rhythm.queueBytes();
  }

  synchronized void add(S shipment) {
    if (bytes == 0) {
      progressNanos = nanoTime.getAsLong();
    }
    unsent.add(shipment);
    bytes += taken(shipment);
    notifyAll();
  }

  private static long taken(Shipment shipment) {
    return OBJECT_BYTES + shipment.bytes();
  }

  /** Asks for all that was added to be made durable, and tells up to where it is. */
  synchronized long flush() {
    S newest = unsent.isEmpty() ? sent.peekLast() : unsent.peekLast();
    if (newest != null) {
      wanted = newest.last();
      notifyAll();
    }
    return durable;
  }

  /** For how long nothing has become durable although the job has asked for it. */
  synchronized long stuckNanos() {
    S oldest = sent.isEmpty() ? unsent.peek() : sent.peek();
    return oldest == null || oldest.last() > wanted ? 0 : nanoTime.getAsLong() - progressNanos;
  }

  /** Waits for something to do. */
  synchronized Step<S> next() throws InterruptedException {
    while (true) {
      S next = unsent.peek();
      long leftNanos = leftNanos(next);
      if (leftNanos <= 0) {
        return new Step.Commit<>(sent.getLast().last());
      }
      if (next != null) {
        unsent.remove();
        sent.add(next);
        sentBytes += taken(next);
        sentRows += next.size();
        return new Step.Send<>(next);
      }
      if (closing) {
        return new Step.End<>();
      }
      if (leftNanos == Long.MAX_VALUE) {
        wait();
      } else {
        wait(leftNanos / NANOS_PER_MS + 1);
      }
    }
  }

  /** How long it is until a commit, if nothing more is added; none left: now. */
  private long leftNanos(@Nullable S next) {
    S last = sent.peekLast();
    if (last == null) {
      return Long.MAX_VALUE;
    }
    boolean full =
        sentBytes >= rhythm.commitBytes()
            || (next != null && sentRows + next.size() > rhythm.mostRows());
    boolean enough = rhythm.startRows() > 0 && sentRows >= rhythm.startRows();
    boolean asked = sent.getFirst().last() <= wanted;
    if (full || (next == null && (enough || asked || closing))) {
      return 0;
    }
    if (next != null) {
      return asked && next.last() > wanted ? 0 : Long.MAX_VALUE;
    }
    Duration interval = rhythm.interval().orElse(null);
    return interval == null
        ? Long.MAX_VALUE
        : interval.toNanos() - (nanoTime.getAsLong() - progressNanos);
  }

  /** All up to a sequence is durable. */
  synchronized void settle(long last) {
    progressNanos = nanoTime.getAsLong();
    for (S shipment = sent.peek();
        shipment != null && shipment.last() <= last;
        shipment = sent.peek()) {
      sent.remove();
      bytes -= taken(shipment);
      sentBytes -= taken(shipment);
      sentRows -= shipment.size();
    }
    durable = Math.max(durable, last);
  }

  /**
   * Begins anew with a far end that has all up to a sequence, and nothing of what was sent after.
   */
  synchronized void rewind(long last) {
    settle(last);
    List<S> again = new ArrayList<>(sent);
    again.reversed().forEach(unsent::addFirst);
    sent.clear();
    sentBytes = 0;
    sentRows = 0;
  }

  /** How many batches are not known to be durable. */
  synchronized int shipments() {
    return unsent.size() + sent.size();
  }

  /** Nothing more will be added. */
  synchronized void close() {
    closing = true;
    notifyAll();
  }
}
