package io.sedge.engine.codec;

import java.io.OutputStream;
import java.util.Arrays;

/** Gathers bytes in memory; not synchronized. Numbers are big-endian. */
final class ByteWriter extends OutputStream {
  private static final int SEVEN_BITS = 0x7F;

  /** Set in all bytes of a number but the last. */
  private static final int MORE = 0x80;

  private byte[] bytes = new byte[1_024];
  private int size;

  private void reserve(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, Math.max(needed, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * bytes.length)));
    }
  }

  @Override
  public void write(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    reserve(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void writeLong(long value) {
    reserve(Long.BYTES);
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Seven bits in each byte, the lowest first; small numbers that are not negative take least. */
  void writeVarint(long value) {
    long left = value;
    while ((left & ~SEVEN_BITS) != 0) {
      write((int) (left & SEVEN_BITS) | MORE);
      left >>>= 7;
    }
    write((int) left);
  }

  /** As {@link #writeVarint}, but numbers near 0 take least, whatever their sign. */
  void writeZigzag(long value) {
    writeVarint((value << 1) ^ (value >> (Long.SIZE - 1)));
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, size);
  }
}
