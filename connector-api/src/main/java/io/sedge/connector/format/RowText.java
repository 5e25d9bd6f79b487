package io.sedge.connector.format;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A row in words, for whoever looks for what is wrong with it: {@code id='a', n=5}. */
public final class RowText {
  private static final int NANOS_PER_MILLI = 1_000_000;

  private RowText() {}

  /** The values of a row by the names of their columns, cut after so many characters. */
  public static String of(Schema schema, Batch batch, int row, int mostCharacters) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schema.size() && text.length() <= mostCharacters; i++) {
      text.append(i == 0 ? "" : ", ").append(schema.name(i)).append('=');
      text.append(value(schema.type(i), batch.column(i).value(row)));
    }
    return cut(text.toString(), mostCharacters);
  }

  /** A text, cut after so many characters. */
  static String cut(String text, int mostCharacters) {
    return text.length() <= mostCharacters ? text : text.substring(0, mostCharacters) + "…";
  }

  private static String value(Type type, @Nullable Object value) {
    if (value == null) {
      return "NULL";
    }
    return switch (type.kind()) {
      case CHAR, VARCHAR -> "'" + value + "'";
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME -> LocalTime.ofNanoOfDay((long) (Integer) value * NANOS_PER_MILLI).toString();
      case TIMESTAMP -> instant((Long) value).atOffset(ZoneOffset.UTC).toLocalDateTime().toString();
      case TIMESTAMP_LTZ -> instant((Long) value).toString();
      default -> value.toString();
    };
  }

  /** The instant of a TIMESTAMP's value: microseconds since 1970. */
  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
