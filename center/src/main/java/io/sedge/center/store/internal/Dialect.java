package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.engine.column.Column;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** What differs between the databases. Stateless but for where its database is. */
public abstract sealed class Dialect permits SqliteDialect, PostgresDialect {
  Dialect() {}

  /** Makes what must be there before a first connection. */
  abstract void prepare() throws SQLException;

  /** Where the database is, for people; never with a password. */
  public abstract String where();

  /** Its name and version. */
  public abstract String version(Handle handle);

  /** What should be set up otherwise, for people; asked on a connection for queries. */
  abstract List<String> cautions(Connection connection) throws SQLException;

  abstract DataSource migrating();

  abstract DataSource writing();

  abstract DataSource reading();

  /** For queries of people: what they connect with cannot write. */
  abstract DataSource querying();

  /** Where the tables of tokens are. */
  abstract DataSource secrets();

  /** How many connections may write. */
  abstract int writers();

  abstract String migrations();

  /** Where the scripts for the tables of tokens are, if those have a database of their own. */
  abstract @Nullable String secretMigrations();

  /** What the names of the tables of tokens begin with. */
  public abstract String secretPrefix();

  /** Whether the database failed, rather than refused what it was given. */
  abstract boolean isUnavailable(SQLException thrown);

  /** A failure, for people. */
  abstract String explain(SQLException thrown);

  /** Whether a table or column that was there is missing or has another type. */
  abstract boolean isSchemaChanged(SQLException thrown);

  /** Whether a query is to blame for a failure, rather than the database. */
  abstract boolean isQueryFault(SQLException thrown);

  /** The type of a column. */
  abstract String sqlType(Type type);

  /** What is said of a column whose values this database cannot hold exactly. */
  abstract @Nullable String warning(Type type);

  /** How the values of a column are given to a statement. */
  abstract Cells cells(Type stored, Column column, Repairs repairs);

  /** What makes a column of one type one of a wider type; empty if there is nothing to do. */
  abstract List<String> widen(String table, String column, Type wider);

  /** What stands after the columns of a table. */
  abstract String tableSuffix();

  /** What keeps a row from changing until the transaction ends. */
  public abstract String lockSuffix();

  /** The names of a table's columns; empty if there is no such table. */
  abstract List<String> columns(Connection connection, String table) throws SQLException;

  /** What the database takes on the disk, in bytes. */
  public abstract long bytes(Handle handle);

  /** Writes a copy of the whole database while it is in use. */
  public abstract void backup(Path file) throws StoreException;

  /** Readies a transaction for a query of a person. */
  abstract void limit(Connection connection, long millis) throws SQLException;

  /** Milliseconds since 1970 of a time column, as an expression. */
  abstract String epochMillis(String column);

  /** A time of day on the calendar as a parameter is compared with a column of a type. */
  abstract String time(Type type, Instant instant);

  /** What {@link java.sql.PreparedStatement#setObject} is told of a time. */
  abstract int timeType();

  /** A time of {@link #time} within a statement. */
  abstract String timeLiteral(Type type, String time);

  /** What a table takes on the disk, in bytes, about. */
  abstract long tableBytes(Handle handle, String table);

  /** The first column of what a query with one parameter gives. */
  static List<String> names(Connection connection, String query, String parameter)
      throws SQLException {
    List<String> names = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, parameter);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
    }
    return names;
  }

  /** A name in quotes. */
  public static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
