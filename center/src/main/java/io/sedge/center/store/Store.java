package io.sedge.center.store;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.Dialect;
import io.sedge.center.store.internal.Keeper;
import io.sedge.center.store.internal.PostgresDialect;
import io.sedge.center.store.internal.Queries;
import io.sedge.center.store.internal.Retention;
import io.sedge.center.store.internal.Rows;
import io.sedge.center.store.internal.SeriesQuery;
import io.sedge.center.store.internal.SqliteBackup;
import io.sedge.center.store.internal.SqliteDialect;
import io.sedge.center.store.internal.TableList;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The center's store. A row that a site sends is stored once, whatever is killed, cut or repeated:
 * its stream's sequence is committed with it. Any thread; a thread of its own stores rows.
 *
 * <pre>
 *   table of a job   columns of the store        primary key
 *   without a key    _site, _job, _stream, _seq  (_stream, _seq)
 *   with a key       the same                    (_site, the key's columns)
 * </pre>
 *
 * {@code _stream} names the site, job, task and sink that a row comes from, in {@code
 * sedge_stream}; {@code _seq} is its sequence there, with the generation of the site from bit 48
 * on.
 */
public final class Store implements AutoCloseable {
  private final Database database;
  private final Sites sites;
  private final Enrolments enrolments;
  private final AccessTokens tokens;
  private final People people;
  private final AuditLog audit;
  private final Merges merges;
  private final Orders orders;
  private final SiteAlarms alarms;
  private final Fleet fleet;
  private final Rows rows;
  private final Queries queries;
  private final TableList tables;
  private final SeriesQuery series;
  private final Retention retention;
  private final Keeper keeper;

  private Store(Database database, long queueBytes, InstantSource clock, Consumer<String> log)
      throws StoreException {
    this.database = database;
    this.sites = new Sites(database, clock);
    this.enrolments = new Enrolments(database, clock);
    this.tokens = new AccessTokens(database, clock);
    this.people = new People(database, clock);
    this.audit = new AuditLog(database, clock);
    this.merges = new Merges(database, clock);
    this.orders = new Orders(database, clock, log);
    this.alarms = new SiteAlarms(database, clock);
    this.fleet = new Fleet(database, clock, orders);
    this.queries = new Queries(database);
    queries.cautions().forEach(log);
    this.rows = new Rows(database, queueBytes, clock, log, sites::forget);
    this.tables = new TableList(database);
    this.series = new SeriesQuery(database, tables);
    this.retention = new Retention(database, tables, clock);
    this.keeper = new Keeper(retention, this::writeLastUse, log);
  }

  /** Writes when people and tokens were last there; else it is done once a minute. */
  void writeLastUse() throws StoreException {
    people.writeSeen();
    tokens.writeUsed();
  }

  /**
   * Opens a store, or makes it; its own tables are brought up to date.
   *
   * @param log takes what people should read: tables that change, sites that went back, failures
   * @throws StoreException STORE_UNAVAILABLE
   */
  public static Store open(StoreOptions options, InstantSource clock, Consumer<String> log)
      throws StoreException {
    Dialect dialect =
        switch (options.place()) {
          case StoreOptions.Embedded embedded -> new SqliteDialect(embedded.directory());
          case StoreOptions.Postgres postgres -> new PostgresDialect(postgres);
        };
    return open(dialect, options, clock, log);
  }

  /** With a dialect that a test has made. */
  static Store open(
      Dialect dialect, StoreOptions options, InstantSource clock, Consumer<String> log)
      throws StoreException {
    Database database = Database.open(dialect, options.queries());
    try {
      return new Store(database, options.queueBytes(), clock, log);
    } catch (StoreException | RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** The sites that may report. */
  public Sites sites() {
    return sites;
  }

  /** Jobs that are given to many sites. */
  public Fleet fleet() {
    return fleet;
  }

  /** Tokens that sites enrol with. */
  public Enrolments enrolments() {
    return enrolments;
  }

  /** Tokens of people and programs. */
  public AccessTokens tokens() {
    return tokens;
  }

  /** People who log in with a password. */
  public People people() {
    return people;
  }

  /** What the center asks of its sites. */
  public Orders orders() {
    return orders;
  }

  /** The alarms that sites have. */
  public SiteAlarms alarms() {
    return alarms;
  }

  /** Who has done what. */
  public AuditLog audit() {
    return audit;
  }

  /** Jobs over many sites that the center merges. */
  public Merges merges() {
    return merges;
  }

  /**
   * Makes a stream known, and makes or changes the table that its rows go to. A table gets columns
   * that it lacks and wider types; a column that a stream lacks stays NULL in its rows.
   *
   * @throws StoreException MALFORMED, SCHEMA_REFUSED, UNKNOWN_SITE, REVOKED, SEQUENCE_WENT_BACK,
   *     STORE_UNAVAILABLE
   */
  public OpenedStream openStream(String site, StreamOpening opening) throws StoreException {
    return rows.open(site, opening);
  }

  /**
   * Stores blocks of a stream, all or none; those that are stored already are skipped. Appends of a
   * stream are stored in the order of the calls; if one fails, those that wait behind it fail too.
   *
   * @param blocks in the order of their sequences, which may have gaps
   * @return the sequence up to which the stream is stored, once that is committed; or a {@link
   *     StoreException}: BUSY and STORE_UNAVAILABLE pass; MALFORMED, SCHEMA_REFUSED, UNKNOWN_SITE,
   *     REVOKED, SEQUENCE_WENT_BACK. It ends on the thread that stores: go on elsewhere.
   */
  public CompletableFuture<Long> append(String site, long stream, List<RowBlock> blocks) {
    return rows.append(site, stream, blocks);
  }

  /**
   * Tells somebody each time that appends have ended, most with rows that are committed now.
   *
   * @param listener called by the thread that stores: it goes on elsewhere, and throws nothing
   */
  public void onRows(Runnable listener) {
    rows.onRows(listener);
  }

  /**
   * Asks one query, which cannot write. Interrupting the thread ends it.
   *
   * @throws StoreException QUERY_REFUSED, QUERY_ENDED, BUSY if as many run as may,
   *     STORE_UNAVAILABLE
   */
  public QueryResult query(String sql, QueryLimits limits, RowReceiver receiver)
      throws StoreException {
    return queries.run(sql, limits, receiver);
  }

  /** The tables of results by name. */
  public List<TableInfo> tables() throws StoreException {
    return tables.all();
  }

  /**
   * Values over time, down-sampled.
   *
   * @throws StoreException UNKNOWN_TABLE, QUERY_ENDED after 30 seconds, BUSY, STORE_UNAVAILABLE
   */
  public Series series(SeriesRequest request) throws StoreException {
    return series.run(request);
  }

  /**
   * Says how long a table keeps its rows. Older ones are deleted once a minute, some thousand at a
   * time.
   *
   * @param keep empty for ever
   * @param timeColumn a TIMESTAMP or TIMESTAMP_LTZ of the table
   * @throws StoreException UNKNOWN_TABLE
   */
  public void retention(String table, Optional<Duration> keep, String timeColumn)
      throws StoreException {
    retention.set(table, keep, timeColumn);
  }

  /** Deletes now what is older than its table keeps it, a million rows of a table at most. */
  public long expire() throws StoreException {
    return retention.pass();
  }

  /**
   * Copies the store to a new file while it is in use. The file is for its owner alone: it has the
   * hashes of tokens.
   *
   * @throws StoreException MALFORMED if the file is there; QUERY_REFUSED for PostgreSQL, which has
   *     pg_dump
   */
  public void backup(Path file) throws StoreException {
    database.dialect().backup(file);
  }

  /**
   * Puts a backup into a directory that has no store.
   *
   * @throws StoreException MALFORMED; QUERY_REFUSED for PostgreSQL, which has pg_restore
   */
  public static void restore(Path file, StoreOptions options) throws StoreException {
    switch (options.place()) {
      case StoreOptions.Embedded embedded -> SqliteBackup.restore(file, embedded.directory());
      case StoreOptions.Postgres _ ->
          throw new StoreException(
              Reason.QUERY_REFUSED, "the store is a PostgreSQL server: restore it with pg_restore");
    }
  }

  /** How the store is doing. */
  public StoreStatus status() {
    return rows.status();
  }

  /** Stores what waits, then closes the database. */
  @Override
  public void close() {
    keeper.close();
    rows.close();
    database.close();
  }
}
