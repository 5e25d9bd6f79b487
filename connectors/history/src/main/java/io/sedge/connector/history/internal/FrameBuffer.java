package io.sedge.connector.history.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Frames of a journal in memory, until they are written. A frame is its length (4), the CRC-32C of
 * what follows (4), what it is (1), and its content. One thread.
 */
final class FrameBuffer extends OutputStream {
  static final int HEAD_BYTES = 8;

  private byte[] bytes = new byte[1 << 12];
  private ByteBuffer buffer = ByteBuffer.wrap(bytes);
  private int frame = -1;

  /** Begins a frame. */
  void begin(byte kind) {
    frame = buffer.position();
    reserve(HEAD_BYTES + 1);
    buffer.position(frame + HEAD_BYTES);
    buffer.put(kind);
  }

  /** Ends the frame that was begun. */
  void end() {
    int length = buffer.position() - frame - HEAD_BYTES;
    CRC32C sum = new CRC32C();
    sum.update(bytes, frame + HEAD_BYTES, length);
    buffer.putInt(frame, length);
    buffer.putInt(frame + 4, (int) sum.getValue());
    frame = -1;
  }

  int size() {
    return buffer.position();
  }

  /** What is in it, to be written; its array is this buffer's. */
  ByteBuffer content() {
    return ByteBuffer.wrap(bytes, 0, buffer.position());
  }

  /** Forgets what is in it; what it grew to for once is given back. */
  void clear() {
    if (bytes.length > 1 << 20) {
      bytes = new byte[1 << 16];
      buffer = ByteBuffer.wrap(bytes);
    }
    buffer.clear();
    frame = -1;
  }

  private void reserve(int more) {
    if (buffer.remaining() < more) {
      int position = buffer.position();
      bytes = Arrays.copyOf(bytes, Math.max(position + more, position * 2));
      buffer = ByteBuffer.wrap(bytes);
      buffer.position(position);
    }
  }

  void putByte(int value) {
    reserve(1);
    buffer.put((byte) value);
  }

  void putInt(int value) {
    reserve(Integer.BYTES);
    buffer.putInt(value);
  }

  void putLong(long value) {
    reserve(Long.BYTES);
    buffer.putLong(value);
  }

  void putUtf8(String value) {
    byte[] utf8 = value.getBytes(UTF_8);
    putInt(utf8.length);
    write(utf8, 0, utf8.length);
  }

  void putInts(int[] values, int count) {
    int size = count * Integer.BYTES;
    reserve(size);
    buffer.slice().asIntBuffer().put(values, 0, count);
    buffer.position(buffer.position() + size);
  }

  void putLongs(long[] values, int count) {
    int size = count * Long.BYTES;
    reserve(size);
    buffer.slice().asLongBuffer().put(values, 0, count);
    buffer.position(buffer.position() + size);
  }

  void putFloats(float[] values, int count) {
    int size = count * Float.BYTES;
    reserve(size);
    buffer.slice().asFloatBuffer().put(values, 0, count);
    buffer.position(buffer.position() + size);
  }

  void putDoubles(double[] values, int count) {
    int size = count * Double.BYTES;
    reserve(size);
    buffer.slice().asDoubleBuffer().put(values, 0, count);
    buffer.position(buffer.position() + size);
  }

  @Override
  public void write(int value) {
    putByte(value);
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    reserve(length);
    buffer.put(from, offset, length);
  }
}
