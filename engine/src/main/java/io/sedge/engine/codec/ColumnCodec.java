package io.sedge.engine.codec;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A column as bytes: 0 if no row is null, else 1 and a bit for each row (the lowest first); then
 * the values of the rows that are not null.
 *
 * <pre>
 *   INT, LONG  the difference to the one before, which is 0 for the first; zigzag, varint
 *   DOUBLE     8 bytes
 *   STRING     its number among the strings of the column, varint; one that is the next free number
 *              is a new string and is followed by its length, varint, and UTF-8
 *   others     {@link ValueCodec}
 * </pre>
 *
 * <p>So rows of windows, which repeat few names and one or two times, take little more than their
 * measures. Stateless.
 */
final class ColumnCodec {
  private ColumnCodec() {}

  /** Writes the rows of some columns of one type as one column. */
  static void write(Type type, List<Column> pieces, ByteWriter output) {
    writeNulls(pieces, output);
    try {
      switch (type.storage()) {
        case INT -> writeInts(pieces, output);
        case LONG -> writeLongs(pieces, output);
        case DOUBLE -> writeDoubles(pieces, output);
        case STRING -> writeStrings(pieces, output);
        case BOOLEAN, FLOAT, DECIMAL, ARRAY, ROW ->
            writeValues(type, pieces, new DataOutputStream(output));
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
  }

  private static void writeNulls(List<Column> pieces, ByteWriter output) {
    boolean any = false;
    for (Column piece : pieces) {
      for (int row = 0; piece.nulls() != null && row < piece.size(); row++) {
        any |= piece.isNull(row);
      }
    }
    output.write(any ? 1 : 0);
    if (!any) {
      return;
    }
    int bits = 0;
    int count = 0;
    for (Column piece : pieces) {
      for (int row = 0; row < piece.size(); row++) {
        bits |= (piece.isNull(row) ? 1 : 0) << (count % Byte.SIZE);
        count++;
        if (count % Byte.SIZE == 0) {
          output.write(bits);
          bits = 0;
        }
      }
    }
    if (count % Byte.SIZE != 0) {
      output.write(bits);
    }
  }

  private static void writeInts(List<Column> pieces, ByteWriter output) {
    long before = 0;
    for (Column piece : pieces) {
      int[] values = ((IntColumn) piece).values();
      for (int row = 0; row < piece.size(); row++) {
        if (!piece.isNull(row)) {
          output.writeZigzag(values[row] - before);
          before = values[row];
        }
      }
    }
  }

  private static void writeLongs(List<Column> pieces, ByteWriter output) {
    long before = 0;
    for (Column piece : pieces) {
      long[] values = ((LongColumn) piece).values();
      for (int row = 0; row < piece.size(); row++) {
        if (!piece.isNull(row)) {
          output.writeZigzag(values[row] - before);
          before = values[row];
        }
      }
    }
  }

  private static void writeDoubles(List<Column> pieces, ByteWriter output) {
    for (Column piece : pieces) {
      double[] values = ((DoubleColumn) piece).values();
      for (int row = 0; row < piece.size(); row++) {
        if (!piece.isNull(row)) {
          output.writeLong(Double.doubleToLongBits(values[row]));
        }
      }
    }
  }

  private static void writeStrings(List<Column> pieces, ByteWriter output) {
    Map<String, Integer> numbers = new HashMap<>();
    for (Column piece : pieces) {
      StringColumn strings = (StringColumn) piece;
      for (int row = 0; row < piece.size(); row++) {
        if (!piece.isNull(row)) {
          String string = strings.string(row);
          Integer known = numbers.get(string);
          if (known != null) {
            output.writeVarint(known);
          } else {
            byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
            output.writeVarint(numbers.size());
            output.writeVarint(utf8.length);
            output.write(utf8, 0, utf8.length);
            numbers.put(string, numbers.size());
          }
        }
      }
    }
  }

  private static void writeValues(Type type, List<Column> pieces, DataOutput output)
      throws IOException {
    for (Column piece : pieces) {
      for (int row = 0; row < piece.size(); row++) {
        if (!piece.isNull(row)) {
          ValueCodec.write(type, piece.value(row), output);
        }
      }
    }
  }

  /**
   * Reads what {@link #write} wrote for the same type.
   *
   * @throws IOException if the bytes end too early
   * @throws IllegalArgumentException if they are others
   */
  static Column read(Type type, int rows, ByteReader input) throws IOException {
    input.checkRows(rows);
    boolean[] nulls = readNulls(rows, input);
    return switch (type.storage()) {
      case INT -> readInts(rows, nulls, input);
      case LONG -> readLongs(rows, nulls, input);
      case DOUBLE -> readDoubles(rows, nulls, input);
      case STRING -> readStrings(rows, nulls, input);
      case BOOLEAN, FLOAT, DECIMAL, ARRAY, ROW ->
          readValues(type, rows, nulls, new DataInputStream(input));
    };
  }

  private static boolean @Nullable [] readNulls(int rows, ByteReader input) throws IOException {
    if (!input.readFlag()) {
      return null;
    }
    byte[] bits = input.readBytes(Math.ceilDiv(rows, Byte.SIZE));
    boolean[] nulls = new boolean[rows];
    for (int row = 0; row < rows; row++) {
      nulls[row] = ((bits[row / Byte.SIZE] >> (row % Byte.SIZE)) & 1) == 1;
    }
    return nulls;
  }

  private static Column readInts(int rows, boolean @Nullable [] nulls, ByteReader input)
      throws IOException {
    int[] values = new int[rows];
    long before = 0;
    for (int row = 0; row < rows; row++) {
      if (nulls == null || !nulls[row]) {
        before += input.readZigzag();
        values[row] = (int) before;
        if (values[row] != before) {
          throw new IllegalArgumentException("a number of %d in a column of INT".formatted(before));
        }
      }
    }
    return new IntColumn(values, nulls, rows);
  }

  private static Column readLongs(int rows, boolean @Nullable [] nulls, ByteReader input)
      throws IOException {
    long[] values = new long[rows];
    long before = 0;
    for (int row = 0; row < rows; row++) {
      if (nulls == null || !nulls[row]) {
        before += input.readZigzag();
        values[row] = before;
      }
    }
    return new LongColumn(values, nulls, rows);
  }

  private static Column readDoubles(int rows, boolean @Nullable [] nulls, ByteReader input)
      throws IOException {
    double[] values = new double[rows];
    for (int row = 0; row < rows; row++) {
      if (nulls == null || !nulls[row]) {
        values[row] = Double.longBitsToDouble(input.readLong());
      }
    }
    return new DoubleColumn(values, nulls, rows);
  }

  private static Column readStrings(int rows, boolean @Nullable [] nulls, ByteReader input)
      throws IOException {
    int[] codes = new int[rows];
    Dictionary dictionary = new Dictionary();
    for (int row = 0; row < rows; row++) {
      if (nulls == null || !nulls[row]) {
        long code = input.readVarint();
        if (code < 0 || code > dictionary.size()) {
          throw new IllegalArgumentException(
              "string %d where there are %d".formatted(code, dictionary.size()));
        }
        if (code == dictionary.size()) {
          dictionary.append(
              new String(input.readBytes(input.readVarint()), StandardCharsets.UTF_8));
        }
        codes[row] = (int) code;
      }
    }
    return new StringColumn(codes, dictionary, nulls, rows);
  }

  private static Column readValues(Type type, int rows, boolean @Nullable [] nulls, DataInput input)
      throws IOException {
    ColumnBuilder builder = ColumnBuilder.of(type);
    for (int row = 0; row < rows; row++) {
      builder.add(nulls != null && nulls[row] ? null : ValueCodec.read(type, input));
    }
    return builder.build();
  }
}
