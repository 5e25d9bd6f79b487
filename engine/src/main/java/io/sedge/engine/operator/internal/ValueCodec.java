package io.sedge.engine.operator.internal;

import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values as bytes, by their type: numbers big-endian, floating point as IEEE bits, strings and
 * unscaled decimals with a length before them, arrays and rows as their elements, each after a byte
 * that says whether it is null (0) or not (1).
 */
final class ValueCodec {
  private ValueCodec() {}

  static void write(Type type, Object value, DataOutput output) throws IOException {
    switch (type.storage()) {
      case BOOLEAN -> output.writeBoolean((Boolean) value);
      case INT -> output.writeInt((Integer) value);
      case LONG -> output.writeLong((Long) value);
      case FLOAT -> output.writeInt(Float.floatToIntBits((Float) value));
      case DOUBLE -> output.writeLong(Double.doubleToLongBits((Double) value));
      case STRING -> writeBytes(((String) value).getBytes(StandardCharsets.UTF_8), output);
      case DECIMAL -> {
        BigDecimal decimal = (BigDecimal) value;
        output.writeInt(decimal.scale());
        writeBytes(decimal.unscaledValue().toByteArray(), output);
      }
      case ARRAY -> {
        List<?> elements = (List<?>) value;
        output.writeInt(elements.size());
        for (Object element : elements) {
          writeNullable(type.children().getFirst(), element, output);
        }
      }
      case ROW -> {
        List<?> fields = (List<?>) value;
        for (int i = 0; i < fields.size(); i++) {
          writeNullable(type.children().get(i), fields.get(i), output);
        }
      }
    }
  }

  static Object read(Type type, DataInput input) throws IOException {
    return switch (type.storage()) {
      case BOOLEAN -> input.readBoolean();
      case INT -> input.readInt();
      case LONG -> input.readLong();
      case FLOAT -> Float.intBitsToFloat(input.readInt());
      case DOUBLE -> Double.longBitsToDouble(input.readLong());
      case STRING -> new String(readBytes(input), StandardCharsets.UTF_8);
      case DECIMAL -> {
        int scale = input.readInt();
        yield new BigDecimal(new BigInteger(readBytes(input)), scale);
      }
      case ARRAY -> {
        int size = input.readInt();
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          elements.add(readNullable(type.children().getFirst(), input));
        }
        yield elements;
      }
      case ROW -> {
        List<@Nullable Object> fields = new ArrayList<>();
        for (Type child : type.children()) {
          fields.add(readNullable(child, input));
        }
        yield fields;
      }
    };
  }

  static void writeNullable(Type type, @Nullable Object value, DataOutput output)
      throws IOException {
    output.writeByte(value == null ? 0 : 1);
    if (value != null) {
      write(type, value, output);
    }
  }

  static @Nullable Object readNullable(Type type, DataInput input) throws IOException {
    return input.readByte() == 0 ? null : read(type, input);
  }

  private static void writeBytes(byte[] bytes, DataOutput output) throws IOException {
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  private static byte[] readBytes(DataInput input) throws IOException {
    byte[] bytes = new byte[input.readInt()];
    input.readFully(bytes);
    return bytes;
  }

  /** The order of two decimals, or of two strings: by code point, as by their UTF-8 bytes. */
  static int compare(Object left, Object right) {
    if (left instanceof BigDecimal decimal) {
      return decimal.compareTo((BigDecimal) right);
    }
    if (left instanceof String string) {
      return compare(string, (String) right);
    }
    throw new IllegalArgumentException("an ARRAY or ROW has no order");
  }

  private static int compare(String left, String right) {
    int length = Math.min(left.length(), right.length());
    for (int i = 0; i < length; i++) {
      char a = left.charAt(i);
      char b = right.charAt(i);
      if (a != b) {
        boolean differ = Character.isSurrogate(a) != Character.isSurrogate(b);
        return differ ? (Character.isSurrogate(a) ? 1 : -1) : Character.compare(a, b);
      }
    }
    return Integer.compare(left.length(), right.length());
  }
}
