package io.sedge.connector.jdbc.internal;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A query that reads a table from a position on, row by row, in an order that is always the same.
 * Behind the last row's key where there is one; else as many rows as were read are passed over.
 */
final class Scan implements AutoCloseable {
  private final ScanSettings settings;
  private final Connection connection;
  private final PreparedStatement statement;
  private final ResultSet rows;

  /**
   * Opens it; blocks as the database's time-outs say.
   *
   * @throws io.sedge.connector.ConnectorException if the table does not fit
   */
  Scan(ScanSettings settings, ScanPosition from) throws SQLException {
    this.settings = settings;
    Database database = settings.database();
    connection = database.connect();
    try {
      Layout layout = Layout.of(connection, database, settings.table(), settings.path(), false);
      statement = connection.prepareStatement(query(layout, from));
      statement.setFetchSize(settings.fetched());
      bind(from);
      rows = statement.executeQuery();
      long passed = from.last().isEmpty() ? from.rows() : 0;
      while (passed > 0 && rows.next()) {
        passed--;
      }
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private String query(Layout layout, ScanPosition from) {
    List<String> order = settings.order().stream().map(layout.columns()::get).toList();
    List<String> conditions = new ArrayList<>();
    settings
        .range()
        .ifPresent(
            range ->
                conditions.add(
                    "%s BETWEEN ? AND ?".formatted(layout.columns().get(range.column()))));
    if (!from.last().isEmpty()) {
      conditions.add(
          "(%s) > (%s)"
              .formatted(
                  String.join(", ", order),
                  order.stream().map(_ -> "?").collect(Collectors.joining(", "))));
    }
    return "SELECT %s FROM %s%s ORDER BY %s"
        .formatted(
            String.join(", ", layout.columns()),
            layout.table(),
            conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions),
            String.join(", ", order));
  }

  private void bind(ScanPosition from) throws SQLException {
    int parameter = 0;
    if (settings.range().isPresent()) {
      statement.setLong(++parameter, settings.range().get().from());
      statement.setLong(++parameter, settings.range().get().to());
    }
    Schema schema = settings.table().schema();
    for (int i = 0; i < from.last().size(); i++) {
      Type type = schema.type(settings.order().get(i));
      Object value = ScanPosition.value(from.last().get(i), type);
      statement.setObject(++parameter, Values.written(value, type, settings.database().dialect()));
    }
  }

  /** The row that {@link #next} has come to. */
  ResultSet row() {
    return rows;
  }

  boolean next() throws SQLException {
    return rows.next();
  }

  /** Breaks the connection off, whoever waits for it. Any thread. */
  void abort() {
    Connections.abort(connection);
  }

  @Override
  public void close() {
    Connections.close(connection);
  }
}
