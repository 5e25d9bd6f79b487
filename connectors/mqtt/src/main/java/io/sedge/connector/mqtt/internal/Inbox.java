package io.sedge.connector.mqtt.internal;

import io.sedge.mqtt.Incoming;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where messages wait between the connection's thread and the task's, and where it is known which
 * of them the broker still has to be told of. Any thread.
 *
 * <p><b>Bounds.</b> {@code queueCapacity} messages wait at most, and {@code queueBytes} are held at
 * most (topics, payloads and what goes with them, until they are acknowledged), or a single
 * message; {@link #offer} then waits for room, on the connection's thread, so that nothing more is
 * read from the socket and TCP slows the broker down. Of messages of QoS 1 and 2 a receipt is kept
 * until they are acknowledged, and then a tag for each of the 65,535 packet identifiers.
 *
 * <p><b>Sent again or new?</b> After an outage the broker sends again what it holds no
 * acknowledgement of, with the DUP flag and the same packet identifier (MQTT 5, 4.4). A message is
 * taken for one that was received before if DUP is set and the last message with its packet
 * identifier has the same {@link Incoming#tag}: then it is not queued again but takes the place of
 * the first, so that acknowledging that one acknowledges it. The broker reuses an identifier only
 * after it got the acknowledgement of the message before. So a message is mistaken for an old one
 * only if its acknowledged predecessor of the same identifier had the same content, it was itself
 * under way when the connection broke, and never arrived or was not committed. Brokers send again
 * in the order of the first time, before anything new (MQTT 5, 4.6). So after the first message of
 * a connection that was never received nothing is taken for one that was acknowledged.
 *
 * <p><b>What a former reader committed</b>, in another process or on another device, is told in
 * {@link #position} and {@link #seek} as a {@link PacketTrail} of the messages that may come again,
 * and each message that comes is judged by it at once, as if this reader had received it. A
 * position is written with each commit, so it is small. It leaves out the messages of which the
 * broker has shown that it heard ({@link AcknowledgedPackets}). Where the broker counts its
 * identifiers up ({@link Ascent}) it has few tags. A trail goes on from reader to reader, also
 * where the broker has shown that it heard of its beginning: Mosquitto (up to 2.1.2 at least) sends
 * messages of QoS 2 again that were received, if a connection ends before it has released them once
 * more.
 */
final class Inbox {
  private static final byte POSITION_VERSION = 3;
  private static final int HEADER_BYTES = 1 + Long.BYTES;

  /**
   * Of so many messages that were acknowledged last the broker may not have heard. Receive-maximum
   * does not bound them: with each new connection a broker may send as many again. Half of all
   * identifiers, so that those of the next messages are not among them where a broker counts them
   * up.
   */
  private static final int MAY_COME_AGAIN = 1 << 15;

  /** So many tags are told of a broker that counts identifiers up, lest it begin anew. */
  private static final int FEW_TAGS = 8;

  /** A message that waits, or waited. */
  static final class Delivery {
    final long sequence;
    final Incoming message;
    final long arrivalMicros;

    /** The time of the last poll before it came, by the task's clock: since then it has waited. */
    final long sinceNanos;

    Delivery(long sequence, Incoming message, long arrivalMicros, long sinceNanos) {
      this.sequence = sequence;
      this.message = message;
      this.arrivalMicros = arrivalMicros;
      this.sinceNanos = sinceNanos;
    }
  }

  /** What is kept of a message of QoS 1 or 2 once it has been received. */
  private static final class Receipt {
    final long sequence;
    final int packet;
    final int qos;
    final int tag;
    final int heldBytes;

    /** The connection on which it came for the first time of all; -1 if that was a former one. */
    final int begun;

    int connection;
    @Nullable Runnable acknowledgement;

    Receipt(long sequence, Incoming message, int tag, int connection) {
      this.begun = message.duplicate() ? -1 : connection;
      this.sequence = sequence;
      this.packet = message.packet();
      this.qos = message.qos();
      this.tag = tag;
      this.heldBytes = message.heldBytes();
      this.connection = connection;
      this.acknowledgement = message.acknowledgement();
    }
  }

  private final SourceSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Deque<Delivery> queue = new ArrayDeque<>();
  private final Deque<Receipt> receipts = new ArrayDeque<>();
  private final Map<Integer, Receipt> pendingByPacket = new HashMap<>();
  private final AcknowledgedPackets acknowledgedPackets;

  private final Ascent ascent = new Ascent();

  /** Whether nothing but what was received before has come on this connection. */
  private boolean nothingNew = true;

  private final SendWindow window;

  /** Messages that came first on this connection and are not acknowledged. */
  private int underWay;

  /** What was polled since the last {@link #position} and is to be acknowledged. */
  private int uncommitted;

  private long uncommittedBytes;

  private long heldBytes;
  private long next = 1;
  private long polled;
  private long acknowledged;

  /** What waits up to here cannot be acknowledged any more: its session is over. */
  private long orphaned;

  private long dropped;
  private long pollNanos;
  private int connection;
  private boolean closed;

  Inbox(SourceSettings settings) {
    this.settings = settings;
    this.acknowledgedPackets = new AcknowledgedPackets(MAY_COME_AGAIN);
    this.window = new SendWindow(settings.receiveMaximum());
  }

  /** What became of a message. */
  enum Outcome {
    /** It waits, and others waited before it. */
    QUEUED,
    /** It waits, the only one. */
    FIRST,
    /** It is known already. */
    REPEATED,
    /** There was no room, and the table's options say to drop it. */
    DROPPED,
    /** The inbox is closed. */
    REFUSED
  }

  /** Takes a message in; waits for room. Called by the connection's thread. */
  Outcome offer(Incoming message, long arrivalMicros) {
    int tag = message.qos() == 0 ? 0 : message.tag();
    lock.lock();
    try {
      if (closed) {
        // The broker may send on until it hears of it: none of that is acknowledged.
        return Outcome.REFUSED;
      }
      if (message.qos() > 0 && isRepeated(message, tag)) {
        return Outcome.REPEATED;
      }
      int bytes = message.heldBytes();
      while (!closed && isFull(bytes)) {
        if (settings.dropNewest()) {
          dropped++;
          return Outcome.DROPPED;
        }
        room.awaitUninterruptibly();
      }
      if (closed) {
        return Outcome.REFUSED;
      }
      boolean first = queue.isEmpty();
      take(message, tag, arrivalMicros);
      return first ? Outcome.FIRST : Outcome.QUEUED;
    } finally {
      lock.unlock();
    }
  }

  private void take(Incoming message, int tag, long arrivalMicros) {
    long sequence = next++;
    if (message.qos() > 0) {
      remember(new Receipt(sequence, message, tag, connection));
    }
    queue.add(new Delivery(sequence, message, arrivalMicros, pollNanos));
    heldBytes += message.heldBytes();
  }

  private boolean isFull(int bytes) {
    return queue.size() >= settings.queueCapacity()
        || (heldBytes + bytes > settings.queueBytes() && heldBytes > 0);
  }

  private boolean isRepeated(Incoming message, int tag) {
    if (message.packet() == 0) {
      return false;
    }
    if (message.duplicate() && wasReceived(message, tag)) {
      return true;
    }
    acknowledgedPackets.forget(message.packet());
    return false;
  }

  private boolean wasReceived(Incoming message, int tag) {
    Receipt pending = pendingByPacket.get(message.packet());
    if (pending != null) {
      if (pending.tag != tag || pending.connection == connection) {
        return false;
      }
      pending.acknowledgement = message.acknowledgement();
      pending.connection = connection;
      return true;
    }
    boolean known = nothingNew && acknowledgedPackets.isKnown(message.packet(), tag);
    if (known) {
      run(message.acknowledgement());
      acknowledgedPackets.add(message.packet(), tag);
    }
    return known;
  }

  private void remember(Receipt receipt) {
    receipts.add(receipt);
    nothingNew = false;
    if (receipt.begun == connection) {
      underWay++;
      window.underWay(underWay);
    }
    if (receipt.packet != 0) {
      pendingByPacket.put(receipt.packet, receipt);
      ascent.next(receipt.packet, receipts.size());
    }
  }

  /**
   * Moves up to {@code max} messages into a list, in the order in which they came; none is added
   * once they hold {@code maxBytes}.
   *
   * @param nowNanos the task's clock
   */
  void drain(List<Delivery> into, int max, long maxBytes, long nowNanos) {
    lock.lock();
    try {
      pollNanos = nowNanos;
      long bytes = 0;
      for (int i = 0; i < max && bytes < maxBytes && !queue.isEmpty(); i++) {
        Delivery delivery = queue.remove();
        bytes += delivery.message.length() + delivery.message.topic().length();
        if (delivery.message.qos() == 0 || delivery.sequence <= orphaned) {
          heldBytes -= delivery.message.heldBytes();
        } else {
          uncommitted++;
          uncommittedBytes += delivery.message.heldBytes();
        }
        polled = delivery.sequence;
        into.add(delivery);
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the broker may send nothing more, or what it sends find no room, until some of what was
   * polled since the last {@link #position} is acknowledged.
   */
  boolean wantsCommit() {
    lock.lock();
    try {
      return window.isUsedUp(uncommitted) || uncommittedBytes > settings.queueBytes() / 2;
    } finally {
      lock.unlock();
    }
  }

  long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Where polling stands: a version (1 byte), the number of the last message (8), and the {@link
   * PacketTrail} of the messages of QoS 1 or 2 up to it that the broker may yet send again.
   */
  byte[] position() {
    lock.lock();
    try {
      window.committed(underWay);
      uncommitted = 0;
      uncommittedBytes = 0;
      byte[] packets = trail().encode();
      return ByteBuffer.allocate(HEADER_BYTES + packets.length)
          .put(POSITION_VERSION)
          .putLong(polled)
          .put(packets)
          .array();
    } finally {
      lock.unlock();
    }
  }

  private PacketTrail trail() {
    List<Receipt> waiting =
        receipts.stream()
            .takeWhile(receipt -> receipt.sequence <= polled)
            .filter(receipt -> receipt.packet != 0)
            .toList();
    int tags = ascent.isCertain() ? FEW_TAGS : PacketTrail.MAX_TAGGED;
    int older = Math.max(0, waiting.size() - tags);
    PacketTrail trail = new PacketTrail();
    acknowledgedPackets.addTo(trail, tags - waiting.size());
    waiting.subList(0, older).forEach(receipt -> trail.addOlder(receipt.packet));
    waiting
        .subList(older, waiting.size())
        .forEach(receipt -> trail.add(receipt.packet, receipt.tag));
    return trail;
  }

  /**
   * Goes on from a position of a former inbox.
   *
   * @throws IllegalArgumentException if it is none
   */
  void seek(byte[] position) {
    long sequence = sequence(position);
    PacketTrail trail =
        PacketTrail.decode(ByteBuffer.wrap(position, HEADER_BYTES, position.length - HEADER_BYTES));
    lock.lock();
    try {
      next = Math.max(next, sequence + 1);
      polled = sequence;
      acknowledged = sequence;
      acknowledgedPackets.addAll(trail);
    } finally {
      lock.unlock();
    }
  }

  private static long sequence(byte[] position) {
    if (position.length <= HEADER_BYTES || position[0] != POSITION_VERSION) {
      throw new IllegalArgumentException(
          "a position of %d bytes is not one of the mqtt connector".formatted(position.length));
    }
    return ByteBuffer.wrap(position).getLong(1);
  }

  /** Lets the broker forget all up to a position, in order. */
  void acknowledge(byte[] position) {
    long sequence = sequence(position);
    lock.lock();
    try {
      if (sequence <= acknowledged) {
        return;
      }
      acknowledged = sequence;
      while (!receipts.isEmpty() && receipts.getFirst().sequence <= sequence) {
        settle(receipts.removeFirst());
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void settle(Receipt receipt) {
    heldBytes -= receipt.heldBytes;
    if (receipt.begun == connection) {
      underWay--;
    }
    run(receipt.acknowledgement);
    if (receipt.packet != 0 && pendingByPacket.remove(receipt.packet, receipt)) {
      acknowledgedPackets.add(receipt.packet, receipt.tag);
    }
  }

  /**
   * The connection is gone. The client still counts what it handed over as under way, and would
   * refuse the broker's second copies as too many; acknowledging now only makes the client forget
   * them, since there is no connection to say it on. At QoS 2 the client itself knows second
   * copies, and acknowledging would be said on the next connection: it must wait for the commit.
   */
  void disconnected() {
    lock.lock();
    try {
      connection++;
      nothingNew = true;
      underWay = 0;
      window.reset();
      for (Receipt receipt : receipts) {
        if (receipt.qos == 1) {
          run(receipt.acknowledgement);
          receipt.acknowledgement = null;
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The broker has no session: nothing that it sends from now on was received before. */
  void sessionLost() {
    lock.lock();
    try {
      pendingByPacket.clear();
      acknowledgedPackets.clear();
      for (Receipt receipt : receipts) {
        run(receipt.acknowledgement);
        if (receipt.sequence <= polled) {
          heldBytes -= receipt.heldBytes;
        }
      }
      receipts.clear();
      underWay = 0;
      uncommitted = 0;
      uncommittedBytes = 0;
      orphaned = next - 1;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      queue.clear();
      // The client's threads may hold on to this for a while, where the network does not answer.
      receipts.clear();
      pendingByPacket.clear();
      acknowledgedPackets.clear();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static void run(@Nullable Runnable acknowledgement) {
    if (acknowledgement != null) {
      try {
        acknowledgement.run();
      } catch (RejectedExecutionException e) {
        // The connection has ended for good: there is nobody to tell.
      }
    }
  }
}
