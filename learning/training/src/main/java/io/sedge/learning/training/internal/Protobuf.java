package io.sedge.learning.training.internal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a message of Protocol Buffers: each field as its tag (number and kind of value), then a
 * number of as many bytes as it needs, or a length and bytes.
 */
final class Protobuf {
  private static final int NUMBER = 0;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  Protobuf number(int field, long value) {
    tag(field, NUMBER);
    varint(value);
    return this;
  }

  Protobuf text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Protobuf bytes(int field, byte[] value) {
    tag(field, BYTES);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  Protobuf message(int field, Protobuf value) {
    return bytes(field, value.toBytes());
  }

  private void tag(int field, int kind) {
    varint(((long) field << 3) | kind);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  byte[] toBytes() {
    return bytes.toByteArray();
  }
}
