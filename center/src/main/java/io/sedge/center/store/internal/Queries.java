package io.sedge.center.store.internal;

import io.sedge.center.store.QueryLimits;
import io.sedge.center.store.QueryResult;
import io.sedge.center.store.RowReceiver;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.connector.Causes;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queries of people: one statement, in a transaction that is always taken back, on a connection
 * that cannot write. Any thread.
 */
public final class Queries {
  private static final int FETCH_ROWS = 500;
  private static final int NUMBER_BYTES = 8;

  private final Database database;

  public Queries(Database database) {
    this.database = database;
  }

  /** What should be set up otherwise. */
  public List<String> cautions() throws StoreException {
    try (Connection connection = database.querier()) {
      return database.dialect().cautions(connection);
    } catch (SQLException e) {
      throw database.failed(e);
    }
  }

  public QueryResult run(String sql, QueryLimits limits, RowReceiver receiver)
      throws StoreException {
    String statement = OneStatement.of(sql);
    try (Connection connection = database.querier()) {
      connection.setAutoCommit(false);
      try {
        return run(connection, statement, limits, receiver);
      } finally {
        Database.rollback(connection);
      }
    } catch (SQLException e) {
      throw database.failed(e);
    }
  }

  private QueryResult run(
      Connection connection, String sql, QueryLimits limits, RowReceiver receiver)
      throws SQLException, StoreException {
    database.dialect().limit(connection, limits.time().toMillis());
    try (PreparedStatement statement = connection.prepareStatement(sql);
        Watch watch = Watch.over(statement, limits.time())) {
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet rows = statement.executeQuery()) {
        return receive(rows, limits, receiver, watch);
      } catch (SQLException e) {
        watch.check(limits.time(), e);
        throw refusal(e);
      }
    } catch (SQLException e) {
      throw refusal(e);
    }
  }

  private StoreException refusal(SQLException e) {
    return database.dialect().isQueryFault(e)
        ? new StoreException(
            Reason.QUERY_REFUSED, "the database refuses the query: " + Causes.text(e), e)
        : database.failed(e);
  }

  private static QueryResult receive(
      ResultSet rows, QueryLimits limits, RowReceiver receiver, Watch watch)
      throws SQLException, StoreException {
    ResultSetMetaData about = rows.getMetaData();
    List<RowReceiver.Column> columns = new ArrayList<>();
    for (int i = 1; i <= about.getColumnCount(); i++) {
      columns.add(new RowReceiver.Column(about.getColumnLabel(i), about.getColumnTypeName(i)));
    }
    receiver.columns(columns);
    long count = 0;
    long bytes = 0;
    while (rows.next()) {
      watch.check(limits.time(), null);
      List<@Nullable Object> values = new ArrayList<>(columns.size());
      for (int i = 1; i <= columns.size(); i++) {
        Object value = plain(rows, i);
        values.add(value);
        bytes += bytes(value);
      }
      if (count == limits.rows() || bytes > limits.bytes()) {
        return new QueryResult(count, bytes, false);
      }
      receiver.row(values);
      count++;
    }
    return new QueryResult(count, bytes, true);
  }

  private static long bytes(@Nullable Object value) {
    return value instanceof String text ? text.length() : NUMBER_BYTES;
  }

  private static @Nullable Object plain(ResultSet rows, int index) throws SQLException {
    Object value = rows.getObject(index);
    return switch (value) {
      case null -> null;
      case Boolean flag -> flag;
      case Float number -> number.doubleValue();
      case Double number -> number;
      case BigDecimal number -> number;
      case Number number -> number.longValue();
      case String text -> text;
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      default -> rows.getString(index);
    };
  }
}
