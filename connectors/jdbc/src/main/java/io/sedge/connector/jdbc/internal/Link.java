package io.sedge.connector.jdbc.internal;

import io.sedge.connector.courier.Carrier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A connection over which rows are written; it fails with the driver's exceptions. */
final class Link implements Carrier<Rows> {
  private final Connection connection;
  private final Optional<Delivered> delivered;
  private final RowWriter rows;
  private final long found;
  private final List<Rows> taken = new ArrayList<>();

  /**
   * Opens one; blocks as the database's time-outs say.
   *
   * @param delivered keeps how far the writer has come, if anything does
   * @throws io.sedge.connector.ConnectorException if the table does not fit, or another sink
   *     delivers the rows now
   */
  Link(SinkSettings settings, Optional<Delivered> delivered, RowWriter.Refusals refusals)
      throws SQLException {
    this.delivered = delivered;
    Database database = settings.database();
    connection = database.connect();
    try {
      Layout layout = Layout.of(connection, database, settings.table(), settings.path(), true);
      if (delivered.isPresent() && database.dialect() == Dialect.MARIADB) {
        Layout.checkTransactions(connection, database, settings.table(), settings.path());
      }
      connection.rollback();
      found = delivered.isPresent() ? delivered.get().claim(connection) : 0;
      rows = new RowWriter(connection, settings.table(), database.dialect(), layout, refusals);
    } catch (SQLException | RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public long found() {
    return found;
  }

  /** Kept for the transaction, so that no lock is held while rows gather. */
  @Override
  public void send(Rows rows) {
    taken.add(rows);
  }

  /** One transaction. */
  @Override
  public void commit(long last) throws SQLException {
    try {
      if (delivered.isPresent()) {
        delivered.get().advance(connection, last);
      }
      rows.write(taken);
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      rollback(e);
      throw e;
    }
    taken.clear();
    delivered.ifPresent(known -> known.settle(last));
  }

  private void rollback(Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e); // The connection is gone, and the transaction with it.
    }
  }

  @Override
  public void end() throws SQLException {
    if (delivered.isPresent()) {
      delivered.get().end(connection);
    }
  }

  @Override
  public void abort() {
    Connections.abort(connection);
  }

  @Override
  public void close() {
    Connections.close(connection);
  }
}
