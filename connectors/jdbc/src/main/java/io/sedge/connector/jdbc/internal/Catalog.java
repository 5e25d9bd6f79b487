package io.sedge.connector.jdbc.internal;

import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Column;
import io.sedge.connector.Findings.Columns;
import io.sedge.engine.type.Type;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What tables a database has, as the user of a connection sees them. */
final class Catalog {
  private static final int FETCHED = 1_000;
  private static final int LIST_SECONDS = 10;

  private final Connection connection;
  private final Dialect dialect;

  Catalog(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  /**
   * A table or a view.
   *
   * @param schema empty if the database has none
   * @param isCurrent whether the schema is the one that names without a schema are of
   */
  record Entry(String schema, String name, boolean isCurrent, int columns) {
    /** As {@code table-name} has it. */
    String path() {
      return isCurrent ? name : qualified();
    }

    String qualified() {
      return schema.isEmpty() ? name : schema + "." + name;
    }
  }

  /**
   * @param leftOut how many there are beyond those that are listed
   */
  record Entries(List<Entry> entries, long leftOut) {
    Entries {
      entries = List.copyOf(entries);
    }
  }

  /** Those of the current schema first. */
  Entries list() throws SQLException {
    List<Entry> entries = new ArrayList<>();
    long leftOut = 0;
    try (Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCHED);
      statement.setQueryTimeout(LIST_SECONDS);
      try (ResultSet row = statement.executeQuery(query())) {
        while (row.next()) {
          if (entries.size() < Findings.MOST) {
            entries.add(
                new Entry(row.getString(1), row.getString(2), row.getBoolean(3), row.getInt(4)));
          } else {
            leftOut++;
          }
        }
      }
    }
    return new Entries(entries, leftOut);
  }

  private String query() {
    return switch (dialect) {
      case POSTGRESQL ->
          """
          SELECT table_schema, table_name, COALESCE(table_schema = current_schema(), FALSE), COUNT(*)
          FROM information_schema.columns
          WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
          GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2\
          """;
      case MARIADB ->
          """
          SELECT table_schema, table_name, COALESCE(table_schema = DATABASE(), FALSE), COUNT(*)
          FROM information_schema.columns
          WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
          GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2\
          """;
      case SQLITE ->
          """
          SELECT '', name, TRUE, (SELECT COUNT(*) FROM pragma_table_xinfo(m.name) WHERE hidden <> 1)
          FROM sqlite_master m
          WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name\
          """;
    };
  }

  /** The columns of one. */
  Columns columns(Entry entry, Duration atMost) throws SQLException {
    int seconds = (int) Math.max(1, atMost.toSeconds());
    if (dialect == Dialect.SQLITE) {
      return new LiteColumns(connection, entry, seconds).read();
    }
    List<Column> columns = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    String query = "SELECT * FROM %s WHERE 1 = 0".formatted(dialect.quotedPath(entry.qualified()));
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(seconds);
      try (ResultSet nothing = statement.executeQuery(query)) {
        ResultSetMetaData data = nothing.getMetaData();
        for (int i = 1; i <= data.getColumnCount(); i++) {
          String name = data.getColumnName(i);
          Optional<Type> type = ColumnTypes.of(dialect, data, i);
          if (type.isPresent()) {
            boolean always = data.isNullable(i) == ResultSetMetaData.columnNoNulls;
            columns.add(new Column(name, type.get().withNullable(!always)));
          } else {
            leftOut.add(leftOut(name, data.getColumnTypeName(i)));
          }
        }
      }
    }
    return new Columns(columns, key(entry, columns, leftOut), leftOut);
  }

  static String leftOut(String column, String typeName) {
    return "%s is %s, which no type of Sedge holds".formatted(column, typeName);
  }

  private List<String> key(Entry entry, List<Column> columns, List<String> leftOut)
      throws SQLException {
    TreeMap<Integer, String> key = new TreeMap<>();
    DatabaseMetaData data = connection.getMetaData();
    boolean maria = dialect == Dialect.MARIADB; // Whose databases are catalogs.
    try (ResultSet row =
        data.getPrimaryKeys(
            maria ? entry.schema() : null, maria ? null : entry.schema(), entry.name())) {
      while (row.next()) {
        key.put((int) row.getShort("KEY_SEQ"), row.getString("COLUMN_NAME"));
      }
    }
    return known(List.copyOf(key.values()), columns, leftOut);
  }

  /** The key, if all of its columns are there. */
  static List<String> known(List<String> key, List<Column> columns, List<String> leftOut) {
    if (columns.stream().map(Column::name).toList().containsAll(key)) {
      return key;
    }
    leftOut.add("the primary key (%s), which needs a column of these".formatted(join(key)));
    return List.of();
  }

  private static String join(List<String> names) {
    return String.join(", ", names);
  }
}
