package io.sedge.connector.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.sqlite.ProgressHandler;

/**
 * Ends what runs on a connection to SQLite for too long, as if it were interrupted. A time-out of a
 * statement does not: in SQLite's driver it is that of the wait for a lock, and a view may run for
 * ever.
 */
final class LiteDeadline implements AutoCloseable {
  /** Of SQLite's virtual machine, which does many millions in a second. */
  private static final int STEPS_BETWEEN_LOOKS = 10_000;

  private final Connection connection;

  private LiteDeadline(Connection connection) {
    this.connection = connection;
  }

  /** Holds until it is closed. A connection has one at a time. */
  static LiteDeadline set(Connection connection, LongSupplier nanoClock, Duration atMost)
      throws SQLException {
    long end = nanoClock.getAsLong() + atMost.toNanos();
    ProgressHandler.setHandler(
        connection,
        STEPS_BETWEEN_LOOKS,
        new ProgressHandler() {
          @Override
          protected int progress() {
            return nanoClock.getAsLong() - end < 0 ? 0 : 1;
          }
        });
    return new LiteDeadline(connection);
  }

  @Override
  public void close() throws SQLException {
    ProgressHandler.clearHandler(connection);
  }
}
