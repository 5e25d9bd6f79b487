package io.sedge.connector.mqtt.internal;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Which packet identifiers some messages had, and which message was the last. Small, since most
 * brokers count identifiers up: they are written as runs. Where these would be more than {@link
 * #MAX_RUNS} the smallest gaps between them are filled, so that it may say too much, never too
 * little. One thread.
 *
 * <pre>
 * runs (1 byte), 0 to 64
 * identifier (2) and hash (4) of the last message, if there is one
 * first and last identifier (2 each) of each run
 * </pre>
 */
final class PacketTrail {
  static final int MAX_RUNS = 64;

  private static final int LAST_BYTES = Short.BYTES + Integer.BYTES;
  private static final int RUN_BYTES = 2 * Short.BYTES;

  private final BitSet packets;
  private int lastPacket;
  private int lastHash;

  /** An empty one. */
  PacketTrail() {
    this(new BitSet(), 0, 0);
  }

  /** With these identifiers, which are copied. */
  PacketTrail(BitSet packets, int lastPacket, int lastHash) {
    this.packets = (BitSet) packets.clone();
    this.lastPacket = lastPacket;
    this.lastHash = lastHash;
  }

  /** Adds the next message. */
  void add(int packet, int hash) {
    packets.set(packet);
    lastPacket = packet;
    lastHash = hash;
  }

  boolean isEmpty() {
    return packets.isEmpty();
  }

  /** Whether a message with this identifier may be among them; without doubt if it says no. */
  boolean mayHold(int packet) {
    return packets.get(packet);
  }

  int lastPacket() {
    return lastPacket;
  }

  int lastHash() {
    return lastHash;
  }

  /** All of them, the one that comes after the last where identifiers are counted up at first. */
  void forEach(IntConsumer action) {
    for (int packet = packets.nextSetBit(lastPacket + 1);
        packet >= 0;
        packet = packets.nextSetBit(packet + 1)) {
      action.accept(packet);
    }
    packets.stream().takeWhile(packet -> packet <= lastPacket).forEach(action);
  }

  boolean isLast(int packet, int hash) {
    return !isEmpty() && packet == lastPacket && hash == lastHash;
  }

  byte[] encode() {
    BitSet written = (BitSet) packets.clone();
    int runs = runs(written);
    for (int gap = 1; runs > MAX_RUNS; gap *= 2) {
      fillGaps(written, gap);
      runs = runs(written);
    }
    ByteBuffer buffer =
        ByteBuffer.allocate(1 + (runs == 0 ? 0 : LAST_BYTES) + runs * RUN_BYTES).put((byte) runs);
    if (runs > 0) {
      buffer.putShort((short) lastPacket).putInt(lastHash);
    }
    for (int first = written.nextSetBit(0); first >= 0; ) {
      int end = written.nextClearBit(first);
      buffer.putShort((short) first).putShort((short) (end - 1));
      first = written.nextSetBit(end);
    }
    return buffer.array();
  }

  private static int runs(BitSet set) {
    int runs = 0;
    for (int first = set.nextSetBit(0);
        first >= 0;
        first = set.nextSetBit(set.nextClearBit(first))) {
      runs++;
    }
    return runs;
  }

  /** Fills the gaps of up to so many. */
  private static void fillGaps(BitSet set, int longest) {
    int first = set.nextSetBit(0);
    while (first >= 0) {
      int end = set.nextClearBit(first);
      first = set.nextSetBit(end);
      if (first >= 0 && first - end <= longest) {
        set.set(end, first);
      }
    }
  }

  /**
   * Reads what {@link #encode} gave.
   *
   * @throws IllegalArgumentException if the bytes are others
   */
  static PacketTrail decode(byte[] bytes) {
    int runs = bytes.length == 0 ? -1 : Byte.toUnsignedInt(bytes[0]);
    if (runs < 0
        || runs > MAX_RUNS
        || bytes.length != 1 + (runs == 0 ? 0 : LAST_BYTES) + runs * RUN_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes are no packet identifiers".formatted(bytes.length));
    }
    PacketTrail trail = new PacketTrail();
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    if (runs > 0) {
      trail.lastPacket = Short.toUnsignedInt(buffer.getShort());
      trail.lastHash = buffer.getInt();
    }
    for (int i = 0; i < runs; i++) {
      int first = Short.toUnsignedInt(buffer.getShort());
      int last = Short.toUnsignedInt(buffer.getShort());
      if (last < first) {
        throw new IllegalArgumentException("identifiers from %d to %d".formatted(first, last));
      }
      trail.packets.set(first, last + 1);
    }
    return trail;
  }

  @Override
  public String toString() {
    return "%d packet identifiers, the last %d".formatted(packets.cardinality(), lastPacket);
  }
}
