package io.sedge.connector.format.internal;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One binary value, as wide as its type. An empty payload is NULL. */
record RawBinary(Type type, int column, ByteOrder order) {

  static boolean takes(Kind kind) {
    return width(kind) > 0;
  }

  private static int width(Kind kind) {
    return switch (kind) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INT, FLOAT -> 4;
      case BIGINT, DOUBLE -> 8;
      default -> 0;
    };
  }

  void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    if (length == 0) {
      builder.column(column).addNull();
      return;
    }
    if (length != width(type.kind())) {
      throw new MalformedPayloadException(
          "%d bytes, but a binary %s has %d; if it is text, set 'raw.encoding' = 'text'"
              .formatted(length, type.withNullable(true), width(type.kind())));
    }
    ByteBuffer buffer = ByteBuffer.wrap(payload, offset, length).order(order);
    builder
        .column(column)
        .add(
            switch (type.kind()) {
              case BOOLEAN -> buffer.get() != 0;
              case TINYINT -> (int) buffer.get();
              case SMALLINT -> (int) buffer.getShort();
              case INT -> buffer.getInt();
              case FLOAT -> buffer.getFloat();
              case BIGINT -> buffer.getLong();
              default -> buffer.getDouble();
            });
  }

  void encode(Batch batch, int row, ByteArrayOutputStream output) {
    Object value = batch.column(column).value(row);
    if (value == null) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.allocate(width(type.kind())).order(order);
    switch (type.kind()) {
      case BOOLEAN -> buffer.put((byte) ((Boolean) value ? 1 : 0));
      case TINYINT -> buffer.put(((Number) value).byteValue());
      case SMALLINT -> buffer.putShort(((Number) value).shortValue());
      case INT -> buffer.putInt((Integer) value);
      case FLOAT -> buffer.putFloat((Float) value);
      case BIGINT -> buffer.putLong((Long) value);
      default -> buffer.putDouble((Double) value);
    }
    output.writeBytes(buffer.array());
  }
}
