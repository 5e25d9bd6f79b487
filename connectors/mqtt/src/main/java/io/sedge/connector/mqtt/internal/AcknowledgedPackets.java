package io.sedge.connector.mqtt.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What was acknowledged to the broker, which may not have heard of it: for each packet identifier
 * the hash of the last message, and the order of the last of them. Takes 600 KB, however many
 * messages come, once there was one. Not thread-safe.
 *
 * <p>Acknowledgements go out in the order of the messages, so those that never arrive are the last
 * ones.
 */
final class AcknowledgedPackets {
  private static final int IDENTIFIERS = 1 << 16;

  /** By packet identifier. */
  private int[] hashes = new int[0];

  /** By packet identifier: which addition it was, from 1 on; 0 if the identifier is not known. */
  private int[] additions = new int[0];

  /** The packet identifiers of the last additions, by addition modulo the length. */
  private final short[] last;

  /** The packet identifiers of those, kept so that {@link #trail} need not look at all of them. */
  private final BitSet window = new BitSet();

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
    int slot = added % last.length;
    int oldest = Short.toUnsignedInt(last[slot]);
    if (added > last.length && additions[oldest] == added - last.length) {
      window.clear(oldest);
    }
    hashes[packet] = hash;
    additions[packet] = added;
    last[slot] = (short) packet;
    window.set(packet);
  }

  /** Begins to count anew, with the last ones. */
  private void renumber() {
    List<int[]> entries = new ArrayList<>();
    for (int addition = added - last.length + 1; addition <= added; addition++) {
      int packet = Short.toUnsignedInt(last[addition % last.length]);
      if (additions[packet] == addition) {
        entries.add(new int[] {packet, hashes[packet]});
      }
    }
    clear();
    entries.forEach(entry -> add(entry[0], entry[1]));
  }

  boolean isKnown(int packet, int hash) {
    return added > 0 && additions[packet] > 0 && hashes[packet] == hash;
  }

  /** The broker uses the identifier anew, so it has heard of the message before. */
  void forget(int packet) {
    if (added > 0) {
      additions[packet] = 0;
      window.clear(packet);
    }
  }

  /** The last ones, without those that were forgotten. */
  PacketTrail trail() {
    if (window.isEmpty()) {
      return new PacketTrail();
    }
    int packet = Short.toUnsignedInt(last[added % last.length]);
    return new PacketTrail(window, packet, hashes[packet]);
  }

  void clear() {
    Arrays.fill(hashes, 0);
    Arrays.fill(additions, 0);
    window.clear();
    added = 0;
  }
}
