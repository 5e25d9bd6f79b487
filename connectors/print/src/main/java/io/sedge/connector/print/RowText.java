package io.sedge.connector.print;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes rows as Flink prints them. */
final class RowText {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private RowText() {}

  static void append(StringBuilder text, Schema schema, Batch batch, int row) {
    text.append(batch.change(row).symbol()).append('[');
    for (int column = 0; column < schema.size(); column++) {
      text.append(column == 0 ? "" : ", ");
      append(text, schema.type(column), batch.column(column).value(row));
    }
    text.append(']');
  }

  private static void append(StringBuilder text, Type type, @Nullable Object value) {
    if (value == null) {
      text.append("null");
      return;
    }
    switch (type.kind()) {
      case DATE -> text.append(LocalDate.ofEpochDay((Integer) value));
      case TIME -> text.append(LocalTime.ofNanoOfDay((Integer) value * 1_000_000L));
      case TIMESTAMP -> text.append(LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC));
      case TIMESTAMP_LTZ -> text.append(instant(value));
      case ARRAY -> appendAll(text, "[", type, (List<?>) value);
      case ROW -> appendAll(text, "+I[", type, (List<?>) value);
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          CHAR,
          VARCHAR,
          INTERVAL_DAY_TIME,
          INTERVAL_YEAR_MONTH,
          NULL ->
          text.append(value);
    }
  }

  private static void appendAll(StringBuilder text, String open, Type type, List<?> values) {
    text.append(open);
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ", ");
      append(text, type.children().get(Math.min(i, type.children().size() - 1)), values.get(i));
    }
    text.append(']');
  }

  private static Instant instant(Object micros) {
    long value = (Long) micros;
    return Instant.ofEpochSecond(
        Math.floorDiv(value, MICROS_PER_SECOND), Math.floorMod(value, MICROS_PER_SECOND) * 1_000);
  }
}
