package io.sedge.connector.jdbc.internal;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What differs between the databases: names, types, and how a row of a key is replaced. */
enum Dialect {
  POSTGRESQL("PostgreSQL", '"', "org.postgresql.Driver"),
  /** MySQL too, by the same driver. */
  MARIADB("MariaDB", '`', "org.mariadb.jdbc.Driver"),
  SQLITE("SQLite", '"', "org.sqlite.JDBC");

  private final String title;
  private final char quote;
  private final String driver;

  Dialect(String title, char quote, String driver) {
    this.title = title;
    this.quote = quote;
    this.driver = driver;
  }

  /** Its name, for people. */
  String title() {
    return title;
  }

  /** Its driver; those of the others are not initialized. */
  Driver driver() throws SQLException {
    return ServiceLoader.load(Driver.class, Dialect.class.getClassLoader()).stream()
        .filter(found -> found.type().getName().equals(driver))
        .findFirst()
        .map(ServiceLoader.Provider::get)
        .orElseThrow(
            () -> new SQLException("the driver %s is not on the class path".formatted(driver)));
  }

  String quoted(String name) {
    String mark = String.valueOf(quote);
    return mark + name.replace(mark, mark + mark) + mark;
  }

  /** {@code schema.table}, each quoted. */
  String quotedPath(String path) {
    return Stream.of(path.split("\\.", -1)).map(this::quoted).collect(Collectors.joining("."));
  }

  /**
   * A statement that adds a row.
   *
   * @param table quoted
   * @param columns quoted
   */
  String insert(String table, List<String> columns) {
    return "INSERT INTO %s (%s) VALUES (%s)"
        .formatted(
            table,
            String.join(", ", columns),
            columns.stream().map(_ -> "?").collect(Collectors.joining(", ")));
  }

  /**
   * A statement that adds a row, or replaces the one of its key.
   *
   * @param key quoted, some of the columns
   */
  String upsert(String table, List<String> columns, List<String> key) {
    List<String> others = columns.stream().filter(column -> !key.contains(column)).toList();
    String insert = insert(table, columns);
    if (this == MARIADB) {
      List<String> set = others.isEmpty() ? key.subList(0, 1) : others;
      return insert
          + " ON DUPLICATE KEY UPDATE "
          + set.stream()
              .map(column -> "%s = VALUES(%s)".formatted(column, column))
              .collect(Collectors.joining(", "));
    }
    String conflict = " ON CONFLICT (%s) DO ".formatted(String.join(", ", key));
    if (others.isEmpty()) {
      return insert + conflict + "NOTHING";
    }
    return insert
        + conflict
        + "UPDATE SET "
        + others.stream()
            .map(column -> "%s = excluded.%s".formatted(column, column))
            .collect(Collectors.joining(", "));
  }

  /** A statement that removes the row of a key. */
  String delete(String table, List<String> key) {
    return "DELETE FROM %s WHERE %s"
        .formatted(
            table,
            key.stream().map(column -> column + " = ?").collect(Collectors.joining(" AND ")));
  }

  /** A table that rows of a schema fit into, as one would type it. */
  String createTable(String path, Schema schema, List<Integer> key) {
    String columns =
        schema.fields().stream()
            .map(
                field ->
                    "%s %s%s"
                        .formatted(
                            quoted(field.name()),
                            columnType(field.type(), key.contains(schema.indexOf(field.name()))),
                            field.type().nullable() ? "" : " NOT NULL"))
            .collect(Collectors.joining(", "));
    String primaryKey =
        key.isEmpty()
            ? ""
            : key.stream()
                .map(column -> quoted(schema.name(column)))
                .collect(Collectors.joining(", ", ", PRIMARY KEY (", ")"));
    // MariaDB's keys would else be the same but for case, and its text might be Latin alone.
    String text = this == MARIADB ? " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin" : "";
    return "CREATE TABLE %s (%s%s)%s".formatted(quotedPath(path), columns, primaryKey, text);
  }

  /** The type of a column for values of a type. */
  String columnType(Type type, boolean inKey) {
    boolean maria = this == MARIADB;
    boolean lite = this == SQLITE;
    int digits = Math.min(type.precision(), Type.MAX_TIMESTAMP_PRECISION);
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case TINYINT -> maria ? "TINYINT" : "SMALLINT";
      case SMALLINT -> "SMALLINT";
      case INT -> "INTEGER";
      case BIGINT -> "BIGINT";
      case FLOAT -> maria ? "FLOAT" : "REAL";
      case DOUBLE -> lite ? "REAL" : maria ? "DOUBLE" : "DOUBLE PRECISION";
      case DECIMAL -> lite ? "TEXT" : "DECIMAL(%d, %d)".formatted(type.precision(), type.scale());
      case CHAR, VARCHAR -> textType(type, inKey);
      case DATE -> lite ? "TEXT" : "DATE";
      case TIME -> lite ? "TEXT" : "TIME(3)";
      case TIMESTAMP ->
          lite ? "TEXT" : (maria ? "DATETIME(%d)" : "TIMESTAMP(%d)").formatted(digits);
      case TIMESTAMP_LTZ ->
          lite
              ? "TEXT"
              : (maria ? "TIMESTAMP(%d)" : "TIMESTAMP(%d) WITH TIME ZONE").formatted(digits);
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL ->
          throw new IllegalArgumentException("no column has the type " + type);
    };
  }

  private String textType(Type type, boolean inKey) {
    if (this == SQLITE) {
      return "TEXT";
    }
    if (type.precision() < Type.MAX_LENGTH) {
      return "VARCHAR(%d)".formatted(type.precision());
    }
    return this == MARIADB && inKey ? "VARCHAR(255)" : "TEXT";
  }

  /** Whether values of a type have a column in the databases. */
  static boolean has(Type type) {
    return switch (type.kind()) {
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
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_LTZ ->
          true;
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL -> false;
    };
  }

  /**
   * Whether a column holds values of a type without loss of meaning. SQLite's columns hold any.
   *
   * @param columnType as of {@link Types}
   * @param typeName the database's own
   * @param written whether it is written; else it is read
   */
  boolean fits(Type type, int columnType, String typeName, boolean written) {
    if (this == SQLITE) {
      return true;
    }
    return switch (type.kind()) {
      case BOOLEAN -> isOneOf(columnType, Types.BOOLEAN, Types.BIT, Types.TINYINT);
      case TINYINT, SMALLINT, INT, BIGINT ->
          isInteger(columnType) || isOneOf(columnType, Types.NUMERIC, Types.DECIMAL);
      case FLOAT, DOUBLE ->
          isFraction(columnType)
              || isOneOf(columnType, Types.NUMERIC, Types.DECIMAL)
              || (!written && isInteger(columnType));
      case DECIMAL ->
          isOneOf(columnType, Types.NUMERIC, Types.DECIMAL) || (!written && isInteger(columnType));
      case CHAR, VARCHAR -> isText(columnType) || (!written && columnType == Types.OTHER);
      case DATE -> columnType == Types.DATE;
      case TIME -> columnType == Types.TIME;
      case TIMESTAMP -> isTimestamp(columnType, typeName, false);
      case TIMESTAMP_LTZ -> isTimestamp(columnType, typeName, true);
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL -> false;
    };
  }

  private static boolean isOneOf(int columnType, int... types) {
    for (int type : types) {
      if (type == columnType) {
        return true;
      }
    }
    return false;
  }

  /** A BIT is MariaDB's TINYINT(1). */
  private static boolean isInteger(int columnType) {
    return isOneOf(
        columnType, Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.BIT);
  }

  private static boolean isFraction(int columnType) {
    return isOneOf(columnType, Types.REAL, Types.FLOAT, Types.DOUBLE);
  }

  private static boolean isText(int columnType) {
    return isOneOf(
        columnType,
        Types.CHAR,
        Types.VARCHAR,
        Types.LONGVARCHAR,
        Types.NCHAR,
        Types.NVARCHAR,
        Types.LONGNVARCHAR,
        Types.CLOB);
  }

  /** MariaDB's connections have the zone UTC, so that both of its types can hold either. */
  private boolean isTimestamp(int columnType, String typeName, boolean zoned) {
    boolean isZoned =
        columnType == Types.TIMESTAMP_WITH_TIMEZONE
            || typeName.toLowerCase(Locale.ROOT).equals("timestamptz");
    return isOneOf(columnType, Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE)
        && (this == MARIADB || isZoned == zoned);
  }
}
