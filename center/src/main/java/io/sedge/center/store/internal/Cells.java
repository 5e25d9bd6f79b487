package io.sedge.center.store.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The values of a column as a database takes them. One thread.
 *
 * @param sqlType what {@link PreparedStatement#setNull} is given
 * @param value the value of a row that is not NULL, equal where the database holds values equal
 */
record Cells(Column column, int sqlType, Setter setter, IntFunction<@Nullable Object> value) {

  /** Gives a value that is not NULL to a statement. */
  interface Setter {
    void set(PreparedStatement statement, int index, int row) throws SQLException;
  }

  /** A number of a row. */
  interface DoubleSource {
    double get(int row);
  }

  void bind(PreparedStatement statement, int index, int row) throws SQLException {
    if (column.isNull(row)) {
      statement.setNull(index, sqlType);
    } else {
      setter.set(statement, index, row);
    }
  }

  /** A part of a key. */
  @Nullable Object key(int row) {
    return column.isNull(row) ? null : value.apply(row);
  }

  static Cells longs(Column column, int sqlType) {
    IntToLongFunction source = longs(column);
    return new Cells(
        column,
        sqlType,
        (statement, index, row) -> statement.setLong(index, source.applyAsLong(row)),
        source::applyAsLong);
  }

  static IntToLongFunction longs(Column column) {
    if (column instanceof IntColumn ints) {
      int[] values = ints.values();
      return row -> values[row];
    }
    long[] values = ((LongColumn) column).values();
    return row -> values[row];
  }

  static DoubleSource doubles(Column column) {
    if (column instanceof FloatColumn floats) {
      float[] values = floats.values();
      return row -> values[row];
    }
    double[] values = ((DoubleColumn) column).values();
    return row -> values[row];
  }

  /** A number as part of a key: 0 and -0 are one. */
  static Object number(double value) {
    return value + 0.0;
  }

  static Cells strings(Column column, int sqlType, Repairs repairs) {
    StringColumn strings = (StringColumn) column;
    return texts(column, sqlType, row -> repairs.string(strings.string(row)));
  }

  static Cells texts(Column column, int sqlType, IntFunction<String> text) {
    return new Cells(
        column,
        sqlType,
        (statement, index, row) -> statement.setString(index, text.apply(row)),
        text::apply);
  }

  static BigDecimal decimal(Column column, int row) {
    return ((DecimalColumn) column).values()[row];
  }

  /** The text of a date or time, or the JSON of an array or row. */
  static IntFunction<String> text(Type type, Column column, Repairs repairs) {
    TimeText times = new TimeText(repairs);
    if (type.kind() == Kind.ARRAY || type.kind() == Kind.ROW) {
      return row -> Schemas.write(requireNonNull(plain(type, column.value(row), times, repairs)));
    }
    IntToLongFunction source = longs(column);
    return row -> time(type, source.applyAsLong(row), times);
  }

  private static String time(Type type, long value, TimeText times) {
    return switch (type.kind()) {
      case DATE -> times.date(value);
      case TIME -> times.time((int) value, type.precision());
      case TIMESTAMP, TIMESTAMP_LTZ -> times.timestamp(value, type.precision());
      default -> throw new IllegalArgumentException(type + " is no time");
    };
  }

  /** A value as JSON knows it. */
  private static @Nullable Object plain(
      Type type, @Nullable Object value, TimeText times, Repairs repairs) {
    if (value == null) {
      return null;
    }
    return switch (type.kind()) {
      case ARRAY ->
          ((List<?>) value)
              .stream()
                  .map(element -> plain(type.children().getFirst(), element, times, repairs))
                  .toList();
      case ROW -> {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        List<?> values = (List<?>) value;
        for (int i = 0; i < values.size(); i++) {
          fields.put(
              repairs.string(type.names().get(i)),
              plain(type.children().get(i), values.get(i), times, repairs));
        }
        yield fields;
      }
      case CHAR, VARCHAR -> repairs.string((String) value);
      case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> time(type, ((Number) value).longValue(), times);
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          INTERVAL_DAY_TIME,
          INTERVAL_YEAR_MONTH,
          NULL ->
          value;
    };
  }
}
