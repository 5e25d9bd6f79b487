package io.sedge.connector.mqtt.internal;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What was acknowledged to the broker, which may not have heard of it: for each packet identifier
 * the tag of the last message, and the order of the last of them. Takes 600 KB, however many
 * messages come, once there was one. Not thread-safe.
 *
 * <p>Acknowledgements go out in the order of the messages. So a broker that uses an identifier anew
 * has heard of the message before, and of all that were acknowledged before that one.
 */
final class AcknowledgedPackets {
  private static final int IDENTIFIERS = 1 << 16;

  private static final int[] NONE = {};

  /** By packet identifier. */
  private int[] tags = NONE;

  /** By packet identifier: which addition it was, from 1 on; 0 if the identifier is not known. */
  private int[] additions = NONE;

  /** The packet identifiers of the last additions, by addition modulo the length. */
  private short[] last = {};

  /** The packet identifiers whose tag is not known: a former reader had them. */
  private final BitSet untagged = new BitSet();

  private final int kept;
  private int added;

  /** Of all additions up to this one the broker has heard. */
  private int heard;

  /**
   * Makes an empty one.
   *
   * @param kept of so many at least the order is kept
   */
  AcknowledgedPackets(int kept) {
    this.kept = kept;
  }

  void add(int packet, int tag) {
    if (tags.length == 0) {
      tags = new int[IDENTIFIERS];
      additions = new int[IDENTIFIERS];
      last = new short[kept];
    }
    if (added == Integer.MAX_VALUE) {
      renumber();
    }
    added++;
    tags[packet] = tag;
    untagged.clear(packet);
    additions[packet] = added;
    last[added % kept] = (short) packet;
  }

  /** Adds what a former reader tells of. */
  void addAll(PacketTrail trail) {
    trail.forEach(
        packet -> {
          add(packet, 0);
          untagged.set(packet);
        },
        this::add);
  }

  /** Begins to count anew, with the last ones. */
  private void renumber() {
    List<int[]> entries = new ArrayList<>();
    for (int addition = added - kept + 1; addition <= added; addition++) {
      int packet = Short.toUnsignedInt(last[addition % kept]);
      if (additions[packet] == addition) {
        entries.add(new int[] {packet, tags[packet], addition});
      }
    }
    int before = heard;
    BitSet unknown = (BitSet) untagged.clone();
    clear();
    for (int[] entry : entries) {
      add(entry[0], entry[1]);
      heard = entry[2] <= before ? added : heard;
    }
    untagged.or(unknown);
  }

  /**
   * Whether it is the last message of that identifier; so it is if only the identifier is known.
   */
  boolean isKnown(int packet, int tag) {
    return added > 0 && additions[packet] > 0 && (tags[packet] == tag || untagged.get(packet));
  }

  /** The broker uses the identifier anew. */
  void forget(int packet) {
    if (added > 0) {
      heard = Math.max(heard, additions[packet]);
      additions[packet] = 0;
      untagged.clear(packet);
    }
  }

  /**
   * Adds those of which the broker may not have heard to a trail.
   *
   * @param tagged of so many last additions at most with their tags
   */
  void addTo(PacketTrail trail, int tagged) {
    for (int addition = Math.max(heard, added - kept) + 1; addition <= added; addition++) {
      int packet = Short.toUnsignedInt(last[addition % kept]);
      if (additions[packet] != addition) {
        continue;
      }
      if (addition <= added - tagged || untagged.get(packet)) {
        trail.addOlder(packet);
      } else {
        trail.add(packet, tags[packet]);
      }
    }
  }

  /** Forgets all, and takes no memory until the next one. */
  void clear() {
    tags = NONE;
    additions = NONE;
    last = new short[0];
    untagged.clear();
    added = 0;
    heard = 0;
  }
}
