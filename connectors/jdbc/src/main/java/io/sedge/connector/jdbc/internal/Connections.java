package io.sedge.connector.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;

/** Ends connections, whatever state they are in. */
final class Connections {
  private Connections() {}

  /** Breaks one off, whoever waits for it. Any thread. */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      return; // It is broken already.
    }
  }

  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      abort(connection);
    }
  }
}
