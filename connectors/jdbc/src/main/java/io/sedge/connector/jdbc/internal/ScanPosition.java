package io.sedge.connector.jdbc.internal;

import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a table was read.
 *
 * <pre>
 * long  rows that were read
 * int   values of the last row's order columns: 0, or as many as there are
 *       for each: int length, its text in UTF-8
 * </pre>
 *
 * @param rows that were read, malformed ones too
 * @param last the values that the last row was ordered by, as text; empty before the first row, and
 *     where rows have no key
 */
record ScanPosition(long rows, List<String> last) {
  static final ScanPosition START = new ScanPosition(0, List.of());

  ScanPosition {
    last = List.copyOf(last);
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeLong(rows);
      output.writeInt(last.size());
      for (String value : last) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        output.writeInt(text.length);
        output.write(text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IllegalArgumentException if it is no position of this connector
   */
  static ScanPosition parse(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long rows = input.readLong();
      int values = input.readInt();
      List<String> last = new ArrayList<>();
      for (int i = 0; i < values; i++) {
        byte[] text = input.readNBytes(input.readInt());
        last.add(new String(text, StandardCharsets.UTF_8));
      }
      return new ScanPosition(rows, last);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException("no position of a table of a database", e);
    }
  }

  /** A value, as columns give it, of its text. */
  static Object value(String text, Type type) {
    return switch (type.storage()) {
      case BOOLEAN -> Boolean.valueOf(text);
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case DECIMAL -> new BigDecimal(text);
      case STRING -> text;
      case ARRAY, ROW -> throw new IllegalArgumentException("no column has the type " + type);
    };
  }
}
