package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.List;
import java.util.Optional;

/**
 * Writes rows as points. NULL is left out, and so are NaN and the infinities, which the protocol
 * has not. A row of which no field is left is an empty line, which servers pass over. What the
 * protocol cannot say is written as Telegraf does: a line end as {@code \n}, and no backslash at
 * the end of a name. One thread.
 */
final class LineProtocolEncoder implements RowEncoder {
  private static final BigInteger NANOS_PER_MICRO = BigInteger.valueOf(1_000);

  /** The measurement of rows that name none. */
  private static final String UNNAMED = "null";

  private static final String MEASUREMENT_ESCAPES = ", ";
  private static final String TAG_ESCAPES = ",= ";

  private final Schema schema;
  private final String measurement;
  private final Optional<Integer> measured;
  private final List<Integer> tags;
  private final List<Integer> fields;
  private final Optional<Integer> time;
  private final String precision;
  private final StringBuilder line = new StringBuilder();

  /**
   * @param measurement of all rows
   * @param measured the column that has it instead
   * @param precision ns, us, ms or s
   */
  LineProtocolEncoder(
      Schema schema,
      String measurement,
      Optional<Integer> measured,
      List<Integer> tags,
      List<Integer> fields,
      Optional<Integer> time,
      String precision) {
    this.schema = schema;
    this.measurement = bare(measurement);
    this.measured = measured;
    this.tags = List.copyOf(tags);
    this.fields = List.copyOf(fields);
    this.time = time;
    this.precision = precision;
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output) {
    line.setLength(0);
    String own = measured.map(column -> value(batch, column, row)).orElse(measurement);
    line.append(own.startsWith("#") ? "\\" : ""); // Else it would be a comment.
    name(own.isEmpty() ? UNNAMED : own, MEASUREMENT_ESCAPES);
    for (int column : tags) {
      String text = value(batch, column, row);
      if (!text.isEmpty()) {
        line.append(',');
        name(bare(schema.name(column)), TAG_ESCAPES);
        line.append('=');
        name(text, TAG_ESCAPES);
      }
    }
    char separator = ' ';
    for (int column : fields) {
      Object value = batch.column(column).value(row);
      if (value != null && isWritable(value)) {
        line.append(separator);
        name(bare(schema.name(column)), TAG_ESCAPES);
        line.append('=');
        field(schema.type(column), value);
        separator = ',';
      }
    }
    if (separator == ' ') {
      return;
    }
    time.map(column -> batch.column(column).value(row))
        .ifPresent(micros -> line.append(' ').append(time((Long) micros)));
    output.writeBytes(line.toString().getBytes(UTF_8));
  }

  /** A measurement, or the value of a tag, as text; empty for NULL. */
  private String value(Batch batch, int column, int row) {
    Object value = batch.column(column).value(row);
    return value == null ? "" : bare(text(schema.type(column), value));
  }

  /** A backslash at the end would take the meaning from what follows. */
  private static String bare(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '\\') {
      end--;
    }
    return text.substring(0, end);
  }

  private static boolean isWritable(Object value) {
    return !(value instanceof Number number) || Double.isFinite(number.doubleValue());
  }

  private void field(Type type, Object value) {
    switch (type.kind()) {
      case BOOLEAN -> line.append(value);
      case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
          line.append(value).append('i');
      case FLOAT, DOUBLE -> line.append(value);
      case DECIMAL -> line.append(((BigDecimal) value).toPlainString());
      case CHAR, VARCHAR, DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> quoted(text(type, value));
      case ARRAY, ROW, NULL -> throw new IllegalStateException("refused before: " + type);
    }
  }

  private static String text(Type type, Object value) {
    return switch (type.kind()) {
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME -> TimestampText.TIME.format(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          TimestampText.of("ISO-8601").format((Long) value, type.kind() == Kind.TIMESTAMP_LTZ);
      default -> value.toString();
    };
  }

  /** A name or the value of a tag, where some characters need a backslash. */
  private void name(String text, String special) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line.append("\\n");
      } else if (c == '\r') {
        line.append("\\r");
      } else {
        line.append(special.indexOf(c) < 0 ? "" : "\\").append(c);
      }
    }
  }

  private void quoted(String text) {
    line.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> line.append('\\').append(c);
        case '\n' -> line.append("\\n");
        case '\r' -> line.append("\\r");
        default -> line.append(c);
      }
    }
    line.append('"');
  }

  private String time(long micros) {
    return switch (precision) {
      case "us" -> String.valueOf(micros);
      case "ms" -> String.valueOf(Math.floorDiv(micros, 1_000L));
      case "s" -> String.valueOf(Math.floorDiv(micros, 1_000_000L));
      default -> BigInteger.valueOf(micros).multiply(NANOS_PER_MICRO).toString();
    };
  }
}
