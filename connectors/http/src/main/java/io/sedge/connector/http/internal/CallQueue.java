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
 * committed, then answered. Bounded by bytes, twice: those of bodies that arrive, and those of
 * requests that wait. Any thread.
 *
 * <p>What was counted is known again by its identity, a hash of its key and its body, for as long
 * as so many others have not come after it. The identities of the window stand in each position: so
 * the next reader knows them too, in another process or on another device.
 */
final class CallQueue {
  /** What becomes of a request that has come. */
  enum Offer {
    TAKEN,
    /** It was counted before: there is nothing to do. */
    COUNTED,
    FULL,
    CLOSED
  }

  private static final byte POSITION_VERSION = 1;
  private static final int HEADER_BYTES = 1 + Long.BYTES;

  /** So many that wait for their answer want a commit. */
  private static final int MANY = 64;

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
  private long arrivingBytes;
  private long taken;
  private int sincePosition;
  private boolean closed;

  CallQueue(long capacityBytes, int window) {
    this.capacityBytes = capacityBytes;
    this.window = window;
  }

  /**
   * Makes room for a body that is about to be read, apart from what waits: without it senders that
   * come at once could fill the memory.
   *
   * @return whether there is room; then it is to be given back
   */
  synchronized boolean makeRoom(long bodyBytes) {
    boolean fits = arrivingBytes == 0 || arrivingBytes + bodyBytes <= capacityBytes;
    arrivingBytes += fits ? bodyBytes : 0;
    return fits;
  }

  synchronized void giveRoomBack(long bodyBytes) {
    arrivingBytes -= bodyBytes;
  }

  /** Takes a request. One that is under way already gets the answer of the first. */
  synchronized Offer offer(Call call) {
    if (closed) {
      return Offer.CLOSED;
    }
    if (call.identity().filter(counted::contains).isPresent()) {
      return Offer.COUNTED;
    }
    Call first = call.identity().map(underWay::get).orElse(null);
    if (first != null) {
      var _ = first.reply().thenAccept(call.reply()::complete);
      return Offer.TAKEN;
    }
    if (bytes > 0 && bytes + call.bytes() > capacityBytes) {
      return Offer.FULL;
    }
    bytes += call.bytes();
    waiting.add(call);
    call.identity().ifPresent(identity -> underWay.put(identity, call));
    return Offer.TAKEN;
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
