package io.sedge.connector.mqtt.internal;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What was acknowledged to the broker, which may not have heard of it: for each packet identifier
 * the hash of the last message, and the order of the last of them. Takes 512 KiB, however many
 * messages come, once there was one. Not thread-safe.
 *
 * <p>Acknowledgements go out in the order of the messages, so those that never arrive are the last
 * ones, and no more than the broker may have under way: it would send nothing new before.
 */
final class AcknowledgedPackets {
  /** What an entry takes when it is written: packet identifier and hash. */
  static final int ENTRY_BYTES = Short.BYTES + Integer.BYTES;

  private static final int IDENTIFIERS = 1 << 16;

  /** By packet identifier. */
  private int[] hashes = new int[0];

  /** By packet identifier: which addition it was, from 1 on; 0 if the identifier is not known. */
  private int[] additions = new int[0];

  /** The packet identifiers of the last additions, by addition modulo the length. */
  private short[] last;

  private int added;

  /**
   * Makes an empty one.
   *
   * @param last of so many at least the order is kept
   */
  AcknowledgedPackets(int last) {
    this.last = new short[last];
  }

  void add(int packet, int hash) {
    if (hashes.length == 0) {
      hashes = new int[IDENTIFIERS];
      additions = new int[IDENTIFIERS];
    }
    if (added == Integer.MAX_VALUE) {
      renumber();
    }
    added++;
    hashes[packet] = hash;
    additions[packet] = added;
    last[added % last.length] = (short) packet;
  }

  /** Begins to count anew, with the last ones. */
  private void renumber() {
    ByteBuffer entries = ByteBuffer.allocate(size() * ENTRY_BYTES);
    write(entries);
    clear();
    read(entries.flip());
  }

  boolean isKnown(int packet, int hash) {
    return added > 0 && additions[packet] > 0 && hashes[packet] == hash;
  }

  /** The broker uses the identifier anew, so it has heard of the message before. */
  void forget(int packet) {
    if (added > 0) {
      additions[packet] = 0;
    }
  }

  /** How many entries {@link #write} may write. */
  int size() {
    return Math.min(added, last.length);
  }

  /** Writes the last entries, in order, without those that were forgotten. */
  void write(ByteBuffer buffer) {
    for (int addition = added - size() + 1; addition > 0 && addition <= added; addition++) {
      int packet = Short.toUnsignedInt(last[addition % last.length]);
      if (additions[packet] == addition) {
        buffer.putShort((short) packet).putInt(hashes[packet]);
      }
    }
  }

  /** Adds all entries of a buffer; there is room for the order of all of them from then on. */
  void read(ByteBuffer buffer) {
    int entries = buffer.remaining() / ENTRY_BYTES;
    if (entries > last.length) {
      last = new short[entries];
      clear();
    }
    while (buffer.hasRemaining()) {
      add(Short.toUnsignedInt(buffer.getShort()), buffer.getInt());
    }
  }

  void clear() {
    Arrays.fill(hashes, 0);
    Arrays.fill(additions, 0);
    added = 0;
  }
}
