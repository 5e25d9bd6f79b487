package io.sedge.engine.codec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Reads what a {@link ByteWriter} wrote. Reserves no memory that the bytes do not account for. */
final class ByteReader extends InputStream {
  private static final int SEVEN_BITS = 0x7F;

  private final byte[] bytes;
  private int position;

  ByteReader(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public int available() {
    return bytes.length - position;
  }

  @Override
  public int read() {
    return position < bytes.length ? bytes[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, available());
    System.arraycopy(bytes, position, to, offset, count);
    position += count;
    return count == 0 ? -1 : count;
  }

  /** A column takes a bit of each row at least. */
  void checkRows(int rows) throws IOException {
    if (rows > (long) available() * Byte.SIZE) {
      throw new EOFException("%d rows in %d bytes".formatted(rows, available()));
    }
  }

  private void check(long count) throws IOException {
    if (count < 0 || count > available()) {
      throw new EOFException("%d bytes where %d are left".formatted(count, available()));
    }
  }

  int readByte() throws IOException {
    check(1);
    return bytes[position++] & 0xFF;
  }

  boolean readFlag() throws IOException {
    int flag = readByte();
    if (flag > 1) {
      throw new IllegalArgumentException("a truth value of " + flag);
    }
    return flag == 1;
  }

  byte[] readBytes(long count) throws IOException {
    check(count);
    byte[] read = new byte[(int) count];
    System.arraycopy(bytes, position, read, 0, read.length);
    position += read.length;
    return read;
  }

  long readLong() throws IOException {
    check(Long.BYTES);
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = (value << Byte.SIZE) | (bytes[position++] & 0xFF);
    }
    return value;
  }

  long readVarint() throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = readByte();
      value |= (long) (next & SEVEN_BITS) << shift;
      if (next <= SEVEN_BITS) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than ten bytes");
  }

  long readZigzag() throws IOException {
    long value = readVarint();
    return (value >>> 1) ^ -(value & 1);
  }
}
