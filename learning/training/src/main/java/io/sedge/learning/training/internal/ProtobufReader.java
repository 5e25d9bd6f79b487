package io.sedge.learning.training.internal;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads messages of Protocol Buffers that {@link Protobuf} has written. */
final class ProtobufReader {
  private static final int NUMBER = 0;
  private static final int BYTES = 2;

  private ProtobufReader() {}

  /** Is given the fields of a message, one after the other. */
  @FunctionalInterface
  interface Field {
    /**
     * @param field its number
     * @param value if it is a number
     * @param bytes if it is something else
     */
    void read(int field, long value, ByteBuffer bytes);
  }

  /**
   * Reads a message.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  static void each(ByteBuffer message, Field field) {
    ByteBuffer rest = message.duplicate();
    try {
      while (rest.hasRemaining()) {
        long tag = varint(rest);
        int number = (int) (tag >>> 3);
        switch ((int) (tag & 7)) {
          case NUMBER -> field.read(number, varint(rest), ByteBuffer.allocate(0));
          case BYTES -> {
            int length = Math.toIntExact(varint(rest));
            field.read(number, 0, rest.slice(rest.position(), length));
            rest.position(rest.position() + length);
          }
          default -> throw new IllegalArgumentException("a field of another kind");
        }
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new IllegalArgumentException("a message that is cut", e);
    }
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = bytes.get();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number that is too long");
  }

  static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }
}
