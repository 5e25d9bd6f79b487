package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows as JSON objects, one per line, exact. Rows of a script with several SELECTs begin with
 * {@code "query"}, rows of an updating result with {@code "op"} (Flink's +I, -U, +U, -D). Times are
 * written as Flink's JSON format does by default: {@code 2026-01-31 12:00:00.123}, instants in UTC
 * with a {@code Z}. Immutable.
 */
public final class JsonEncoder {
  private static final int SAMPLED_ROWS = 8;

  private final Cells cells = new Cells(ZoneOffset.UTC);
  private final boolean severalQueries;

  JsonEncoder(boolean severalQueries) {
    this.severalQueries = severalQueries;
  }

  /** The lines of a batch. */
  byte[] encode(RowOutput.Query query, Batch batch) {
    StringBuilder lines = new StringBuilder();
    for (int row = 0; row < batch.rows(); row++) {
      appendRow(lines, query, batch, row);
    }
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** About how long the lines of a batch are: that of some of its rows, times their share. */
  long estimatedBytes(RowOutput.Query query, Batch batch) {
    int step = Math.max(1, batch.rows() / SAMPLED_ROWS);
    StringBuilder lines = new StringBuilder();
    int sampled = 0;
    for (int row = 0; row < batch.rows(); row += step) {
      appendRow(lines, query, batch, row);
      sampled++;
    }
    long bytes = lines.toString().getBytes(StandardCharsets.UTF_8).length;
    return sampled == 0 ? 0 : bytes * batch.rows() / sampled;
  }

  private void appendRow(StringBuilder lines, RowOutput.Query query, Batch batch, int row) {
    String separator = "{";
    if (severalQueries) {
      lines.append(separator).append("\"query\":");
      appendString(lines, query.name());
      separator = ",";
    }
    if (query.updating()) {
      lines.append(separator).append("\"op\":\"").append(batch.change(row).symbol()).append('"');
      separator = ",";
    }
    Schema schema = query.schema();
    for (int column = 0; column < schema.size(); column++) {
      lines.append(separator);
      separator = ",";
      appendString(lines, schema.name(column));
      lines.append(':');
      appendValue(lines, schema.type(column), batch.column(column).value(row));
    }
    lines.append("}\n");
  }

  private void appendValue(StringBuilder lines, Type type, @Nullable Object value) {
    if (value == null) {
      lines.append("null");
      return;
    }
    switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT -> lines.append(value);
      case FLOAT, DOUBLE -> appendDouble(lines, (Number) value);
      case DECIMAL -> lines.append(((BigDecimal) value).toPlainString());
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH -> lines.append(value);
      case CHAR, VARCHAR -> appendString(lines, (String) value);
      case DATE, TIME, TIMESTAMP -> appendString(lines, cells.text(type, value));
      case TIMESTAMP_LTZ -> appendString(lines, cells.text(type, value) + "Z");
      case ARRAY -> appendArray(lines, type.children().getFirst(), (List<?>) value);
      case ROW -> appendObject(lines, type, (List<?>) value);
      case NULL -> lines.append("null");
    }
  }

  /** JSON has no numbers that are none; they are written as strings. */
  private static void appendDouble(StringBuilder lines, Number value) {
    if (Double.isFinite(value.doubleValue())) {
      lines.append(value);
    } else {
      appendString(lines, value.toString());
    }
  }

  private void appendArray(StringBuilder lines, Type element, List<?> values) {
    lines.append('[');
    for (int i = 0; i < values.size(); i++) {
      lines.append(i == 0 ? "" : ",");
      appendValue(lines, element, values.get(i));
    }
    lines.append(']');
  }

  private void appendObject(StringBuilder lines, Type type, List<?> values) {
    lines.append('{');
    for (int i = 0; i < values.size(); i++) {
      lines.append(i == 0 ? "" : ",");
      appendString(lines, type.names().get(i));
      lines.append(':');
      appendValue(lines, type.children().get(i), values.get(i));
    }
    lines.append('}');
  }

  /** Appends a JSON string, quotes included. */
  public static void appendString(StringBuilder lines, String text) {
    lines.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> lines.append("\\\"");
        case '\\' -> lines.append("\\\\");
        case '\n' -> lines.append("\\n");
        case '\r' -> lines.append("\\r");
        case '\t' -> lines.append("\\t");
        default -> {
          if (Character.isISOControl(c)) {
            lines.append("\\u00").append(Character.forDigit(c >> 4, 16));
            lines.append(Character.forDigit(c & 15, 16));
          } else {
            lines.append(c);
          }
        }
      }
    }
    lines.append('"');
  }
}
