package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/**
 * How far a writer has come: a row of the table {@code sedge_delivered}, which is in the schema of
 * the table that is written.
 *
 * <pre>
 * writer   site/job/task/table; a run has a name of its own each time
 * owner    the sink that writes now
 * sequence of the last row that is there
 * </pre>
 *
 * <p>Each transaction first updates the row of its writer and owner, which locks it, then writes
 * its rows. So what is there, and what was told to be there, never differ. Another sink that is
 * opened for the writer becomes its owner; it waits for a transaction that is under way, and the
 * older sink finds no row of its own from then on. A commit that got no answer is settled by
 * reading the row. Used by its sink's thread alone.
 */
final class Delivered {
  static final String NAME = "sedge_delivered";

  private final SinkSettings settings;
  private final String table;
  private final String writer;
  private final boolean isRun;
  private final long recoveryPoint;
  private final String owner = UUID.randomUUID().toString();
  private boolean claimed;

  /** Up to where rows are in the database: somebody may have removed the row that says so. */
  private long durable;

  Delivered(SinkSettings settings, Delivery delivery) {
    this.settings = settings;
    int dot = settings.path().lastIndexOf('.');
    this.table =
        settings.database().dialect().quotedPath(settings.path().substring(0, dot + 1) + NAME);
    this.isRun = delivery.writer().isEmpty();
    this.writer =
        delivery
            .writer()
            .map(Delivery.Writer::name)
            .orElse("run/%s/%s".formatted(settings.table().name(), owner));
    this.recoveryPoint = delivery.recoveryPoint();
    this.durable = recoveryPoint;
  }

  /**
   * Becomes the owner, or, after a connection was lost, looks whether it still is.
   *
   * @return the sequence up to which the database has rows
   */
  long claim(Connection connection) throws SQLException {
    makeTable(connection);
    if (!claimed) {
      takeOver(connection);
    }
    long found = read(connection);
    connection.commit();
    if (!claimed && found > recoveryPoint) {
      settings
          .context()
          .report(
              Severity.INFO,
              "%s has rows up to %d, the ledger knows of %d; rows up to %d are not written again"
                  .formatted(settings.subject(), found, recoveryPoint, found));
    }
    claimed = true;
    durable = Math.max(durable, found);
    return durable;
  }

  private void makeTable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet nothing =
            statement.executeQuery("SELECT sequence FROM %s WHERE 1 = 0".formatted(table))) {
      var _ = nothing.next();
      return;
    } catch (SQLException e) {
      if (!Failures.isMissingTable(e)) {
        throw e;
      }
    } finally {
      connection.rollback(); // SQLite may refuse to write amid a transaction that has read.
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(createTable());
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      if (!Failures.isLasting(e)) {
        throw e;
      }
      throw Failures.external(
          "%s: the table that keeps how far a job has come cannot be made (%s); let somebody who may type %s, or set '%s' = 'at-least-once'"
              .formatted(
                  settings.subject(), Failures.explain(e), createTable(), JdbcOptions.GUARANTEE),
          e);
    }
  }

  private String createTable() {
    String text =
        settings.database().dialect() == Dialect.MARIADB
            ? "VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
            : "TEXT";
    return "CREATE TABLE IF NOT EXISTS %s (writer %s NOT NULL PRIMARY KEY, owner VARCHAR(36) NOT NULL, sequence BIGINT NOT NULL)%s"
        .formatted(
            table,
            text,
            settings.database().dialect() == Dialect.MARIADB ? " ENGINE = InnoDB" : "");
  }

  private void takeOver(Connection connection) throws SQLException {
    String insert =
        settings.database().dialect().insert(table, List.of("writer", "owner", "sequence"));
    String upsert =
        insert
            + (settings.database().dialect() == Dialect.MARIADB
                ? " ON DUPLICATE KEY UPDATE owner = VALUES(owner)"
                : " ON CONFLICT (writer) DO UPDATE SET owner = excluded.owner");
    try (PreparedStatement statement = connection.prepareStatement(upsert)) {
      statement.setString(1, writer);
      statement.setString(2, owner);
      statement.setLong(3, durable);
      statement.executeUpdate();
    }
  }

  private long read(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT owner, sequence FROM %s WHERE writer = ?".formatted(table))) {
      statement.setString(1, writer);
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          if (!row.getString(1).equals(owner)) {
            throw takenOver();
          }
          return row.getLong(2);
        }
      }
    }
    takeOver(connection); // Somebody has removed it.
    return durable;
  }

  /**
   * The first step of a transaction.
   *
   * @throws ConnectorException if another sink delivers the rows now
   */
  void advance(Connection connection, long sequence) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "UPDATE %s SET sequence = ? WHERE writer = ? AND owner = ?".formatted(table))) {
      statement.setLong(1, sequence);
      statement.setString(2, writer);
      statement.setString(3, owner);
      if (statement.executeUpdate() == 0) {
        throw takenOver();
      }
    }
  }

  private ConnectorException takenOver() {
    return new ConnectorException(
        ConnectorException.Kind.EXTERNAL,
        "%s: taken over by another that delivers the rows of %s"
            .formatted(settings.subject(), writer));
  }

  /** The transaction of {@link #advance} was committed. */
  void settle(long sequence) {
    durable = sequence;
  }

  /** All is written: what a run has kept is of no use to another. */
  void end(Connection connection) throws SQLException {
    if (!isRun) {
      return;
    }
    try (PreparedStatement statement =
        connection.prepareStatement("DELETE FROM %s WHERE writer = ?".formatted(table))) {
      statement.setString(1, writer);
      statement.executeUpdate();
      connection.commit();
    }
  }
}
