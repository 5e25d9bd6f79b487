package io.sedge.engine.operator.internal;

import io.sedge.engine.state.StateWriter;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Arrays;
import java.util.Map;

/**
 * Puts the entries of an operator under a prefix of its own.
 *
 * <pre>
 * byte 0, 1   id of the node, big-endian
 * byte 2      0: the node's watermarks, no more follows; 1: an entry of its operator
 * byte 3...   the operator's key
 * </pre>
 */
public final class StateKeys implements StateWriter {
  private static final byte WATERMARKS = 0;
  private static final byte ENTRY = 1;
  private static final int PREFIX_BYTES = 3;

  private final int node;
  private final StateWriter writer;

  StateKeys(int node, StateWriter writer) {
    this.node = node;
    this.writer = writer;
  }

  /** What the keys of a node begin with. */
  public static byte[] prefix(int node) {
    return new byte[] {(byte) (node >>> 8), (byte) node};
  }

  static byte[] ofNode(int node) {
    return new byte[] {(byte) (node >>> 8), (byte) node, WATERMARKS};
  }

  static int node(byte[] key) {
    return ((key[0] & 0xff) << 8) | (key[1] & 0xff);
  }

  static boolean isWatermarks(byte[] key) {
    return key[2] == WATERMARKS;
  }

  static Map.Entry<byte[], byte[]> withoutPrefix(Map.Entry<byte[], byte[]> entry) {
    byte[] key = entry.getKey();
    return new SimpleImmutableEntry<>(
        Arrays.copyOfRange(key, PREFIX_BYTES, key.length), entry.getValue());
  }

  @Override
  public void put(byte[] key, byte[] value) {
    writer.put(prefixed(key), value);
  }

  @Override
  public void remove(byte[] key) {
    writer.remove(prefixed(key));
  }

  private byte[] prefixed(byte[] key) {
    byte[] prefixed = new byte[PREFIX_BYTES + key.length];
    prefixed[0] = (byte) (node >>> 8);
    prefixed[1] = (byte) node;
    prefixed[2] = ENTRY;
    System.arraycopy(key, 0, prefixed, PREFIX_BYTES, key.length);
    return prefixed;
  }
}
