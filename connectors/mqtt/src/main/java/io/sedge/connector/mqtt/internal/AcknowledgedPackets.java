package io.sedge.connector.mqtt.internal;

import java.util.ArrayList;
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

  private static final int[] NONE = {};

  /** By packet identifier. */
  private int[] hashes = NONE;

  /** By packet identifier: which addition it was, from 1 on; 0 if the identifier is not known. */
  private int[] additions = NONE;

  /** The packet identifiers of the last additions, by addition modulo the length. */
  private short[] last = {};

  /** The packet identifiers of those, kept so that {@link #trail} need not look at all of them. */
  private final BitSet window = new BitSet();

  /** The packet identifiers of which the message is not known: a former reader had them. */
  private final BitSet unknown = new BitSet();

  private final int kept;
  private int added;

  /**
   * Makes an empty one.
   *
   * @param kept of so many at least the order is kept
   */
  AcknowledgedPackets(int kept) {
    this.kept = kept;
  }

  void add(int packet, int hash) {
    if (hashes.length == 0) {
      hashes = new int[IDENTIFIERS];
      additions = new int[IDENTIFIERS];
      last = new short[kept];
    }
    if (added == Integer.MAX_VALUE) {
      renumber();
    }
    added++;
    int slot = added % kept;
    int oldest = Short.toUnsignedInt(last[slot]);
    if (added > kept && additions[oldest] == added - kept) {
      window.clear(oldest);
    }
    hashes[packet] = hash;
    unknown.clear(packet);
    additions[packet] = added;
    last[slot] = (short) packet;
    window.set(packet);
  }

  /**
   * Adds what a former reader knew of, in the order of a broker that counts identifiers up. That
   * makes none of it known, but it is part of the {@link #trail}.
   */
  void addAll(PacketTrail trail) {
    trail.forEach(
        packet -> {
          add(packet, packet == trail.lastPacket() ? trail.lastHash() : 0);
          unknown.set(packet);
        });
  }

  /** Begins to count anew, with the last ones. */
  private void renumber() {
    List<int[]> entries = new ArrayList<>();
    for (int addition = added - kept + 1; addition <= added; addition++) {
      int packet = Short.toUnsignedInt(last[addition % kept]);
      if (additions[packet] == addition) {
        entries.add(new int[] {packet, hashes[packet]});
      }
    }
    BitSet before = (BitSet) unknown.clone();
    clear();
    entries.forEach(entry -> add(entry[0], entry[1]));
    unknown.or(before);
  }

  boolean isKnown(int packet, int hash) {
    return added > 0 && additions[packet] > 0 && hashes[packet] == hash && !unknown.get(packet);
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
    int packet = Short.toUnsignedInt(last[added % kept]);
    return new PacketTrail(window, packet, hashes[packet]);
  }

  /** Forgets all, and takes no memory until the next one. */
  void clear() {
    hashes = NONE;
    additions = NONE;
    last = new short[0];
    window.clear();
    unknown.clear();
    added = 0;
  }
}
