package io.sedge.flink;

import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sedge's values in the types that {@link Wire} has for Flink's. */
final class PlainValues {
  private PlainValues() {}

  static @Nullable Object of(@Nullable Object value, Type type) {
    if (value == null) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN, NULL -> value;
      case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
          ((Number) value).longValue();
      case FLOAT -> Double.valueOf(value.toString()); // as Wire does: the decimal digits
      case DOUBLE -> value;
      case DECIMAL -> (BigDecimal) value;
      case CHAR, VARCHAR -> value;
      case DATE -> LocalDate.ofEpochDay(((Number) value).longValue());
      case TIME -> LocalTime.ofNanoOfDay(((Number) value).longValue() * 1_000_000);
      case TIMESTAMP -> LocalDateTime.ofInstant(instant(value), ZoneOffset.UTC);
      case TIMESTAMP_LTZ -> instant(value);
      case ARRAY -> {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Object element : (List<?>) value) {
          elements.add(of(element, type.children().getFirst()));
        }
        yield elements;
      }
      case ROW -> {
        List<@Nullable Object> fields = new ArrayList<>();
        List<?> values = (List<?>) value;
        for (int i = 0; i < values.size(); i++) {
          fields.add(of(values.get(i), type.children().get(i)));
        }
        yield fields;
      }
    };
  }

  private static Instant instant(Object micros) {
    return Instant.EPOCH.plus(((Number) micros).longValue(), ChronoUnit.MICROS);
  }
}
