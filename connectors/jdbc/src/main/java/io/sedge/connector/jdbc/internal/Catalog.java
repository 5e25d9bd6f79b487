package io.sedge.connector.jdbc.internal;

import io.sedge.connector.Findings;
import io.sedge.connector.Findings.Column;
import io.sedge.connector.Findings.Columns;
import io.sedge.engine.type.Type;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/** What tables a database has, as the user of a connection sees them. */
final class Catalog {
  private static final int FETCHED = 1_000;
  private static final Duration LISTING = Duration.ofSeconds(10);

  private final Connection connection;
  private final Dialect dialect;
  private final LongSupplier nanoClock;

  Catalog(Connection connection, Dialect dialect, LongSupplier nanoClock) {
    this.connection = connection;
    this.dialect = dialect;
    this.nanoClock = nanoClock;
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

  /** Those of the current schema first; a partition of a table is a part of that. */
  Entries list() throws SQLException {
    return entries(dialect == Dialect.POSTGRESQL ? "NOT c.relispartition" : "1 = 1", List.of());
  }

  /**
   * Those of a name, which are found among any number: the only one, or none.
   *
   * @param name with its schema or, in the current one, without
   */
  List<Entry> named(String name) throws SQLException {
    String condition =
        switch (dialect) {
          case POSTGRESQL ->
              "(n.nspname = current_schema() AND c.relname = ?"
                  + " OR n.nspname || '.' || c.relname = ?)";
          case MARIADB ->
              "(table_schema = DATABASE() AND table_name = ?"
                  + " OR CONCAT(table_schema, '.', table_name) = ?)";
          case SQLITE -> "name = ?";
        };
    List<String> values = dialect == Dialect.SQLITE ? List.of(name) : List.of(name, name);
    return entries(condition, values).entries().stream()
        .filter(entry -> entry.path().equals(name) || entry.qualified().equals(name))
        .limit(1) // MariaDB may take upper and lower case for the same.
        .toList();
  }

  private Entries entries(String condition, List<String> values) throws SQLException {
    if (dialect != Dialect.SQLITE) {
      return entries(condition, values, (int) LISTING.toSeconds());
    }
    try (var _ = LiteDeadline.set(connection, nanoClock, LISTING)) {
      return entries(condition, values, 0);
    }
  }

  private Entries entries(String condition, List<String> values, int seconds) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    long leftOut = 0;
    try (PreparedStatement statement = connection.prepareStatement(query().formatted(condition))) {
      statement.setFetchSize(FETCHED);
      statement.setQueryTimeout(seconds);
      for (int i = 0; i < values.size(); i++) {
        statement.setString(i + 1, values.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
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

  /** With a place for a condition. What PostgreSQL's information_schema has not is in pg_class. */
  private String query() {
    return switch (dialect) {
      case POSTGRESQL ->
          """
          SELECT n.nspname, c.relname, COALESCE(n.nspname = current_schema(), FALSE),
            (SELECT COUNT(*) FROM pg_catalog.pg_attribute a
             WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
          FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND %s
            AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
            AND (pg_has_role(c.relowner, 'USAGE')
              OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'))
          ORDER BY 3 DESC, 1, 2\
          """;
      case MARIADB ->
          """
          SELECT table_schema, table_name, COALESCE(table_schema = DATABASE(), FALSE), COUNT(*)
          FROM information_schema.columns
          WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
            AND %s
          GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2\
          """;
      case SQLITE ->
          """
          SELECT '', name, TRUE, (SELECT COUNT(*) FROM pragma_table_xinfo(m.name) WHERE hidden <> 1)
          FROM sqlite_master m
          WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%%' ESCAPE '~' AND %s
          ORDER BY name\
          """;
    };
  }

  /**
   * The columns of one.
   *
   * @param atMost of servers in whole seconds, one at least
   */
  Columns columns(Entry entry, Duration atMost) throws SQLException {
    if (dialect == Dialect.SQLITE) {
      try (var _ = LiteDeadline.set(connection, nanoClock, atMost)) {
        return new LiteColumns(connection, entry).read();
      }
    }
    int seconds = (int) Math.max(1, atMost.toSeconds());
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
