package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.operator.internal.WindowAggregates.WindowSetup;
import io.sedge.engine.state.StateWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The sessions of all keys that are open, and their entries of state.
 *
 * <pre>
 *   key               value
 *   0                 watermark up to which sessions have fired (8 bytes)
 *   1, key columns    count (4), then of each session: start (8), end (8), 1 if it must fire
 *                     again, accumulators; in the order of their starts
 * </pre>
 *
 * Sessions of a key do not overlap or touch. Key slots of keys without sessions are dead; the table
 * is made anew when more than half are.
 */
final class Sessions {
  private static final byte PROGRESS_ENTRY = 0;
  private static final byte KEY_ENTRY = 1;
  private static final int DEAD_KEYS_KEPT = 256;

  /** A session: rows less than the gap apart. */
  static final class Session {
    final int slot;
    long start;
    long end;
    boolean again;

    Session(long start, long end, int slot) {
      this.start = start;
      this.end = end;
      this.slot = slot;
    }
  }

  /** The sessions of a key, by start, and whether its entry changed or is known outside. */
  static final class OfKey {
    final List<Session> sessions = new ArrayList<>(2);
    boolean changed;
    boolean written;
  }

  private final WindowSetup setup;
  private final GroupAccumulators accumulators;
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private int slots;
  private KeyTable keys;
  private List<OfKey> ofKeys = new ArrayList<>();
  private int dead;
  private final List<byte[]> removed = new ArrayList<>();
  private long progress = Long.MIN_VALUE;
  private long writtenProgress = Long.MIN_VALUE;

  Sessions(WindowSetup setup) {
    this.setup = setup;
    this.accumulators = setup.accumulators();
    this.keys = setup.keyTable();
  }

  KeyTable keys() {
    return keys;
  }

  GroupAccumulators accumulators() {
    return accumulators;
  }

  long progress() {
    return progress;
  }

  void setProgress(long watermark) {
    progress = watermark;
  }

  int keyCount() {
    return ofKeys.size();
  }

  /** The sessions of a key slot. */
  OfKey ofKey(int key) {
    while (ofKeys.size() <= key) {
      ofKeys.add(new OfKey());
      dead++;
    }
    return ofKeys.get(key);
  }

  /** The sessions of a key that overlap or touch a span, as in Flink: touching ones are one. */
  static List<Session> near(OfKey ofKey, long start, long end) {
    List<Session> near = List.of();
    for (Session session : ofKey.sessions) {
      if (session.start <= end && start <= session.end) {
        if (near.isEmpty()) {
          near = new ArrayList<>(2);
        }
        near.add(session);
      }
    }
    return near;
  }

  /** Makes one session of a span and those near it. Accumulated rows must be in their slots. */
  Session join(OfKey ofKey, List<Session> near, long start, long end) {
    Session joined;
    if (near.isEmpty()) {
      if (ofKey.sessions.isEmpty()) {
        dead--;
      }
      joined = new Session(start, end, claimSlot());
      ofKey.sessions.add(joined);
    } else {
      joined = near.getFirst();
      for (Session other : near.subList(1, near.size())) {
        accumulators.merge(joined.slot, accumulators, other.slot);
        joined.end = Math.max(joined.end, other.end);
        joined.again |= other.again;
        ofKey.sessions.remove(other);
        release(other);
      }
      joined.start = Math.min(joined.start, start);
      joined.end = Math.max(joined.end, end);
    }
    ofKey.sessions.sort(Comparator.comparingLong(session -> session.start));
    ofKey.changed = true;
    return joined;
  }

  private int claimSlot() {
    Integer free = freeSlots.poll();
    if (free != null) {
      return free;
    }
    accumulators.ensureSlots(slots + 1);
    return slots++;
  }

  private void release(Session session) {
    accumulators.clear(session.slot);
    freeSlots.push(session.slot);
  }

  /** Forgets a session. */
  void remove(int key, Session session) {
    OfKey ofKey = ofKeys.get(key);
    ofKey.sessions.remove(session);
    ofKey.changed = true;
    release(session);
    if (ofKey.sessions.isEmpty()) {
      dead++;
      ofKey.changed = false;
      if (ofKey.written) {
        removed.add(entryKey(key));
        ofKey.written = false;
      }
    }
  }

  /** Makes the key table anew if more than half of its keys are dead. Key slots change. */
  void compact() {
    if (dead <= DEAD_KEYS_KEPT || dead * 2 <= ofKeys.size()) {
      return;
    }
    KeyTable liveKeys = setup.keyTable();
    List<OfKey> live = new ArrayList<>();
    for (int key = 0; key < ofKeys.size(); key++) {
      if (!ofKeys.get(key).sessions.isEmpty()) {
        liveKeys.slotOf(keys, key);
        live.add(ofKeys.get(key));
      }
    }
    keys = liveKeys;
    ofKeys = live;
    dead = 0;
  }

  private byte[] entryKey(int key) {
    return StateBytes.of(
        output -> {
          output.writeByte(KEY_ENTRY);
          keys.write(key, output);
        });
  }

  private byte[] entryValue(OfKey ofKey) {
    return StateBytes.of(
        output -> {
          output.writeInt(ofKey.sessions.size());
          for (Session session : ofKey.sessions) {
            write(session, output);
          }
        });
  }

  private void write(Session session, DataOutput output) throws IOException {
    output.writeLong(session.start);
    output.writeLong(session.end);
    output.writeBoolean(session.again);
    accumulators.write(session.slot, output);
  }

  void writeSnapshot(StateWriter writer) {
    writeProgress(writer);
    for (int key = 0; key < ofKeys.size(); key++) {
      if (!ofKeys.get(key).sessions.isEmpty()) {
        writer.put(entryKey(key), entryValue(ofKeys.get(key)));
      }
    }
  }

  void writeChanges(StateWriter writer) {
    if (progress != writtenProgress) {
      writeProgress(writer);
      writtenProgress = progress;
    }
    removed.forEach(writer::remove);
    removed.clear();
    for (int key = 0; key < ofKeys.size(); key++) {
      OfKey ofKey = ofKeys.get(key);
      if (ofKey.changed) {
        writer.put(entryKey(key), entryValue(ofKey));
        ofKey.changed = false;
        ofKey.written = true;
      }
    }
  }

  private void writeProgress(StateWriter writer) {
    if (progress != Long.MIN_VALUE) {
      writer.put(new byte[] {PROGRESS_ENTRY}, StateBytes.of(output -> output.writeLong(progress)));
    }
  }

  /** Takes entries over; sessions of one key from several shards are joined where they touch. */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    boolean first = true;
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (entry.getKey()[0] == PROGRESS_ENTRY) {
        long read = StateBytes.<Long>read(entry.getValue(), DataInput::readLong);
        progress = first ? read : Math.min(progress, read);
        first = false;
      } else {
        OfKey ofKey = StateBytes.read(entry.getKey(), this::readKey);
        StateBytes.<Boolean>read(entry.getValue(), input -> readSessions(ofKey, input));
        ofKey.changed = false;
        ofKey.written = true;
      }
    }
    writtenProgress = progress;
  }

  private OfKey readKey(DataInput input) throws IOException {
    input.readByte();
    return ofKey(keys.read(input));
  }

  private boolean readSessions(OfKey ofKey, DataInput input) throws IOException {
    int count = input.readInt();
    for (int i = 0; i < count; i++) {
      long start = input.readLong();
      long end = input.readLong();
      boolean again = input.readBoolean();
      GroupAccumulators read = setup.accumulators();
      read.ensureSlots(1);
      read.read(0, input);
      Session joined = join(ofKey, near(ofKey, start, end), start, end);
      joined.again |= again;
      accumulators.merge(joined.slot, read, 0);
    }
    return true;
  }
}
