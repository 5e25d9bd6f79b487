package io.sedge.sql.internal.user;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Java's types and values as SQL's, as Flink maps them by default. */
final class JavaTypes {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final Map<Class<?>, Type> SQL =
      Map.ofEntries(
          Map.entry(boolean.class, Type.BOOLEAN.notNull()),
          Map.entry(Boolean.class, Type.BOOLEAN),
          Map.entry(byte.class, Type.TINYINT.notNull()),
          Map.entry(Byte.class, Type.TINYINT),
          Map.entry(short.class, Type.SMALLINT.notNull()),
          Map.entry(Short.class, Type.SMALLINT),
          Map.entry(int.class, Type.INT.notNull()),
          Map.entry(Integer.class, Type.INT),
          Map.entry(long.class, Type.BIGINT.notNull()),
          Map.entry(Long.class, Type.BIGINT),
          Map.entry(float.class, Type.FLOAT.notNull()),
          Map.entry(Float.class, Type.FLOAT),
          Map.entry(double.class, Type.DOUBLE.notNull()),
          Map.entry(Double.class, Type.DOUBLE),
          Map.entry(String.class, Type.STRING),
          Map.entry(BigDecimal.class, Type.decimal(38, 18)),
          Map.entry(LocalDate.class, Type.DATE),
          Map.entry(LocalTime.class, Type.TIME),
          Map.entry(LocalDateTime.class, Type.timestamp(6)),
          Map.entry(Instant.class, Type.timestampLtz(6)));

  private JavaTypes() {}

  /** The SQL type of a Java type; empty if it has none. */
  static Optional<Type> sqlType(Class<?> javaType) {
    return Optional.ofNullable(SQL.get(javaType));
  }

  /** All Java types that have one, in words. */
  static String supported() {
    return "boolean, byte, short, int, long, float, double and their boxes, String, BigDecimal,"
        + " LocalDate, LocalTime, LocalDateTime, Instant";
  }

  /** Whether an argument of a type may be given for a parameter, after a cast to a wider number. */
  static boolean accepts(Type parameter, Type argument) {
    Kind from = argument.kind();
    Kind to = parameter.kind();
    if (from == to || from == Kind.NULL || (from.isString() && to.isString())) {
      return true;
    }
    if (!from.isNumeric() || !to.isNumeric()) {
      return false;
    }
    return switch (to) {
      case DOUBLE -> true;
      case FLOAT, DECIMAL -> from.isInteger();
      default -> from.isInteger() && from.compareTo(to) < 0;
    };
  }

  /** The Java value of a column's value in its object form; narrower numbers are widened. */
  static @Nullable Object toJava(@Nullable Object value, Type type) {
    if (value == null) {
      return null;
    }
    return switch (type.kind()) {
      case TINYINT -> ((Number) value).byteValue();
      case SMALLINT -> ((Number) value).shortValue();
      case INT -> ((Number) value).intValue();
      case BIGINT -> ((Number) value).longValue();
      case FLOAT -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DECIMAL ->
          value instanceof BigDecimal decimal
              ? decimal
              : BigDecimal.valueOf(((Number) value).longValue());
      case DATE -> LocalDate.ofEpochDay((Integer) value);
      case TIME -> LocalTime.ofNanoOfDay((Integer) value * NANOS_PER_MILLI);
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plus((Long) value, ChronoUnit.MICROS);
      case TIMESTAMP_LTZ -> Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
      default -> value;
    };
  }

  /** The object form of a Java value. */
  static @Nullable Object fromJava(@Nullable Object value, Type type) {
    return switch (value) {
      case null -> null;
      case Byte number -> number.intValue();
      case Short number -> number.intValue();
      case LocalDate date -> (int) date.toEpochDay();
      case LocalTime time -> (int) (time.toNanoOfDay() / NANOS_PER_MILLI);
      case LocalDateTime time ->
          ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
      case Instant instant -> ChronoUnit.MICROS.between(Instant.EPOCH, instant);
      case BigDecimal decimal -> decimal.setScale(type.scale(), java.math.RoundingMode.HALF_UP);
      default -> value;
    };
  }
}
