package io.sedge.connector.jdbc.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Values of columns as the drivers take and give them. SQLite has no types for times and for exact
 * numbers: they are text there, times in the form of its own date functions, {@code 2026-01-31
 * 10:02:13.250}, instants with a {@code Z} behind them.
 */
final class Values {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long NANOS_PER_MS = 1_000_000;

  private static final DateTimeFormatter WRITTEN_TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  /** Also with a T, without seconds, with an offset. */
  private static final DateTimeFormatter READ_TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral(' ')
          .optionalEnd()
          .optionalStart()
          .appendLiteral('T')
          .optionalEnd()
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private Values() {}

  /** A value does not fit its column. */
  static final class UnfitException extends Exception {
    private static final long serialVersionUID = 1;

    UnfitException(String message) {
      super(message);
    }
  }

  /** A value of a batch as the driver takes it. */
  static @Nullable Object written(Batch batch, int column, int row, Type type, Dialect dialect) {
    Object value = batch.column(column).value(row);
    return value == null ? null : written(value, type, dialect);
  }

  /** A value, as columns give them, as the driver takes it. */
  static Object written(Object value, Type type, Dialect dialect) {
    boolean lite = dialect == Dialect.SQLITE;
    return switch (type.kind()) {
      case DECIMAL -> lite ? ((BigDecimal) value).toPlainString() : value;
      case DATE -> {
        LocalDate date = LocalDate.ofEpochDay(((Number) value).longValue());
        yield lite ? date.toString() : date;
      }
      case TIME -> {
        LocalTime time = LocalTime.ofNanoOfDay(((Number) value).longValue() * NANOS_PER_MS);
        yield lite ? time.toString() : time;
      }
      case TIMESTAMP -> {
        LocalDateTime time = dateTime(((Number) value).longValue());
        yield lite ? WRITTEN_TIMESTAMP.format(time) : time;
      }
      case TIMESTAMP_LTZ -> {
        LocalDateTime time = dateTime(((Number) value).longValue());
        yield switch (dialect) {
          case POSTGRESQL -> time.atOffset(ZoneOffset.UTC);
          case MARIADB -> time;
          case SQLITE -> WRITTEN_TIMESTAMP.format(time) + "Z";
        };
      }
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, CHAR, VARCHAR -> value;
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL ->
          throw new IllegalArgumentException("no column has the type " + type);
    };
  }

  /** What a value takes, about. */
  static int bytes(@Nullable Object value) {
    return value == null ? 1 : value instanceof String text ? text.length() : 8;
  }

  private static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1_000,
        ZoneOffset.UTC);
  }

  /**
   * Adds a value of a result to a column.
   *
   * @param index from 1
   * @return what it takes, about
   * @throws UnfitException if it is no value of the type; nothing was added
   */
  static int read(ResultSet result, int index, Type type, Dialect dialect, ColumnBuilder builder)
      throws SQLException, UnfitException {
    Object value =
        dialect == Dialect.SQLITE ? result.getObject(index) : typed(result, index, type, dialect);
    if (value == null) {
      if (!type.nullable()) {
        throw new UnfitException("is NULL, but the column is NOT NULL");
      }
      builder.addNull();
      return bytes(null);
    }
    try {
      add(value, type, builder);
      return bytes(value);
    } catch (DateTimeException
        | ArithmeticException
        | NumberFormatException
        | ClassCastException e) {
      throw new UnfitException("has the value %s, which is no %s".formatted(sample(value), type));
    }
  }

  private static String sample(Object value) {
    String text = String.valueOf(value);
    return "'%s'".formatted(text.length() > 100 ? text.substring(0, 100) + "…" : text);
  }

  /** As the type needs it: drivers convert where their columns are of another. */
  private static @Nullable Object typed(ResultSet result, int index, Type type, Dialect dialect)
      throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN -> {
        boolean value = result.getBoolean(index);
        yield result.wasNull() ? null : (Object) value;
      }
      case FLOAT, DOUBLE -> {
        double value = result.getDouble(index);
        yield result.wasNull() ? null : (Object) value;
      }
      case TINYINT, SMALLINT, INT, BIGINT, DECIMAL -> result.getBigDecimal(index);
      case CHAR, VARCHAR -> result.getString(index);
      case DATE -> result.getObject(index, LocalDate.class);
      case TIME -> result.getObject(index, LocalTime.class);
      case TIMESTAMP -> result.getObject(index, LocalDateTime.class);
      case TIMESTAMP_LTZ ->
          dialect == Dialect.MARIADB // Whose driver would put the machine's zone to it.
              ? result.getObject(index, LocalDateTime.class)
              : result.getObject(index, OffsetDateTime.class);
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL ->
          throw new IllegalArgumentException("no column has the type " + type);
    };
  }

  private static void add(Object value, Type type, ColumnBuilder builder) {
    switch (type.kind()) {
      case BOOLEAN -> builder.addBoolean(bool(value));
      case TINYINT -> builder.addInt(decimal(value).byteValueExact());
      case SMALLINT -> builder.addInt(decimal(value).shortValueExact());
      case INT -> builder.addInt(decimal(value).intValueExact());
      case BIGINT -> builder.addLong(decimal(value).longValueExact());
      case FLOAT -> builder.addFloat((float) number(value));
      case DOUBLE -> builder.addDouble(number(value));
      case DECIMAL -> {
        BigDecimal fitted = type.fit(decimal(value));
        if (fitted == null) {
          throw new ArithmeticException("too many digits");
        }
        builder.addDecimal(fitted);
      }
      case CHAR, VARCHAR -> builder.addString(String.valueOf(value));
      case DATE ->
          builder.addInt(
              Math.toIntExact(
                  (value instanceof LocalDate date ? date : LocalDate.parse((String) value))
                      .toEpochDay()));
      case TIME -> {
        LocalTime time = value instanceof LocalTime known ? known : LocalTime.parse((String) value);
        builder.addInt((int) (time.toNanoOfDay() / NANOS_PER_MS));
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> builder.addLong(micros(value));
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL ->
          throw new IllegalArgumentException("no column has the type " + type);
    }
  }

  private static boolean bool(Object value) {
    if (value instanceof Boolean known) {
      return known;
    }
    BigDecimal number = decimal(value);
    if (number.signum() != 0 && number.compareTo(BigDecimal.ONE) != 0) {
      throw new ArithmeticException("neither 0 nor 1");
    }
    return number.signum() != 0;
  }

  private static double number(Object value) {
    return value instanceof Number known ? known.doubleValue() : Double.parseDouble((String) value);
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof BigDecimal known ? known : new BigDecimal(String.valueOf(value));
  }

  /** Text without an offset is UTC. */
  private static long micros(Object value) {
    Instant instant =
        switch (value) {
          case LocalDateTime time -> time.toInstant(ZoneOffset.UTC);
          case OffsetDateTime time -> time.toInstant();
          default -> parsed((String) value);
        };
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant parsed(String text) {
    return READ_TIMESTAMP.parseBest(text, OffsetDateTime::from, LocalDateTime::from)
            instanceof OffsetDateTime time
        ? time.toInstant()
        : LocalDateTime.from(READ_TIMESTAMP.parse(text)).toInstant(ZoneOffset.UTC);
  }
}
