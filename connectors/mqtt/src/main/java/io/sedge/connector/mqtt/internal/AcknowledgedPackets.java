package io.sedge.connector.mqtt.internal;

import java.util.Arrays;
import java.util.BitSet;

/**
 * For each packet identifier the hash of the last message that was acknowledged under it: 264 KiB,
 * however many messages come, once there was one. Not thread-safe.
 */
final class AcknowledgedPackets {
  private static final int IDENTIFIERS = 1 << 16;

  private final BitSet known = new BitSet();
  private int[] hashes = new int[0];

  void add(int packet, int hash) {
    if (hashes.length == 0) {
      hashes = new int[IDENTIFIERS];
    }
    hashes[packet] = hash;
    known.set(packet);
  }

  boolean isKnown(int packet, int hash) {
    return known.get(packet) && hashes[packet] == hash;
  }

  void clear() {
    known.clear();
    Arrays.fill(hashes, 0);
  }
}
