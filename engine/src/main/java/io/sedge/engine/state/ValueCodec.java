package io.sedge.engine.state;

import io.sedge.engine.type.Kind.Storage;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a value in its object form (see {@link io.sedge.engine.column.Column#value}), as state
 * holds them. Equal values have equal bytes, so the bytes may be part of an entry's key.
 *
 * <pre>
 *   null      0
 *   BOOLEAN   1, 1 byte          STRING   1, length (4), UTF-8
 *   INT       1, 4 bytes         DECIMAL  1, scale (4), length (4), unscaled value
 *   LONG      1, 8 bytes         ARRAY    1, count (4), elements
 *   FLOAT     1, bits (4)        ROW      1, fields
 *   DOUBLE    1, bits (8)
 * </pre>
 *
 * Numbers are big-endian. Stateless. Bytes that somebody else wrote are refused by an {@link
 * IllegalArgumentException} or by their end, and cost no more memory than they are long.
 */
public final class ValueCodec {
  /** What is believed of a length before as many bytes have come. */
  private static final int BELIEVED = 1_024;

  private ValueCodec() {}

  /** Writes a value of {@code type}, which may be null. */
  public static void write(Type type, @Nullable Object value, DataOutput output)
      throws IOException {
    output.writeByte(value == null ? 0 : 1);
    if (value != null) {
      writePresent(type, value, output);
    }
  }

  private static void writePresent(Type type, Object value, DataOutput output) throws IOException {
    switch (type.storage()) {
      case BOOLEAN -> output.writeBoolean((Boolean) value);
      case INT -> output.writeInt(((Number) value).intValue());
      case LONG -> output.writeLong(((Number) value).longValue());
      case FLOAT -> output.writeInt(Float.floatToIntBits((Float) value));
      case DOUBLE -> output.writeLong(Double.doubleToLongBits((Double) value));
      case DECIMAL -> writeDecimal((BigDecimal) value, output);
      case STRING -> writeBytes(((String) value).getBytes(StandardCharsets.UTF_8), output);
      case ARRAY -> {
        List<?> list = (List<?>) value;
        output.writeInt(list.size());
        for (Object element : list) {
          write(type.children().getFirst(), element, output);
        }
      }
      case ROW -> {
        List<?> fields = (List<?>) value;
        for (int i = 0; i < type.children().size(); i++) {
          write(type.children().get(i), fields.get(i), output);
        }
      }
    }
  }

  /** Reads what {@link #write} wrote for the same type. */
  public static @Nullable Object read(Type type, DataInput input) throws IOException {
    if (input.readByte() == 0) {
      return null;
    }
    return switch (type.storage()) {
      case BOOLEAN -> input.readBoolean();
      case INT -> input.readInt();
      case LONG -> input.readLong();
      case FLOAT -> Float.intBitsToFloat(input.readInt());
      case DOUBLE -> Double.longBitsToDouble(input.readLong());
      case DECIMAL -> readDecimal(input);
      case STRING -> new String(readBytes(input), StandardCharsets.UTF_8);
      case ARRAY -> readList(type, input.readInt(), input);
      case ROW -> readList(type, type.children().size(), input);
    };
  }

  private static List<@Nullable Object> readList(Type type, int size, DataInput input)
      throws IOException {
    List<@Nullable Object> list = new ArrayList<>(Math.min(checked(size), BELIEVED));
    for (int i = 0; i < size; i++) {
      Type child = type.children().get(type.storage() == Storage.ARRAY ? 0 : i);
      list.add(read(child, input));
    }
    return list;
  }

  /** Writes what stands for a decimal after the 1. */
  public static void writeDecimal(BigDecimal value, DataOutput output) throws IOException {
    output.writeInt(value.scale());
    writeBytes(value.unscaledValue().toByteArray(), output);
  }

  /** Reads what {@link #writeDecimal} wrote. */
  public static BigDecimal readDecimal(DataInput input) throws IOException {
    int scale = input.readInt();
    return new BigDecimal(new BigInteger(readBytes(input)), scale);
  }

  private static void writeBytes(byte[] bytes, DataOutput output) throws IOException {
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  private static byte[] readBytes(DataInput input) throws IOException {
    int length = checked(input.readInt());
    byte[] bytes = new byte[Math.min(length, BELIEVED)];
    input.readFully(bytes);
    while (bytes.length < length) {
      int read = bytes.length;
      bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * read));
      input.readFully(bytes, read, bytes.length - read);
    }
    return bytes;
  }

  private static int checked(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("a length of " + length);
    }
    return length;
  }
}
