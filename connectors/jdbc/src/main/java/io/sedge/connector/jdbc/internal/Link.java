package io.sedge.connector.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A connection over which rows are written. It fails with the driver's exceptions, and is of no use
 * then. Used by its courier's thread alone, but for {@link #abort}.
 */
final class Link implements AutoCloseable {
  private final Connection connection;
  private final Optional<Delivered> delivered;
  private final RowWriter rows;
  private final long found;

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

  /** The sequence up to which the database had rows when it was opened; 0 if that is not known. */
  long found() {
    return found;
  }

  /** Writes rows in one transaction; waits for it. */
  void write(List<Shipment> shipments) throws SQLException {
    long last = shipments.getLast().last();
    try {
      if (delivered.isPresent()) {
        delivered.get().advance(connection, last);
      }
      rows.write(shipments);
      connection.commit();
    } catch (SQLException | RuntimeException e) {
      rollback(e);
      throw e;
    }
    delivered.ifPresent(known -> known.settle(last));
  }

  private void rollback(Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e); // The connection is gone, and the transaction with it.
    }
  }

  /** There will be nothing more. */
  void end() throws SQLException {
    if (delivered.isPresent()) {
      delivered.get().end(connection);
    }
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
