package io.sedge.connector.http.internal;

import io.sedge.connector.http.internal.Call.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests between the threads that they come on and the task's. A request is held until it is
 * committed, then answered. Bounded by bytes, and by how many wait for one request. Any thread.
 *
 * <p>What was counted is known again by its identity, a hash of its key and its body, for as long
 * as so many others have not come after it. The identities of the window stand in each position: so
 * the next reader knows them too, in another process or on another device.
 */
final class CallQueue {
  /** What becomes of a request that has come. */
  sealed interface Offer {
    /** It is known how it is answered. */
    record Answered(Reply reply) implements Offer {}

    /**
     * It is answered as a request is that is under way: itself, or an earlier one that it repeats.
     * Whoever waits for that {@link #leave leaves} in the end.
     */
    record Waits(Call call) implements Offer {}
  }

  private static final byte POSITION_VERSION = 1;
  private static final int HEADER_BYTES = 1 + Long.BYTES;

  /** So many that wait for their answer want a commit. */
  private static final int MANY = 64;

  /** So many may wait for one request: its sender, and a few connections on which it repeats. */
  private static final int MOST_WAITING = 8;

  private static final Reply COUNTED_BEFORE = new Reply(200, "counted before");
  private static final Reply COUNTED = new Reply(200, "counted");
  private static final Reply CLOSED = new Reply(503, "the job has stopped; come again");

  private record Numbered(long sequence, Call call) {}

  private final long capacityBytes;
  private final int window;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final Deque<Numbered> uncommitted = new ArrayDeque<>();
  private final Map<Long, Call> underWay = new HashMap<>();

  /** The last that were counted, the oldest first. */
  private final LinkedHashSet<Long> counted = new LinkedHashSet<>();

  private long bytes;
  private long taken;
  private int sincePosition;
  private boolean closed;

  CallQueue(long capacityBytes, int window) {
    this.capacityBytes = capacityBytes;
    this.window = window;
  }

  /** Takes a request. One that is under way already gets the answer of the first. */
  synchronized Offer offer(Call call) {
    if (closed) {
      return new Offer.Answered(CLOSED);
    }
    if (call.identity().filter(counted::contains).isPresent()) {
      return new Offer.Answered(COUNTED_BEFORE);
    }
    Call first = call.identity().map(underWay::get).orElse(call);
    if (first.waiting() >= MOST_WAITING
        || (first == call && bytes > 0 && bytes + call.bytes() > capacityBytes)) {
      return new Offer.Answered(Arrival.FULL);
    }
    first.waits(1);
    if (first == call) {
      bytes += call.bytes();
      waiting.add(call);
      call.identity().ifPresent(identity -> underWay.put(identity, call));
    }
    return new Offer.Waits(first);
  }

  /** One that waited for a request does so no longer. */
  synchronized void leave(Call call) {
    call.waits(-1);
  }

  /** The next request; null if there is none. It is then {@link #count}ed or refused. */
  synchronized @Nullable Call take() {
    return waiting.poll();
  }

  /** The rows of a request were given to the task: it is answered once they are committed. */
  synchronized void count(Call call) {
    taken++;
    sincePosition++;
    uncommitted.add(new Numbered(taken, call));
  }

  /** A request gives no rows: it is answered at once. */
  synchronized void settle(Call call, Reply reply) {
    release(call);
    call.reply().complete(reply);
  }

  private void release(Call call) {
    bytes -= call.bytes();
    call.identity().ifPresent(underWay::remove);
  }

  /** Whether many senders wait for what was taken since the last position. */
  synchronized boolean wantsCommit() {
    return sincePosition >= MANY || (sincePosition > 0 && bytes > capacityBytes / 2);
  }

  /** Which requests are counted: a version, the number of the last one, the identities known. */
  synchronized byte[] position() {
    sincePosition = 0;
    LinkedHashSet<Long> known = new LinkedHashSet<>(counted);
    uncommitted.forEach(its -> its.call().identity().ifPresent(known::add));
    ByteBuffer position =
        ByteBuffer.allocate(HEADER_BYTES + Math.min(known.size(), window) * Long.BYTES);
    position.put(POSITION_VERSION).putLong(taken);
    known.stream().skip(Math.max(0, known.size() - window)).forEach(position::putLong);
    return position.array();
  }

  /**
   * Goes on from a position of an earlier queue.
   *
   * @throws IllegalArgumentException if it is none
   */
  synchronized void seek(byte[] position) {
    taken = sequence(position);
    ByteBuffer identities = ByteBuffer.wrap(position, HEADER_BYTES, position.length - HEADER_BYTES);
    while (identities.remaining() >= Long.BYTES) {
      remember(identities.getLong());
    }
  }

  private static long sequence(byte[] position) {
    if (position.length < HEADER_BYTES || position[0] != POSITION_VERSION) {
      throw new IllegalArgumentException(
          "a position of %d bytes is not one of the webhook connector".formatted(position.length));
    }
    return ByteBuffer.wrap(position).getLong(1);
  }

  /** All up to a position is committed: its senders hear so. */
  synchronized void acknowledge(byte[] position) {
    long sequence = sequence(position);
    for (Numbered first = uncommitted.peek();
        first != null && first.sequence() <= sequence;
        first = uncommitted.peek()) {
      uncommitted.remove();
      release(first.call());
      first.call().identity().ifPresent(this::remember);
      first.call().reply().complete(COUNTED);
    }
  }

  private void remember(long identity) {
    counted.add(identity);
    Iterator<Long> oldest = counted.iterator();
    while (counted.size() > window) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Nothing more is taken; those that wait are told to come again. */
  synchronized void close() {
    closed = true;
    waiting.forEach(call -> call.reply().complete(CLOSED));
    uncommitted.forEach(its -> its.call().reply().complete(CLOSED));
    waiting.clear();
    uncommitted.clear();
    underWay.clear();
    bytes = 0;
  }
}
