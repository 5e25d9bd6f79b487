package io.sedge.engine.state;

import java.util.Map;

/**
 * Something whose state is a set of entries (bytes to bytes) that can be written in full, written
 * as what changed, and restored. Invariant, which the operator harness checks after every step: the
 * entries of {@link #writeSnapshot} equal those that the calls of {@link #writeChanges} since the
 * start add up to.
 */
public interface Stateful {
  /** Writes all entries; changes nothing. */
  void writeSnapshot(StateWriter writer);

  /** Writes what changed since the last call (or since restore, or the start). */
  void writeChanges(StateWriter writer);

  /** Takes over the entries of a snapshot; called once, before any row, on a new object. */
  void restore(Iterable<Map.Entry<byte[], byte[]>> entries);
}
