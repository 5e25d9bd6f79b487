package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows as CSV records; quotes stand where a reader needs them. */
final class CsvEncoder implements RowEncoder {
  private final Schema schema;
  private final List<Integer> columns;
  private final CsvDialect dialect;
  private final StringBuilder line = new StringBuilder();

  CsvEncoder(Schema schema, List<Integer> columns, CsvDialect dialect) {
    this.schema = schema;
    this.columns = List.copyOf(columns);
    this.dialect = dialect;
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output) {
    line.setLength(0);
    for (int column : columns) {
      Object value = batch.column(column).value(row);
      if (value == null) {
        line.append(dialect.nullLiteral().orElse(""));
      } else {
        append(line, text(schema.type(column), value), dialect);
      }
      line.append(dialect.delimiter());
    }
    line.setLength(Math.max(0, line.length() - 1));
    byte[] bytes = line.toString().getBytes(UTF_8);
    output.write(bytes, 0, bytes.length);
  }

  private String text(Type type, @Nullable Object value) {
    if (value == null) {
      return dialect.nullLiteral().orElse("");
    }
    return switch (type.kind()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          INTERVAL_DAY_TIME,
          INTERVAL_YEAR_MONTH,
          CHAR,
          VARCHAR,
          NULL ->
          value.toString();
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME ->
          DateTimeFormatter.ISO_LOCAL_TIME.format(
              LocalTime.ofNanoOfDay((Integer) value * 1_000_000L));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          TimestampText.SQL.format((Long) value, type.kind() == Kind.TIMESTAMP_LTZ);
      case ARRAY, ROW -> joined(type, (List<?>) value);
    };
  }

  private String joined(Type type, List<?> values) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      Type child = type.children().get(type.kind() == Kind.ROW ? i : 0);
      joined.append(i == 0 ? "" : dialect.elementDelimiter()).append(text(child, values.get(i)));
    }
    return joined.toString();
  }

  /** Appends a value that is not NULL, so that it is read as itself. */
  static void append(StringBuilder line, String value, CsvDialect dialect) {
    if (dialect.quote() == CsvDialect.NONE) {
      line.append(dialect.escape() == CsvDialect.NONE ? value : escaped(value, dialect));
      return;
    }
    if (!needsQuotes(value, dialect)) {
      line.append(value);
      return;
    }
    char quote = (char) dialect.quote();
    line.append(quote);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == quote) {
        line.append(quote);
      } else if (c == dialect.escape()) {
        line.append(c);
      }
      line.append(c);
    }
    line.append(quote);
  }

  private static String escaped(String value, CsvDialect dialect) {
    String escape = String.valueOf((char) dialect.escape());
    String delimiter = String.valueOf(dialect.delimiter());
    return value.replace(escape, escape + escape).replace(delimiter, escape + delimiter);
  }

  private static boolean needsQuotes(String value, CsvDialect dialect) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == dialect.delimiter()
          || c == dialect.quote()
          || c == dialect.escape()
          || c < ' '
          || (c == '#' && i == 0)) {
        return true;
      }
    }
    return !value.isEmpty() && (value.charAt(0) == ' ' || value.endsWith(" "));
  }
}
