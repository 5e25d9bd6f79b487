package io.sedge.connector.mqtt.internal;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * The messages of a session that were committed and that the broker may send again, as they are
 * told to the next reader: packet identifiers, oldest first, and of the last ones a tag that tells
 * what the message was. Of older ones only the identifier is told. Small, since most brokers count
 * identifiers up: they are written as runs. Where the older ones have more than {@link #MAX_RUNS}
 * runs the smallest gaps between them are filled. A broker that counts up has left these
 * identifiers out, and uses them only once it has used all others. One thread.
 *
 * <p>Of the older ones the order is that of their identifiers, from the oldest one round to the one
 * before it. Where a broker counts up, that is the order in which they came, also where it began
 * with 1 again. Else the reader that goes on would take the highest identifiers for the last ones,
 * keep them when it should forget them, and take what the broker sends under them in its next round
 * for what was committed in this one.
 *
 * <pre>
 * runs of the older ones (1 byte), 0 to 65
 *   first and last identifier of each run (2 each), from the oldest on
 * runs of the tagged ones (2), 0 to 2048
 *   first identifier of each run (2), messages in it (2), their tags (4 each)
 * </pre>
 */
final class PacketTrail {
  static final int MAX_RUNS = 64;

  /**
   * So many have tags at most: twice what a broker that gives identifiers out anew at once (HiveMQ)
   * has under way if it is the embedded one, so that all of its messages have one.
   */
  static final int MAX_TAGGED = 2048;

  private static final int RUN_BYTES = 2 * Short.BYTES;
  private static final int FIRST_CAPACITY = 16;
  private static final int IDENTIFIERS = 1 << 16;

  private final BitSet older = new BitSet();

  /** The first that was added to the older ones. */
  private int oldest;

  private int[] packets = new int[FIRST_CAPACITY];
  private int[] tags = new int[FIRST_CAPACITY];
  private int tagged;

  /** Adds one that is older than those with tags, and younger than those that were added so. */
  void addOlder(int packet) {
    oldest = older.isEmpty() ? packet : oldest;
    older.set(packet);
  }

  /**
   * Adds the next message, of {@link #MAX_TAGGED} at most. One of the same identifier before it was
   * another message, which the broker does not send again.
   */
  void add(int packet, int tag) {
    older.clear(Objects.checkIndex(packet, IDENTIFIERS));
    Objects.checkIndex(tagged, MAX_TAGGED);
    if (tagged == packets.length) {
      packets = Arrays.copyOf(packets, 2 * tagged);
      tags = Arrays.copyOf(tags, 2 * tagged);
    }
    packets[tagged] = packet;
    tags[tagged] = tag;
    tagged++;
  }

  /** What is told of a message. */
  interface Visitor {
    void visit(int packet, int tag);
  }

  /** Tells of the older ones from the oldest on, then of the tagged. */
  void forEach(IntConsumer old, Visitor recent) {
    older.stream().filter(packet -> packet >= oldest).forEach(old);
    older.stream().takeWhile(packet -> packet < oldest).forEach(old);
    for (int i = 0; i < tagged; i++) {
      recent.visit(packets[i], tags[i]);
    }
  }

  byte[] encode() {
    BitSet written = (BitSet) older.clone();
    int runs = runs(written);
    for (int gap = 1; runs > MAX_RUNS; gap *= 2) {
      fillGaps(written, gap);
      runs = runs(written);
    }
    boolean split = oldest > 0 && written.get(oldest) && written.get(oldest - 1);
    runs += split ? 1 : 0;
    int taggedRuns = 0;
    for (int i = 0; i < tagged; i = runEnd(i)) {
      taggedRuns++;
    }
    ByteBuffer buffer =
        ByteBuffer.allocate(
            1 + Short.BYTES + (runs + taggedRuns) * RUN_BYTES + tagged * Integer.BYTES);
    buffer.put((byte) runs);
    writeRuns(written, oldest, IDENTIFIERS, buffer);
    writeRuns(written, 0, oldest, buffer);
    buffer.putShort((short) taggedRuns);
    for (int i = 0; i < tagged; ) {
      int end = runEnd(i);
      buffer.putShort((short) packets[i]).putShort((short) (end - i));
      for (; i < end; i++) {
        buffer.putInt(tags[i]);
      }
    }
    return buffer.array();
  }

  private static void writeRuns(BitSet written, int from, int to, ByteBuffer buffer) {
    for (int first = written.nextSetBit(from); first >= 0 && first < to; ) {
      int end = Math.min(written.nextClearBit(first), to);
      buffer.putShort((short) first).putShort((short) (end - 1));
      first = written.nextSetBit(end);
    }
  }

  private int runEnd(int begin) {
    int end = begin + 1;
    while (end < tagged && packets[end] == packets[end - 1] + 1) {
      end++;
    }
    return end;
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
  static PacketTrail decode(ByteBuffer bytes) {
    int length = bytes.remaining();
    PacketTrail trail = new PacketTrail();
    try {
      for (int runs = Byte.toUnsignedInt(bytes.get()); runs > 0; runs--) {
        int first = Short.toUnsignedInt(bytes.getShort());
        trail.oldest = trail.older.isEmpty() ? first : trail.oldest;
        trail.older.set(first, Short.toUnsignedInt(bytes.getShort()) + 1);
      }
      for (int runs = Short.toUnsignedInt(bytes.getShort()); runs > 0; runs--) {
        int packet = Short.toUnsignedInt(bytes.getShort());
        for (int left = Short.toUnsignedInt(bytes.getShort()); left > 0; left--) {
          trail.add(packet++, bytes.getInt());
        }
      }
    } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
      throw new IllegalArgumentException("%d bytes are no packet identifiers".formatted(length), e);
    }
    if (bytes.hasRemaining()) {
      throw new IllegalArgumentException(
          "%d bytes are too many for packet identifiers".formatted(length));
    }
    return trail;
  }

  @Override
  public String toString() {
    return "%d packet identifiers and %s"
        .formatted(older.cardinality(), Arrays.toString(Arrays.copyOf(packets, tagged)));
  }
}
