package io.sedge.connector.jdbc.internal;

import io.sedge.engine.type.Type;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.Optional;

/** The type that a script declares for a column of a server, the other way round than Dialect. */
final class ColumnTypes {
  static final int MOST_DIGITS = 38;

  /** As in Flink, for a NUMERIC of any digits. */
  private static final Type ANY_DECIMAL = Type.decimal(MOST_DIGITS, 18);

  /** Of MariaDB's unsigned BIGINT. */
  private static final Type UNSIGNED_LONG = Type.decimal(20, 0);

  private ColumnTypes() {}

  /** The type of a column of a result, nullable; empty if none holds its values. */
  static Optional<Type> of(Dialect dialect, ResultSetMetaData data, int column)
      throws SQLException {
    int columnType = data.getColumnType(column);
    String typeName = data.getColumnTypeName(column);
    return type(dialect, data, column)
        .filter(type -> dialect.fits(type, columnType, typeName, false));
  }

  private static Optional<Type> type(Dialect dialect, ResultSetMetaData data, int column)
      throws SQLException {
    String name = data.getColumnTypeName(column).toLowerCase(Locale.ROOT);
    boolean postgres = dialect == Dialect.POSTGRESQL;
    boolean signed = data.isSigned(column);
    return switch (data.getColumnType(column)) {
      case Types.BOOLEAN -> Optional.of(Type.BOOLEAN);
      case Types.BIT -> postgres && !name.equals("bool") ? none() : Optional.of(Type.BOOLEAN);
      case Types.TINYINT -> Optional.of(signed ? Type.TINYINT : Type.SMALLINT);
      case Types.SMALLINT -> Optional.of(signed ? Type.SMALLINT : Type.INT);
      case Types.INTEGER -> Optional.of(signed ? Type.INT : Type.BIGINT);
      case Types.BIGINT -> Optional.of(signed ? Type.BIGINT : UNSIGNED_LONG);
      case Types.REAL, Types.FLOAT -> Optional.of(Type.FLOAT);
      case Types.DOUBLE -> name.equals("money") ? none() : Optional.of(Type.DOUBLE);
      case Types.NUMERIC, Types.DECIMAL ->
          Optional.of(decimal(data.getPrecision(column), data.getScale(column)));
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.CLOB,
          Types.OTHER ->
          Optional.of(Type.STRING);
      case Types.DATE -> Optional.of(Type.DATE);
      case Types.TIME -> name.equals("timetz") ? none() : Optional.of(Type.time(3));
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
          Optional.of(timestamp(dialect, name, data.getScale(column)));
      default -> none();
    };
  }

  private static Optional<Type> none() {
    return Optional.empty();
  }

  /** Of more digits than Sedge has the nearest number is taken. */
  static Type decimal(int precision, int scale) {
    if (precision == 0) {
      return ANY_DECIMAL;
    }
    boolean fits = precision <= MOST_DIGITS && scale >= 0 && scale <= precision;
    return fits ? Type.decimal(precision, scale) : Type.DOUBLE;
  }

  /** PostgreSQL's TIMESTAMP is a date and a time without a zone, MariaDB's is an instant. */
  private static Type timestamp(Dialect dialect, String name, int digits) {
    int precision = Math.clamp(digits, 0, Type.MAX_TIMESTAMP_PRECISION);
    boolean zoned =
        name.equals("timestamptz") || (dialect == Dialect.MARIADB && name.equals("timestamp"));
    return zoned ? Type.timestampLtz(precision) : Type.timestamp(precision);
  }
}
