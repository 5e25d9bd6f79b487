package io.sedge.connector.history.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.tsfile.enums.ColumnCategory;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.file.metadata.IDeviceID;
import org.apache.tsfile.file.metadata.StringArrayDeviceID;
import org.apache.tsfile.file.metadata.TableSchema;
import org.apache.tsfile.file.metadata.enums.CompressionType;
import org.apache.tsfile.file.metadata.enums.TSEncoding;
import org.apache.tsfile.write.schema.IMeasurementSchema;
import org.apache.tsfile.write.schema.MeasurementSchema;

/**
 * How rows lie in a TsFile: one table, named as ours in lower case, without TAG columns, so all
 * rows are one series in the order of time.
 *
 * <pre>
 *   TsFile's time  the row's time in nanoseconds, later by as many as make it unique in the file
 *   of SQL type                                TsFile type, encoding
 *   BOOLEAN                                    BOOLEAN, PLAIN
 *   TINYINT, SMALLINT, INT                     INT32, TS_2DIFF
 *   DATE (days), TIME (ms of the day)          INT32, TS_2DIFF
 *   BIGINT, TIMESTAMP and TIMESTAMP_LTZ (µs)   INT64, TS_2DIFF
 *   FLOAT, DOUBLE                              the same, GORILLA
 *   DECIMAL of up to 18 digits                 INT64, TS_2DIFF: the number without its point
 *   DECIMAL of more                            STRING, PLAIN
 *   CHAR, VARCHAR, STRING                      STRING, DICTIONARY if few differ, else PLAIN
 *   ARRAY, ROW                                 BLOB, PLAIN: see ValueCodec
 * </pre>
 *
 * <p>The first column's properties have our own columns' names and types in {@value #SHAPE}. TsFile
 * knows no upper case in names: where two of ours differ in that alone, the later gets {@code _2}
 * after it.
 */
final class Layout {
  /** The property that says what the rows are: {@link Shape} in Base64. */
  static final String SHAPE = "sedge.shape";

  private static final int LONG_DIGITS = 18;

  /** A page of strings has 10,000 rows. */
  private static final int PAGE_STRINGS = 2_000;

  private Layout() {}

  static TSDataType type(Type type) {
    return switch (type.storage()) {
      case BOOLEAN -> TSDataType.BOOLEAN;
      case INT -> TSDataType.INT32;
      case LONG -> TSDataType.INT64;
      case FLOAT -> TSDataType.FLOAT;
      case DOUBLE -> TSDataType.DOUBLE;
      case DECIMAL -> isLong(type) ? TSDataType.INT64 : TSDataType.STRING;
      case STRING -> TSDataType.STRING;
      case ARRAY, ROW -> TSDataType.BLOB;
    };
  }

  /** Whether a DECIMAL's digits fit into a long. */
  static boolean isLong(Type decimal) {
    return decimal.precision() <= LONG_DIGITS;
  }

  private static TSEncoding encoding(TSDataType type, Column column) {
    return switch (type) {
      case INT32, INT64 -> TSEncoding.TS_2DIFF;
      case FLOAT, DOUBLE -> TSEncoding.GORILLA;
      case STRING -> repeats(column) ? TSEncoding.DICTIONARY : TSEncoding.PLAIN;
      default -> TSEncoding.PLAIN;
    };
  }

  /** Whether there are so few strings that a dictionary for each page of rows is smaller. */
  private static boolean repeats(Column column) {
    return column instanceof StringColumn strings
        && strings.dictionary().size() <= Math.min(column.size() / 8, PAGE_STRINGS);
  }

  /** The names of the columns in the file. */
  static List<String> names(Schema schema) {
    Set<String> taken = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (String name : schema.names()) {
      String lower = name.toLowerCase(Locale.ROOT);
      String unique = lower;
      for (int i = 2; !taken.add(unique); i++) {
        unique = lower + "_" + i;
      }
      names.add(unique);
    }
    return names;
  }

  static TableSchema tableSchema(String table, Rows rows) throws IOException {
    Shape shape = rows.shape();
    List<String> names = names(shape.schema());
    List<IMeasurementSchema> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      TSDataType type = type(shape.schema().type(i));
      Map<String, String> properties = i == 0 ? Map.of(SHAPE, encoded(shape)) : Map.of();
      columns.add(
          new MeasurementSchema(
              names.get(i),
              type,
              encoding(type, rows.columns().get(i)),
              CompressionType.LZ4,
              new HashMap<>(properties)));
    }
    return new TableSchema(
        table, columns, Collections.nCopies(columns.size(), ColumnCategory.FIELD));
  }

  static IDeviceID device(String table) {
    return new StringArrayDeviceID(new String[] {table.toLowerCase(Locale.ROOT)});
  }

  private static String encoded(Shape shape) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    shape.write(new DataOutputStream(bytes));
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** What the rows of a file are. */
  static Shape shape(TableSchema table) throws IOException {
    Map<String, String> properties = table.getColumnSchemas().getFirst().getProps();
    String text = properties == null ? null : properties.get(SHAPE);
    if (text == null) {
      throw new IOException("it was not written by sedge");
    }
    try {
      return Shape.read(
          new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text))));
    } catch (IllegalArgumentException e) {
      throw new IOException("its columns cannot be read", e);
    }
  }
}
