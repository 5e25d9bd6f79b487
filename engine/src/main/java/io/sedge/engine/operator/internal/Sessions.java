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
import org.jspecify.annotations.Nullable;

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

  /** A session: rows less than the gap apart. Due when it fires, or else is to be forgotten. */
  static final class Session extends TimedHeap.Timed {
    final OfKey ofKey;
    final int slot;
    long start;
    long end;
    boolean again;

    Session(OfKey ofKey, long start, long end, int slot) {
      this.ofKey = ofKey;
      this.start = start;
      this.end = end;
      this.slot = slot;
    }
  }

  /** The sessions of a key, by start, and whether its entry changed or is known outside. */
  static final class OfKey {
    final List<Session> sessions = new ArrayList<>(2);
    private int key;
    private boolean changed;
    private boolean written;

    /** Whether it is among those of which changes may be written. */
    private boolean listed;

    OfKey(int key) {
      this.key = key;
    }

    /** Its slot in the key table. */
    int key() {
      return key;
    }
  }

  private final WindowSetup setup;
  private final GroupAccumulators accumulators;
  private final Deque<Integer> freeSlots = new ArrayDeque<>();
  private int slots;
  private KeyTable keys;
  private List<OfKey> ofKeys = new ArrayList<>();
  private int dead;
  private final TimedHeap<Session> due = new TimedHeap<>();
  private final List<OfKey> listed = new ArrayList<>();
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

  /** Has a session fire when it is over, or be forgotten when it is closed if it has fired. */
  void schedule(Session session) {
    long over = setup.clock.overAt(session.end);
    boolean hasFired = over <= progress && !session.again;
    due.queue(session, hasFired ? setup.closedAt(session.end) : over, 0);
  }

  /** Takes out a session that fires or is closed at a watermark; null if there is none. */
  @Nullable Session pollDue(long watermark) {
    Session first = due.first();
    if (first == null || first.due() > watermark) {
      return null;
    }
    due.remove(first);
    return first;
  }

  /** The entry of a key is to be written. */
  void change(OfKey ofKey) {
    ofKey.changed = true;
    if (!ofKey.listed) {
      ofKey.listed = true;
      listed.add(ofKey);
    }
  }

  /** The sessions of a key slot. */
  OfKey ofKey(int key) {
    while (ofKeys.size() <= key) {
      ofKeys.add(new OfKey(ofKeys.size()));
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
      joined = new Session(ofKey, start, end, claimSlot());
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
    change(ofKey);
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
    due.remove(session);
    accumulators.clear(session.slot);
    freeSlots.push(session.slot);
  }

  /** Forgets a session. */
  void remove(Session session) {
    OfKey ofKey = session.ofKey;
    ofKey.sessions.remove(session);
    release(session);
    if (!ofKey.sessions.isEmpty()) {
      change(ofKey);
      return;
    }
    dead++;
    ofKey.changed = false;
    if (ofKey.written) {
      removed.add(entryKey(ofKey));
      ofKey.written = false;
    }
  }

  /** Makes the key table anew if more than half of its keys are dead. Key slots change. */
  void compact() {
    if (dead <= DEAD_KEYS_KEPT || dead * 2 <= ofKeys.size()) {
      return;
    }
    forgetUnchanged();
    KeyTable liveKeys = setup.keyTable();
    List<OfKey> live = new ArrayList<>();
    for (OfKey ofKey : ofKeys) {
      if (!ofKey.sessions.isEmpty()) {
        ofKey.key = liveKeys.slotOf(keys, ofKey.key);
        live.add(ofKey);
      }
    }
    keys = liveKeys;
    ofKeys = live;
    dead = 0;
  }

  private void forgetUnchanged() {
    for (OfKey ofKey : listed) {
      ofKey.listed = ofKey.changed;
    }
    listed.removeIf(ofKey -> !ofKey.changed);
  }

  private byte[] entryKey(OfKey ofKey) {
    return StateBytes.of(
        output -> {
          output.writeByte(KEY_ENTRY);
          keys.write(ofKey.key, output);
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
    for (OfKey ofKey : ofKeys) {
      if (!ofKey.sessions.isEmpty()) {
        writer.put(entryKey(ofKey), entryValue(ofKey));
      }
    }
  }

  /** How many entries {@link #writeChanges} would write, or a few more. */
  long changedEntries() {
    return (long) removed.size() + listed.size();
  }

  void writeChanges(StateWriter writer) {
    if (progress != writtenProgress) {
      writeProgress(writer);
      writtenProgress = progress;
    }
    removed.forEach(writer::remove);
    removed.clear();
    for (OfKey ofKey : listed) {
      if (ofKey.changed) {
        writer.put(entryKey(ofKey), entryValue(ofKey));
        ofKey.changed = false;
        ofKey.written = true;
      }
    }
    forgetUnchanged();
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
    forgetUnchanged();
    for (OfKey ofKey : ofKeys) {
      ofKey.sessions.forEach(this::schedule);
    }
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

  void checkInvariants() {
    due.checkInvariants();
    int open = 0;
    for (int key = 0; key < ofKeys.size(); key++) {
      OfKey ofKey = ofKeys.get(key);
      open += ofKey.sessions.size();
      if (ofKey.key != key || (ofKey.changed && (!ofKey.listed || ofKey.sessions.isEmpty()))) {
        throw new AssertionError("the sessions of key slot %d are listed amiss".formatted(key));
      }
    }
    if (open != due.size() || open + freeSlots.size() != slots) {
      throw new AssertionError(
          "%d sessions, %d with a time, %d slots free of %d"
              .formatted(open, due.size(), freeSlots.size(), slots));
    }
  }
}
