package io.sedge.engine.state;

/** Takes entries of state. A key stands once in a snapshot; in changes the last mention counts. */
public interface StateWriter {
  /** Sets an entry. The arrays are given up by the caller. */
  void put(byte[] key, byte[] value);

  /** Removes an entry; it may be unknown. */
  void remove(byte[] key);
}
