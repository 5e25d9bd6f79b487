package io.sedge.connector.jdbc.internal;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.type.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A table as the database has it: quoted names for statements, checked against the columns that the
 * script declares.
 *
 * @param table quoted
 * @param columns quoted, as many as the script declares, in its order
 */
record Layout(String table, List<String> columns) {
  Layout {
    columns = List.copyOf(columns);
  }

  /** A table that is looked up, and where. */
  private record LookUp(
      Connection connection, Database database, TableDescriptor declared, String path) {
    Dialect dialect() {
      return database.dialect();
    }

    RuntimeException problem(String what) {
      return Failures.user("table %s: %s: %s".formatted(declared.name(), database, what));
    }

    String fitting(boolean keyed) {
      return dialect()
          .createTable(path, declared.schema(), keyed ? declared.primaryKey() : List.of());
    }
  }

  /** A column of the database. */
  private record Found(String name, int type, String typeName) {}

  /**
   * Looks a table up.
   *
   * @param path {@code schema.table}
   * @param written whether rows are written, by their key if the script declares one; else they are
   *     read
   * @throws io.sedge.connector.ConnectorException of kind USER if there is no such table, or its
   *     columns do not fit
   */
  static Layout of(
      Connection connection,
      Database database,
      TableDescriptor declared,
      String path,
      boolean written)
      throws SQLException {
    LookUp lookUp = new LookUp(connection, database, declared, path);
    Dialect dialect = database.dialect();
    List<String> columns = new ArrayList<>();
    List<Found> found = columns(lookUp, written);
    for (Schema.Field field : declared.schema().fields()) {
      Found column = column(lookUp, found, field);
      if (!dialect.fits(field.type(), column.type(), column.typeName(), written)) {
        throw lookUp.problem(
            "column %s of %s is %s, which does not hold %s; it would be %s"
                .formatted(
                    column.name(),
                    path,
                    column.typeName(),
                    field.type().withNullable(true),
                    dialect.columnType(field.type(), false)));
      }
      columns.add(dialect.quoted(column.name()));
    }
    Layout layout = new Layout(dialect.quotedPath(path), columns);
    if (written && !declared.primaryKey().isEmpty()) {
      layout.checkKey(lookUp);
    }
    return layout;
  }

  private static List<Found> columns(LookUp lookUp, boolean written) throws SQLException {
    String query =
        "SELECT * FROM %s WHERE 1 = 0".formatted(lookUp.dialect().quotedPath(lookUp.path()));
    try (Statement statement = lookUp.connection().createStatement();
        ResultSet nothing = statement.executeQuery(query)) {
      ResultSetMetaData data = nothing.getMetaData();
      List<Found> columns = new ArrayList<>();
      for (int i = 1; i <= data.getColumnCount(); i++) {
        columns.add(
            new Found(data.getColumnName(i), data.getColumnType(i), data.getColumnTypeName(i)));
      }
      return columns;
    } catch (SQLException e) {
      if (!Failures.isMissingTable(e)) {
        throw e;
      }
      throw lookUp.problem(
          "there is no table %s (upper and lower case count)%s"
              .formatted(
                  lookUp.path(),
                  written ? "; make it there: %s".formatted(lookUp.fitting(true)) : ""));
    }
  }

  /** That of the name, or else the only one whose name differs in case alone. */
  private static Found column(LookUp lookUp, List<Found> found, Schema.Field field) {
    List<Found> near =
        found.stream().filter(column -> column.name().equalsIgnoreCase(field.name())).toList();
    Optional<Found> same =
        near.stream().filter(column -> column.name().equals(field.name())).findFirst();
    if (same.isPresent()) {
      return same.get();
    }
    if (near.size() != 1) {
      Dialect dialect = lookUp.dialect();
      throw lookUp.problem(
          "%s has no column %s, but %s; add it there: ALTER TABLE %s ADD COLUMN %s %s"
              .formatted(
                  lookUp.path(),
                  field.name(),
                  String.join(", ", found.stream().map(Found::name).toList()),
                  dialect.quotedPath(lookUp.path()),
                  dialect.quoted(field.name()),
                  dialect.columnType(field.type(), false)));
    }
    return near.getFirst();
  }

  /** Without a unique index over the key a row would be added each time, not replaced. */
  private void checkKey(LookUp lookUp) throws SQLException {
    List<String> key = key(lookUp.declared());
    boolean unique;
    if (lookUp.dialect() == Dialect.MARIADB) {
      unique = uniqueKeys(lookUp).contains(new HashSet<>(key));
    } else {
      unique = isUnique(lookUp, key);
    }
    if (!unique) {
      throw lookUp.problem(
          "%s has no unique index over (%s), by which a row of a key is replaced; add it there: ALTER TABLE %s ADD PRIMARY KEY (%s), or CREATE UNIQUE INDEX"
              .formatted(lookUp.path(), String.join(", ", key), table, String.join(", ", key)));
    }
  }

  /** The quoted columns of the declared key. */
  List<String> key(TableDescriptor declared) {
    return declared.primaryKey().stream().map(columns::get).toList();
  }

  /** Planning the statement is enough to know. */
  private boolean isUnique(LookUp lookUp, List<String> key) throws SQLException {
    String upsert = lookUp.dialect().upsert(table, columns, key);
    try (PreparedStatement statement = lookUp.connection().prepareStatement("EXPLAIN " + upsert)) {
      for (int i = 1; i <= columns.size(); i++) {
        statement.setNull(i, Types.NULL);
      }
      try (ResultSet plan = statement.executeQuery()) {
        return plan.next();
      }
    } catch (SQLException e) {
      if (Failures.isMissingKey(e)) {
        return false;
      }
      throw e;
    }
  }

  private Set<Set<String>> uniqueKeys(LookUp lookUp) throws SQLException {
    Map<String, Set<String>> keys = new TreeMap<>();
    try (Statement statement = lookUp.connection().createStatement();
        ResultSet index =
            statement.executeQuery("SHOW INDEX FROM %s WHERE Non_unique = 0".formatted(table))) {
      while (index.next()) {
        keys.computeIfAbsent(index.getString("Key_name"), _ -> new HashSet<>())
            .add(lookUp.dialect().quoted(index.getString("Column_name")));
      }
    }
    return new HashSet<>(keys.values());
  }

  /**
   * Refuses a table of MariaDB whose engine has no transactions: its rows would stay although the
   * transaction that counts them is taken back.
   */
  static void checkTransactions(
      Connection connection, Database database, TableDescriptor declared, String path)
      throws SQLException {
    int dot = path.indexOf('.');
    String query =
        """
        SELECT t.engine FROM information_schema.tables t
        JOIN information_schema.engines e ON e.engine = t.engine
        WHERE t.table_schema = COALESCE(?, DATABASE()) AND t.table_name = ?
        AND e.transactions <> 'YES'\
        """;
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, dot < 0 ? null : path.substring(0, dot));
      statement.setString(2, path.substring(dot + 1));
      try (ResultSet engine = statement.executeQuery()) {
        if (engine.next()) {
          throw Failures.user(
              "table %s: %s: %s has the engine %s, which has no transactions, so rows could be there twice; type ALTER TABLE %s ENGINE = InnoDB there, or set '%s' = 'at-least-once'"
                  .formatted(
                      declared.name(),
                      database,
                      path,
                      engine.getString(1),
                      database.dialect().quotedPath(path),
                      JdbcOptions.GUARANTEE));
        }
      }
    }
  }
}
