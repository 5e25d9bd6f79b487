package io.sedge.ledger.internal.state;

import io.sedge.ledger.Change;
import io.sedge.ledger.Command;
import io.sedge.ledger.Limits;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A task with its positions and state, as they change. */
final class TaskEntry {
  final TaskId id;
  String device = "";
  boolean ended;
  long epoch;
  long sequence;
  final Map<String, byte[]> positions = new TreeMap<>();
  final TreeMap<byte[], byte[]> state = new TreeMap<>(Arrays::compareUnsigned);

  /** What state and positions count. */
  long bytes;

  /** The parts of a commit that is not whole yet. */
  final List<byte[]> parts = new ArrayList<>();

  long partsSequence;
  long partsBytes;

  TaskEntry(TaskId id, long epoch) {
    this.id = id;
    this.epoch = epoch;
  }

  static long counted(byte[] key, byte[] value) {
    return key.length + value.length + (long) Limits.ENTRY_OVERHEAD;
  }

  static long counted(String source, byte[] position) {
    return 2L * source.length() + position.length + Limits.ENTRY_OVERHEAD;
  }

  /** By how much the bytes would grow with these entries; a null value is a removal. */
  long growth(Map<String, byte[]> newPositions, Map<byte[], byte @Nullable []> net) {
    long growth = 0;
    for (Map.Entry<String, byte[]> entry : newPositions.entrySet()) {
      byte[] old = positions.get(entry.getKey());
      growth += counted(entry.getKey(), entry.getValue());
      growth -= old == null ? 0 : counted(entry.getKey(), old);
    }
    for (Map.Entry<byte[], byte @Nullable []> entry : net.entrySet()) {
      byte[] old = state.get(entry.getKey());
      byte[] value = entry.getValue();
      growth += value == null ? 0 : counted(entry.getKey(), value);
      growth -= old == null ? 0 : counted(entry.getKey(), old);
    }
    return growth;
  }

  void set(Map<String, byte[]> newPositions, Map<byte[], byte @Nullable []> net, long growth) {
    positions.putAll(newPositions);
    net.forEach(
        (key, value) -> {
          if (value == null) {
            state.remove(key);
          } else {
            state.put(key, value);
          }
        });
    bytes += growth;
  }

  /** Removes the state; how many bytes that frees. */
  long forget() {
    long freed = 0;
    for (Map.Entry<byte[], byte[]> entry : state.entrySet()) {
      freed += counted(entry.getKey(), entry.getValue());
    }
    state.clear();
    bytes -= freed;
    return freed;
  }

  /** Keeps what is named, and nothing else; by how much the bytes grow. */
  long keep(Command.KeptTasks kept) {
    Map<String, byte[]> keptPositions = new TreeMap<>();
    kept.positions()
        .forEach(
            (from, to) -> {
              byte[] position = positions.get(from);
              if (position != null) {
                keptPositions.put(to, position);
              }
            });
    Map<byte[], byte[]> keptState = new TreeMap<>(Arrays::compareUnsigned);
    for (Command.KeptState each : kept.state()) {
      for (Map.Entry<byte[], byte[]> entry : state.tailMap(each.from(), true).entrySet()) {
        if (!beginsWith(entry.getKey(), each.from())) {
          break;
        }
        keptState.put(withPrefix(each.to(), entry.getKey()), entry.getValue());
      }
    }
    boolean any = !keptState.isEmpty();
    long before = bytes;
    positions.clear();
    state.clear();
    bytes = 0;
    set(keptPositions, keptState, growth(keptPositions, keptState));
    if (any) {
      kept.set().forEach(this::apply);
    }
    return bytes - before;
  }

  private void apply(Change change) {
    Map<byte[], byte @Nullable []> net = new TreeMap<>(Arrays::compareUnsigned);
    net.put(change.key(), change.value());
    set(Map.of(), net, growth(Map.of(), net));
  }

  private static boolean beginsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private static byte[] withPrefix(byte[] prefix, byte[] key) {
    byte[] other = key.clone();
    System.arraycopy(prefix, 0, other, 0, prefix.length);
    return other;
  }

  void addPart(byte[] part) {
    parts.add(part);
    partsBytes += part.length;
  }

  byte[] joinedParts() {
    ByteArrayOutputStream joined = new ByteArrayOutputStream((int) partsBytes);
    parts.forEach(joined::writeBytes);
    return joined.toByteArray();
  }

  /** How many bytes that frees. */
  long discardParts() {
    long freed = partsBytes;
    parts.clear();
    partsBytes = 0;
    return freed;
  }

  Task view() {
    return new Task(id, device, ended, epoch, sequence, state.size(), bytes);
  }
}
