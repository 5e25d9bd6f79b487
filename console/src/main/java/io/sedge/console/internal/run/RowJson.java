package io.sedge.console.internal.run;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.LocalTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows as JSON arrays. Dates and timestamps are milliseconds since 1970 (those without a zone as if
 * in UTC), with a fraction where they have one; numbers that JSON has not are strings.
 */
final class RowJson {
  private static final JsonStringEncoder STRINGS = JsonStringEncoder.getInstance();
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private RowJson() {}

  /** How a page shows values of a type. */
  static String kind(Type type) {
    return switch (type.kind()) {
      case DATE, TIMESTAMP, TIMESTAMP_LTZ -> "time";
      case TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL -> "number";
      case CHAR, VARCHAR -> "text";
      case BOOLEAN -> "boolean";
      case TIME, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL -> "other";
    };
  }

  static String row(Schema schema, Batch batch, int row) {
    StringBuilder json = new StringBuilder(32 * schema.size());
    for (int column = 0; column < schema.size(); column++) {
      json.append(column == 0 ? '[' : ',');
      append(json, schema.type(column), batch.column(column).value(row));
    }
    return json.append(']').toString();
  }

  private static void append(StringBuilder json, Type type, @Nullable Object value) {
    if (value == null) {
      json.append("null");
      return;
    }
    switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
          json.append(value);
      case FLOAT, DOUBLE -> appendDouble(json, (Number) value);
      case DECIMAL -> json.append(((BigDecimal) value).toPlainString());
      case CHAR, VARCHAR -> appendString(json, (String) value);
      case DATE -> json.append((Integer) value * MILLIS_PER_DAY);
      case TIME ->
          appendString(json, LocalTime.ofNanoOfDay((Integer) value * NANOS_PER_MILLI).toString());
      case TIMESTAMP, TIMESTAMP_LTZ -> appendMillis(json, (Long) value);
      case ARRAY -> appendArray(json, type.children().getFirst(), (List<?>) value);
      case ROW -> appendObject(json, type, (List<?>) value);
      case NULL -> json.append("null");
    }
  }

  private static void appendMillis(StringBuilder json, long micros) {
    if (micros % MICROS_PER_MILLI == 0) {
      json.append(micros / MICROS_PER_MILLI);
    } else {
      json.append(BigDecimal.valueOf(micros, 3).toPlainString());
    }
  }

  private static void appendDouble(StringBuilder json, Number value) {
    if (Double.isFinite(value.doubleValue())) {
      json.append(value);
    } else {
      appendString(json, value.toString());
    }
  }

  private static void appendArray(StringBuilder json, Type element, List<?> values) {
    json.append('[');
    for (int i = 0; i < values.size(); i++) {
      json.append(i == 0 ? "" : ",");
      append(json, element, values.get(i));
    }
    json.append(']');
  }

  private static void appendObject(StringBuilder json, Type type, List<?> values) {
    json.append('{');
    for (int i = 0; i < values.size(); i++) {
      json.append(i == 0 ? "" : ",");
      appendString(json, type.names().get(i));
      json.append(':');
      append(json, type.children().get(i), values.get(i));
    }
    json.append('}');
  }

  static void appendString(StringBuilder json, String text) {
    json.append('"');
    STRINGS.quoteAsString(text, json);
    json.append('"');
  }
}
