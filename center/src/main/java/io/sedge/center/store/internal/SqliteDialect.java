package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.connector.Causes;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.type.Type;
import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLSyntaxErrorException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.Pragma;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * SQLite: one file for what may be read, one for the hashes of tokens. One connection writes, and
 * each commit is on the disk when it returns.
 */
public final class SqliteDialect extends Dialect {
  static final String FILE = "center.db";
  static final String SECRETS = "secrets.db";
  private static final int BUSY_MS = 10_000;
  private static final int CACHE_KB = 64 << 10;

  /** Of each connection that only reads: there are several. */
  private static final int READER_CACHE_KB = 16 << 10;

  private static final int PAGE_BYTES = 8 << 10;
  private static final int CHECKPOINT_PAGES = 2_000;
  private static final int JOURNAL_BYTES = 64 << 20;

  /** The longest value that a query of a person may make. */
  private static final int VALUE_BYTES = 16 << 20;

  private static final int EXACT_DIGITS = 15;

  /** As many pages as SQLite can have. */
  private static final int MAX_PAGES = Integer.MAX_VALUE - 1;

  private final Path directory;
  private final int maxPages;

  public SqliteDialect(Path directory) {
    this(directory, MAX_PAGES);
  }

  /**
   * One that is full early.
   *
   * @param maxPages how many pages of 8 KB the file may have
   */
  public SqliteDialect(Path directory, int maxPages) {
    this.directory = directory;
    this.maxPages = maxPages;
  }

  @Override
  void prepare() throws SQLException {
    try {
      SecretFiles.makeDirectory(directory);
      for (Path file : List.of(file(), directory.resolve(SECRETS))) {
        if (!Files.exists(file)) {
          SecretFiles.create(file).close();
        }
      }
    } catch (IOException e) {
      throw new SQLException("its directory cannot be written: " + e.getMessage(), e);
    }
  }

  private Path file() {
    return directory.resolve(FILE);
  }

  @Override
  public String where() {
    return directory.toString();
  }

  @Override
  public String version(Handle handle) {
    return "SQLite " + handle.select("SELECT sqlite_version()").mapTo(String.class).one();
  }

  private SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_MS);
    config.setPageSize(PAGE_BYTES);
    config.setMaxPageCount(maxPages);
    config.setTransactionMode(TransactionMode.IMMEDIATE);
    config.setCacheSize(-CACHE_KB);
    config.setJournalSizeLimit(JOURNAL_BYTES);
    config.setPragma(Pragma.WAL_AUTOCHECKPOINT, Integer.toString(CHECKPOINT_PAGES));
    return config;
  }

  private static SQLiteConfig readOnly() {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MS);
    config.setCacheSize(-READER_CACHE_KB);
    return config;
  }

  private static DataSource source(Path file, SQLiteConfig config) {
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file);
    return source;
  }

  @Override
  List<String> cautions(Connection connection) {
    return List.of();
  }

  @Override
  DataSource migrating() {
    return writing();
  }

  @Override
  DataSource writing() {
    return source(file(), config());
  }

  @Override
  DataSource reading() {
    return source(file(), readOnly());
  }

  @Override
  DataSource querying() {
    SQLiteConfig config = readOnly();
    config.setPragma(Pragma.LIMIT_ATTACHED, "0");
    config.setPragma(Pragma.LIMIT_LENGTH, Integer.toString(VALUE_BYTES));
    return source(file(), config);
  }

  @Override
  DataSource secrets() {
    return source(directory.resolve(SECRETS), config());
  }

  @Override
  int writers() {
    return 1;
  }

  @Override
  String migrations() {
    return "db/migration/sqlite";
  }

  @Override
  String secretMigrations() {
    return "db/migration/secrets";
  }

  @Override
  public String secretPrefix() {
    return "";
  }

  private static @Nullable SQLiteErrorCode code(SQLException thrown) {
    return thrown instanceof SQLiteException sqlite ? sqlite.getResultCode() : null;
  }

  @Override
  boolean isUnavailable(SQLException thrown) {
    SQLiteErrorCode code = code(thrown);
    if (code == null) {
      return !(thrown instanceof SQLSyntaxErrorException);
    }
    return switch (SQLiteErrorCode.getErrorCode(code.code & 0xff)) {
      case SQLITE_FULL,
          SQLITE_IOERR,
          SQLITE_BUSY,
          SQLITE_LOCKED,
          SQLITE_CANTOPEN,
          SQLITE_READONLY,
          SQLITE_NOMEM,
          SQLITE_CORRUPT,
          SQLITE_NOTADB,
          SQLITE_PROTOCOL,
          SQLITE_PERM ->
          true;
      default -> false;
    };
  }

  @Override
  String explain(SQLException thrown) {
    SQLiteErrorCode code = code(thrown);
    if (code == SQLiteErrorCode.SQLITE_FULL) {
      return "the disk is full: make room, rows are taken again then";
    }
    return Causes.text(thrown);
  }

  @Override
  boolean isSchemaChanged(SQLException thrown) {
    String message = String.valueOf(thrown.getMessage());
    return message.contains("no such table")
        || message.contains("no such column")
        || message.contains("has no column named")
        || message.contains("no column named")
        || message.contains("does not match any PRIMARY KEY or UNIQUE constraint")
        || message.contains("constraint failed");
  }

  @Override
  boolean isQueryFault(SQLException thrown) {
    // The driver's own refusals have no code.
    SQLiteErrorCode code = code(thrown);
    return code == null || code == SQLiteErrorCode.SQLITE_READONLY || !isUnavailable(thrown);
  }

  @Override
  String sqlType(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH -> "INTEGER";
      case FLOAT, DOUBLE, DECIMAL -> "REAL";
      case DATE -> "DATE";
      case TIMESTAMP, TIMESTAMP_LTZ -> "TIMESTAMP";
      case CHAR, VARCHAR, TIME, ARRAY, ROW, NULL -> "TEXT";
    };
  }

  @Override
  @Nullable String warning(Type type) {
    return switch (type.kind()) {
      case DECIMAL ->
          type.precision() > EXACT_DIGITS
              ? "SQLite keeps %d digits of a %s; PostgreSQL keeps all"
                  .formatted(EXACT_DIGITS, type.withNullable(true))
              : null;
      default -> null;
    };
  }

  @Override
  Cells cells(Type stored, Column column, Repairs repairs) {
    return switch (stored.kind()) {
      case BOOLEAN, NULL -> {
        boolean[] values = ((BooleanColumn) column).values();
        yield new Cells(
            column,
            Types.INTEGER,
            (statement, index, row) -> statement.setInt(index, values[row] ? 1 : 0),
            row -> values[row]);
      }
      case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
          Cells.longs(column, Types.BIGINT);
      case FLOAT, DOUBLE -> doubles(column, Cells.doubles(column), repairs);
      case DECIMAL -> doubles(column, row -> Cells.decimal(column, row).doubleValue(), repairs);
      case CHAR, VARCHAR -> Cells.strings(column, Types.VARCHAR, repairs);
      case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ, ARRAY, ROW ->
          Cells.texts(column, Types.VARCHAR, Cells.text(stored, column, repairs));
    };
  }

  private static Cells doubles(Column column, Cells.DoubleSource source, Repairs repairs) {
    return new Cells(
        column,
        Types.DOUBLE,
        (statement, index, row) -> {
          double value = source.get(row);
          if (Double.isNaN(value)) {
            repairs.repaired();
            statement.setNull(index, Types.DOUBLE);
          } else {
            statement.setDouble(index, value);
          }
        },
        row -> Double.isNaN(source.get(row)) ? null : Cells.number(source.get(row)));
  }

  @Override
  List<String> widen(String table, String column, Type wider) {
    return List.of();
  }

  @Override
  String tableSuffix() {
    return " WITHOUT ROWID";
  }

  @Override
  public String lockSuffix() {
    return "";
  }

  @Override
  List<String> columns(Connection connection, String table) throws SQLException {
    return names(connection, "SELECT name FROM pragma_table_info(?)", table);
  }

  @Override
  public long bytes(Handle handle) {
    long bytes = 0;
    for (String suffix : List.of("", "-wal")) {
      bytes += Math.max(0, directory.resolve(FILE + suffix).toFile().length());
    }
    return bytes;
  }

  @Override
  public void backup(Path file) throws StoreException {
    SqliteBackup.write(directory, file);
  }

  @Override
  void limit(Connection connection, long millis) {
    // The connection cannot write; the watch ends what takes too long.
  }

  @Override
  String epochMillis(String column) {
    return "CAST(round((julianday(%s) - 2440587.5) * 86400000) AS INTEGER)".formatted(column);
  }

  @Override
  String time(Type type, Instant instant) {
    long micros = TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1_000;
    return new TimeText(new Repairs()).timestamp(micros, type.precision());
  }

  @Override
  int timeType() {
    return Types.VARCHAR;
  }

  @Override
  String timeLiteral(Type type, String time) {
    return "'%s'".formatted(time);
  }

  /** The table's part of the bytes that sites have sent, of what the file takes. */
  @Override
  long tableBytes(Handle handle, String table) {
    long file =
        handle
            .createQuery(
                "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count,"
                    + " pragma_freelist_count, pragma_page_size")
            .mapTo(Long.class)
            .one();
    double part =
        handle
            .createQuery(
                "SELECT coalesce(total(byte_count) FILTER (WHERE result_table = :table)"
                    + " / nullif(total(byte_count), 0), 0) FROM sedge_stream")
            .bind("table", table)
            .mapTo(Double.class)
            .one();
    return (long) (file * part);
  }
}
