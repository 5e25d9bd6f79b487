package io.sedge.connector.history.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows as bytes, column by column, as a journal holds them: quick to write, since that is done in
 * the task's thread. Numbers are big-endian.
 *
 * <pre>
 *   per column   1 byte: whether a bitmap of nulls follows; the bitmap, one bit a row
 *   BOOLEAN      a byte a row            STRING     count (4), strings (length (4), UTF-8), then
 *   INT, FLOAT   4 bytes a row                      the index of each row's (4)
 *   LONG, DOUBLE 8 bytes a row           the others, and the slots of nulls: see ValueCodec
 * </pre>
 */
final class BatchCodec {
  private final List<Type> types;

  BatchCodec(Schema schema) {
    this.types = schema.types();
  }

  void encode(Batch batch, FrameBuffer out) throws IOException {
    for (int i = 0; i < types.size(); i++) {
      encode(types.get(i), batch.column(i), batch.rows(), out);
    }
  }

  private static void encode(Type type, Column column, int rows, FrameBuffer out)
      throws IOException {
    boolean[] nulls = column.nulls();
    out.putByte(nulls == null ? 0 : 1);
    if (nulls != null) {
      encodeNulls(nulls, rows, out);
    }
    switch (column) {
      case BooleanColumn booleans -> {
        for (int row = 0; row < rows; row++) {
          out.putByte(booleans.values()[row] ? 1 : 0);
        }
      }
      case IntColumn ints -> out.putInts(ints.values(), rows);
      case LongColumn longs -> out.putLongs(longs.values(), rows);
      case FloatColumn floats -> out.putFloats(floats.values(), rows);
      case DoubleColumn doubles -> out.putDoubles(doubles.values(), rows);
      case StringColumn strings -> encodeStrings(strings, rows, out);
      default -> {
        DataOutputStream values = new DataOutputStream(out);
        for (int row = 0; row < rows; row++) {
          ValueCodec.write(type, column.value(row), values);
        }
      }
    }
  }

  private static void encodeNulls(boolean[] nulls, int rows, FrameBuffer out) {
    for (int row = 0; row < rows; row += 8) {
      int bits = 0;
      for (int i = row; i < Math.min(rows, row + 8); i++) {
        bits |= nulls[i] ? 1 << (i - row) : 0;
      }
      out.putByte(bits);
    }
  }

  /** Each of the batch's strings once, and for each row which it is. */
  private static void encodeStrings(StringColumn column, int rows, FrameBuffer out) {
    int[] codes = column.codes();
    Dictionary dictionary = column.dictionary();
    int[] own = new int[rows];
    List<String> used = new ArrayList<>();
    if (dictionary.size() <= 4 * Batch.TARGET_ROWS) {
      int[] known = new int[dictionary.size()];
      for (int row = 0; row < rows; row++) {
        if (!column.isNull(row)) {
          int code = codes[row];
          if (known[code] == 0) {
            used.add(dictionary.get(code));
            known[code] = used.size();
          }
          own[row] = known[code] - 1;
        }
      }
    } else {
      Map<Integer, Integer> known = new HashMap<>();
      for (int row = 0; row < rows; row++) {
        if (!column.isNull(row)) {
          Integer index = known.get(codes[row]);
          if (index == null) {
            index = used.size();
            known.put(codes[row], index);
            used.add(dictionary.get(codes[row]));
          }
          own[row] = index;
        }
      }
    }
    out.putInt(used.size());
    for (String string : used) {
      out.putUtf8(string);
    }
    out.putInts(own, rows);
  }

  /**
   * Adds rows that {@link #encode} wrote.
   *
   * @param bytes its position and limit enclose them
   * @throws IOException if the bytes are others
   */
  void decode(ByteBuffer bytes, int rows, List<ColumnBuilder> into) throws IOException {
    try {
      for (int i = 0; i < types.size(); i++) {
        decode(types.get(i), rows, bytes, into.get(i));
      }
    } catch (BufferUnderflowException e) {
      throw new IOException("%d rows do not end".formatted(rows), e);
    }
    if (bytes.hasRemaining()) {
      throw new IOException("%d bytes too many after %d rows".formatted(bytes.remaining(), rows));
    }
  }

  private static void decode(Type type, int rows, ByteBuffer in, ColumnBuilder into)
      throws IOException {
    byte[] nulls = {};
    if (in.get() != 0) {
      nulls = new byte[(rows + 7) / 8];
      in.get(nulls);
    }
    switch (type.storage()) {
      case STRING -> decodeStrings(rows, nulls, in, into);
      case DECIMAL, ARRAY, ROW -> decodeObjects(type, rows, in, into);
      case BOOLEAN, INT, LONG, FLOAT, DOUBLE -> {
        for (int row = 0; row < rows; row++) {
          decodeNumber(type, in, into);
          if (isNull(nulls, row)) {
            into.removeLast();
            into.addNull();
          }
        }
      }
    }
  }

  private static void decodeNumber(Type type, ByteBuffer in, ColumnBuilder into) {
    switch (type.storage()) {
      case BOOLEAN -> into.addBoolean(in.get() != 0);
      case INT -> into.addInt(in.getInt());
      case LONG -> into.addLong(in.getLong());
      case FLOAT -> into.addFloat(in.getFloat());
      case DOUBLE -> into.addDouble(in.getDouble());
      case STRING, DECIMAL, ARRAY, ROW -> throw new IllegalArgumentException(type.toString());
    }
  }

  private static void decodeObjects(Type type, int rows, ByteBuffer in, ColumnBuilder into)
      throws IOException {
    ByteArrayInputStream raw =
        new ByteArrayInputStream(in.array(), in.arrayOffset() + in.position(), in.remaining());
    DataInputStream values = new DataInputStream(raw);
    for (int row = 0; row < rows; row++) {
      into.add(ValueCodec.read(type, values));
    }
    in.position(in.limit() - raw.available());
  }

  private static void decodeStrings(int rows, byte[] nulls, ByteBuffer in, ColumnBuilder into)
      throws IOException {
    int count = in.getInt();
    if (count < 0 || count > rows) {
      throw new IOException("%d strings in %d rows".formatted(count, rows));
    }
    String[] strings = new String[count];
    for (int i = 0; i < count; i++) {
      int length = in.getInt();
      if (length < 0 || length > in.remaining()) {
        throw new IOException("a string of %d bytes".formatted(length));
      }
      strings[i] = new String(in.array(), in.arrayOffset() + in.position(), length, UTF_8);
      in.position(in.position() + length);
    }
    for (int row = 0; row < rows; row++) {
      int index = in.getInt();
      if (isNull(nulls, row)) {
        into.addNull();
      } else if (index >= 0 && index < count) {
        into.addString(strings[index]);
      } else {
        throw new IOException("string %d of %d".formatted(index, count));
      }
    }
  }

  private static boolean isNull(byte[] nulls, int row) {
    return nulls.length > 0 && (nulls[row >> 3] >> (row & 7) & 1) != 0;
  }
}
