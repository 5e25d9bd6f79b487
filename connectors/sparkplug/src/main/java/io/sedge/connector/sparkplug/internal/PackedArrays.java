package io.sedge.connector.sparkplug.internal;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;

/** Arrays as Sparkplug packs them into bytes, little endian (6.4.17). */
final class PackedArrays {
  private static final int COUNT_BYTES = 4;

  private PackedArrays() {}

  /**
   * The elements, in the forms of {@link Values}.
   *
   * @throws MalformedMetricException if the bytes are no such array
   */
  static List<Object> of(ByteString packed, DataType type) throws MalformedMetricException {
    ByteBuffer bytes = ByteBuffer.wrap(packed.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
    return switch (type) {
      case Int8Array -> elements(bytes, 1, type, from -> (long) from.get());
      case Int16Array -> elements(bytes, 2, type, from -> (long) from.getShort());
      case Int32Array -> elements(bytes, 4, type, from -> (long) from.getInt());
      case Int64Array -> elements(bytes, 8, type, ByteBuffer::getLong);
      case UInt8Array -> elements(bytes, 1, type, from -> from.get() & 0xFFL);
      case UInt16Array -> elements(bytes, 2, type, from -> from.getShort() & 0xFFFFL);
      case UInt32Array -> elements(bytes, 4, type, from -> from.getInt() & 0xFFFF_FFFFL);
      case UInt64Array -> elements(bytes, 8, type, from -> Values.unsigned(from.getLong()));
      case FloatArray -> elements(bytes, 4, type, ByteBuffer::getFloat);
      case DoubleArray -> elements(bytes, 8, type, ByteBuffer::getDouble);
      case DateTimeArray -> elements(bytes, 8, type, from -> Instant.ofEpochMilli(from.getLong()));
      case BooleanArray -> booleans(bytes);
      case StringArray -> strings(packed.toByteArray());
      default -> throw new IllegalArgumentException(type.name() + " is no array");
    };
  }

  private static List<Object> elements(
      ByteBuffer bytes, int width, DataType type, Function<ByteBuffer, Object> read)
      throws MalformedMetricException {
    if (bytes.remaining() % width != 0) {
      throw new MalformedMetricException(
          "%d bytes are no %s, whose elements have %d"
              .formatted(bytes.remaining(), type.name(), width));
    }
    List<Object> elements = new ArrayList<>(bytes.remaining() / width);
    while (bytes.hasRemaining()) {
      elements.add(read.apply(bytes));
    }
    return elements;
  }

  /** The number of elements, then a bit for each, the first one the highest of its byte. */
  private static List<Object> booleans(ByteBuffer bytes) throws MalformedMetricException {
    int available = bytes.remaining() - COUNT_BYTES;
    int count = available < 0 ? -1 : bytes.getInt();
    if (count < 0 || count > 8L * available) {
      throw new MalformedMetricException("the bytes are no BooleanArray");
    }
    List<Object> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add((bytes.get(COUNT_BYTES + i / 8) >> (7 - i % 8) & 1) == 1);
    }
    return elements;
  }

  /** Each with a zero behind it. */
  private static List<Object> strings(byte[] all) throws MalformedMetricException {
    List<Object> elements = new ArrayList<>();
    int from = 0;
    for (int at = 0; at < all.length; at++) {
      if (all[at] == 0) {
        elements.add(new String(all, from, at - from, StandardCharsets.UTF_8));
        from = at + 1;
      }
    }
    if (from < all.length) {
      throw new MalformedMetricException("the bytes are no StringArray: the last has no end");
    }
    return elements;
  }
}
