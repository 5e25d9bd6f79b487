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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows as JSON objects, value for value as Flink's {@code json} does. */
final class JsonEncoder implements RowEncoder {
  private static final char[] HEXADECIMAL = "0123456789ABCDEF".toCharArray();

  private final Schema schema;
  private final List<Integer> columns;
  private final TimestampText timestamps;
  private final boolean plainDecimals;
  private final boolean ignoreNulls;
  private final StringBuilder text = new StringBuilder();

  JsonEncoder(
      Schema schema,
      List<Integer> columns,
      TimestampText timestamps,
      boolean plainDecimals,
      boolean ignoreNulls) {
    this.schema = schema;
    this.columns = List.copyOf(columns);
    this.timestamps = timestamps;
    this.plainDecimals = plainDecimals;
    this.ignoreNulls = ignoreNulls;
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output) {
    text.setLength(0);
    text.append('{');
    for (int column : columns) {
      field(schema.name(column), schema.type(column), batch.column(column).value(row));
    }
    close('}');
    byte[] bytes = text.toString().getBytes(UTF_8);
    output.write(bytes, 0, bytes.length);
  }

  private void field(String name, Type type, @Nullable Object value) {
    if (value == null && ignoreNulls) {
      return;
    }
    string(name);
    text.append(':');
    value(type, value);
    text.append(',');
  }

  /** Ends an object or array: the comma after its last member goes. */
  private void close(char bracket) {
    int last = text.length() - 1;
    if (text.charAt(last) == ',') {
      text.setLength(last);
    }
    text.append(bracket);
  }

  private void value(Type type, @Nullable Object value) {
    if (value == null) {
      text.append("null");
      return;
    }
    switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL ->
          text.append(value);
      case FLOAT, DOUBLE -> floating(((Number) value).doubleValue(), value.toString());
      case DECIMAL -> {
        BigDecimal decimal = (BigDecimal) value;
        text.append(plainDecimals ? decimal.toPlainString() : decimal.toString());
      }
      case CHAR, VARCHAR -> string((String) value);
      case DATE -> string(LocalDate.ofEpochDay((Integer) value).toString());
      case TIME ->
          string(TimestampText.TIME.format(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L)));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          string(timestamps.format((Long) value, type.kind() == Kind.TIMESTAMP_LTZ));
      case ARRAY -> {
        text.append('[');
        for (Object element : (List<?>) value) {
          value(type.children().getFirst(), element);
          text.append(',');
        }
        close(']');
      }
      case ROW -> {
        text.append('{');
        List<?> values = (List<?>) value;
        for (int i = 0; i < values.size(); i++) {
          field(type.names().get(i), type.children().get(i), values.get(i));
        }
        close('}');
      }
    }
  }

  /** JSON has no NaN and no infinity; they are written as strings. */
  private void floating(double value, String written) {
    if (Double.isFinite(value)) {
      text.append(written);
    } else {
      string(written);
    }
  }

  private void string(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        case '\b' -> text.append("\\b");
        case '\f' -> text.append("\\f");
        default -> {
          if (c < ' ') {
            text.append("\\u00").append(HEXADECIMAL[c >> 4]).append(HEXADECIMAL[c & 15]);
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
