package io.sedge.center.store.internal;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.connector.Causes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the database, in pools by what they are for, so that people's queries never keep
 * rows or sites waiting. Any thread.
 */
public final class Database implements AutoCloseable {
  private static final int READERS = 4;
  private static final long PATIENCE_MS = 5_000;
  private static final long QUERY_PATIENCE_MS = 1_000;

  private final Dialect dialect;
  private final HikariDataSource writes;
  private final HikariDataSource reads;
  private final HikariDataSource queries;
  private final HikariDataSource secrets;
  private final Jdbi writing;
  private final Jdbi reading;
  private final Jdbi secret;

  private Database(Dialect dialect, int queriesAtOnce) {
    this.dialect = dialect;
    this.writes = pool("rows", dialect.writing(), dialect.writers(), PATIENCE_MS, false);
    this.reads = pool("reads", dialect.reading(), READERS, PATIENCE_MS, true);
    this.queries = pool("queries", dialect.querying(), queriesAtOnce, QUERY_PATIENCE_MS, true);
    this.secrets = pool("secrets", dialect.secrets(), 1, PATIENCE_MS, false);
    this.writing = Jdbi.create(writes);
    this.reading = Jdbi.create(reads);
    this.secret = Jdbi.create(secrets);
  }

  /**
   * Brings the store's own tables up to date and connects.
   *
   * @throws StoreException STORE_UNAVAILABLE
   */
  public static Database open(Dialect dialect, int queriesAtOnce) throws StoreException {
    try {
      dialect.prepare();
      migrate(dialect.migrating(), dialect.migrations());
      migrateSecrets(dialect);
      return new Database(dialect, queriesAtOnce);
    } catch (SQLException | FlywayException e) {
      throw new StoreException(
          Reason.STORE_UNAVAILABLE,
          "the database at %s cannot be opened: %s".formatted(dialect.where(), Causes.text(e)),
          e);
    }
  }

  /** Brings the tables of tokens up to date where they have a database of their own. */
  static void migrateSecrets(Dialect dialect) {
    String location = dialect.secretMigrations();
    if (location != null) {
      migrate(dialect.secrets(), location);
    }
  }

  private static void migrate(DataSource source, String location) {
    Flyway.configure()
        .dataSource(source)
        .loggers("slf4j")
        .locations("classpath:" + location)
        .failOnMissingLocations(true)
        .table("sedge_migration")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .load()
        .migrate();
  }

  private static HikariDataSource pool(
      String name, DataSource source, int connections, long patienceMs, boolean readOnly) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("sedge-center-" + name);
    config.setDataSource(source);
    config.setReadOnly(readOnly);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(patienceMs);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  public Dialect dialect() {
    return dialect;
  }

  /** A connection to apply rows with; the caller closes it. */
  Connection writer() throws SQLException {
    return writes.getConnection();
  }

  /**
   * A connection for a query of a person; the caller closes it.
   *
   * @throws StoreException BUSY, QUERY_ENDED
   */
  Connection querier() throws StoreException {
    try {
      return queries.getConnection();
    } catch (SQLTransientConnectionException e) {
      if (queries.getHikariPoolMXBean().getActiveConnections() >= queries.getMaximumPoolSize()) {
        throw new StoreException(
            Reason.BUSY,
            "%d queries are running, which is as many as may: try again"
                .formatted(queries.getMaximumPoolSize()),
            e);
      }
      throw failed(e);
    } catch (SQLException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new StoreException(Reason.QUERY_ENDED, "the query was cancelled", e);
      }
      throw failed(e);
    }
  }

  /** Takes a transaction back. A connection that cannot is of no use to anybody. */
  static void rollback(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The pool finds that it is broken and closes it; the transaction ends with it.
    }
  }

  /** What is done with the store's own tables. */
  public interface Work<T extends @Nullable Object> {
    T with(Handle handle) throws StoreException, SQLException;
  }

  /** What is done with the store's own tables and returns nothing. */
  public interface Action {
    void with(Handle handle) throws StoreException, SQLException;
  }

  /** In one transaction. */
  public <T extends @Nullable Object> T write(Work<T> work) throws StoreException {
    return run(writing, work);
  }

  /** In one transaction. */
  public void change(Action action) throws StoreException {
    run(writing, done(action));
  }

  /** What is committed. */
  public <T extends @Nullable Object> T read(Work<T> work) throws StoreException {
    return run(reading, work);
  }

  /** In one transaction, with the tables of tokens. */
  public <T extends @Nullable Object> T secret(Work<T> work) throws StoreException {
    return run(secret, work);
  }

  /** In one transaction, with the tables of tokens. */
  public void changeSecret(Action action) throws StoreException {
    run(secret, done(action));
  }

  private static Work<Boolean> done(Action action) {
    return handle -> {
      action.with(handle);
      return true;
    };
  }

  private <T extends @Nullable Object> T run(Jdbi jdbi, Work<T> work) throws StoreException {
    try {
      return jdbi.<T, Exception>inTransaction(work::with);
    } catch (StoreException e) {
      throw e;
    } catch (Exception e) {
      // SQLException and what Jdbi makes of it; anything else is a fault, which failed() says.
      throw failed(e);
    }
  }

  /** A failure as people are told. */
  public StoreException failed(Exception thrown) {
    SQLException cause = cause(thrown);
    if (cause == null || !dialect.isUnavailable(cause)) {
      return new StoreException(
          Reason.INTERNAL, "the store failed: " + Causes.text(thrown), thrown);
    }
    return unavailable(cause);
  }

  StoreException unavailable(SQLException e) {
    return new StoreException(
        Reason.STORE_UNAVAILABLE,
        "the database at %s cannot take it now: %s".formatted(dialect.where(), dialect.explain(e)),
        e);
  }

  static @Nullable SQLException cause(Throwable thrown) {
    Throwable at = thrown;
    while (at != null && !(at instanceof SQLException)) {
      at = at.getCause();
    }
    return (SQLException) at;
  }

  @Override
  public void close() {
    List<HikariDataSource> all = new ArrayList<>(List.of(queries, reads, secrets, writes));
    all.forEach(HikariDataSource::close);
  }
}
