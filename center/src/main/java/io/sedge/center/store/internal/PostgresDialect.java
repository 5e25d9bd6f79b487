package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.StoreOptions.Login;
import io.sedge.center.store.StoreOptions.Postgres;
import io.sedge.connector.Causes;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL, 14 or later. */
public final class PostgresDialect extends Dialect {
  private static final int WRITERS = 4;
  private static final int CONNECT_SECONDS = 10;
  private static final int SOCKET_SECONDS = 300;
  private static final String SECRETS = "sedge_secret";
  private static final String QUERY_BUFFER = "64M";

  /** Connection, resources, operator, system, internal, transaction, authorization, no database. */
  private static final Set<String> UNAVAILABLE =
      Set.of("08", "53", "57", "58", "XX", "40", "28", "3D", "25", "55");

  /** Names and types of columns, values that do not fit, constraints, limits of PostgreSQL. */
  private static final Set<String> CHANGED = Set.of("42", "22", "23", "54");

  /** A transaction is in the wrong state: it cannot write. */
  private static final String READ_ONLY = "25";

  private final Postgres place;

  public PostgresDialect(Postgres place) {
    this.place = place;
  }

  @Override
  void prepare() {}

  @Override
  public String where() {
    int options = place.url().indexOf('?');
    return options < 0 ? place.url() : place.url().substring(0, options);
  }

  @Override
  public String version(Handle handle) {
    return "PostgreSQL " + handle.select("SHOW server_version").mapTo(String.class).one();
  }

  private PGSimpleDataSource source(Login login, String options) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(place.url());
    source.setUser(login.user());
    source.setPassword(login.password());
    source.setApplicationName("sedge-center");
    source.setConnectTimeout(CONNECT_SECONDS);
    source.setSocketTimeout(SOCKET_SECONDS);
    source.setTcpKeepAlive(true);
    source.setOptions(options);
    return source;
  }

  @Override
  List<String> cautions(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT current_user, rolsuper, has_schema_privilege('%s', 'USAGE')"
                        .formatted(SECRETS)
                    + " FROM pg_roles WHERE rolname = current_user")) {
      if (!row.next() || !row.getBoolean(3)) {
        return List.of();
      }
      return List.of(
          ("people's queries are run as '%s', who may %s: give the center a user for queries who"
                  + " may only read results")
              .formatted(
                  row.getString(1),
                  row.getBoolean(2)
                      ? "do everything in the database server"
                      : "read the hashes of passwords and tokens"));
    }
  }

  @Override
  DataSource migrating() {
    return source(place.login(), "");
  }

  @Override
  DataSource writing() {
    PGSimpleDataSource source =
        source(place.login(), "-c synchronous_commit=on -c lock_timeout=30s -c TimeZone=UTC");
    source.setReWriteBatchedInserts(true);
    return source;
  }

  @Override
  DataSource reading() {
    return source(place.login(), "-c default_transaction_read_only=on -c TimeZone=UTC");
  }

  @Override
  DataSource querying() {
    PGSimpleDataSource source =
        source(
            place.reader().orElse(place.login()),
            "-c default_transaction_read_only=on -c TimeZone=UTC");
    source.setReadOnly(true);
    source.setMaxResultBuffer(QUERY_BUFFER);
    return source;
  }

  @Override
  DataSource secrets() {
    return source(place.login(), "-c synchronous_commit=on -c lock_timeout=30s");
  }

  @Override
  int writers() {
    return WRITERS;
  }

  @Override
  String migrations() {
    return "db/migration/postgresql";
  }

  @Override
  @Nullable String secretMigrations() {
    return null;
  }

  @Override
  public String secretPrefix() {
    return SECRETS + ".";
  }

  private static String stateClass(SQLException thrown) {
    String state = thrown.getSQLState();
    return state == null || state.length() < 2 ? "08" : state.substring(0, 2);
  }

  @Override
  boolean isUnavailable(SQLException thrown) {
    return UNAVAILABLE.contains(stateClass(thrown));
  }

  @Override
  String explain(SQLException thrown) {
    return Causes.text(thrown);
  }

  @Override
  boolean isSchemaChanged(SQLException thrown) {
    return CHANGED.contains(stateClass(thrown));
  }

  @Override
  boolean isQueryFault(SQLException thrown) {
    String state = stateClass(thrown);
    return !UNAVAILABLE.contains(state)
        || state.equals(READ_ONLY)
        || String.valueOf(thrown.getMessage()).contains("maxResultBuffer");
  }

  @Override
  String sqlType(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case TINYINT, SMALLINT -> "smallint";
      case INT, INTERVAL_YEAR_MONTH -> "integer";
      case BIGINT, INTERVAL_DAY_TIME -> "bigint";
      case FLOAT -> "real";
      case DOUBLE -> "double precision";
      case DECIMAL -> "numeric(%d, %d)".formatted(type.precision(), type.scale());
      case CHAR, VARCHAR, NULL -> "text";
      case DATE -> "date";
      case TIME -> "time(%d)".formatted(type.precision());
      case TIMESTAMP -> "timestamp(%d)".formatted(type.precision());
      case TIMESTAMP_LTZ -> "timestamp(%d) with time zone".formatted(type.precision());
      case ARRAY, ROW -> "jsonb";
    };
  }

  @Override
  @Nullable String warning(Type type) {
    return null;
  }

  @Override
  Cells cells(Type stored, Column column, Repairs repairs) {
    return switch (stored.kind()) {
      case BOOLEAN, NULL -> {
        boolean[] values = ((BooleanColumn) column).values();
        yield new Cells(
            column,
            Types.BOOLEAN,
            (statement, index, row) -> statement.setBoolean(index, values[row]),
            row -> values[row]);
      }
      case TINYINT, SMALLINT, INT, BIGINT, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH ->
          Cells.longs(column, Types.BIGINT);
      case FLOAT -> {
        float[] values = ((FloatColumn) column).values();
        yield new Cells(
            column,
            Types.REAL,
            (statement, index, row) -> statement.setFloat(index, values[row]),
            row -> Cells.number(values[row]));
      }
      case DOUBLE -> {
        Cells.DoubleSource source = Cells.doubles(column);
        yield new Cells(
            column,
            Types.DOUBLE,
            (statement, index, row) -> statement.setDouble(index, source.get(row)),
            row -> Cells.number(source.get(row)));
      }
      case DECIMAL ->
          new Cells(
              column,
              Types.NUMERIC,
              (statement, index, row) -> statement.setBigDecimal(index, Cells.decimal(column, row)),
              row -> Cells.decimal(column, row).stripTrailingZeros());
      case CHAR, VARCHAR -> Cells.strings(column, Types.VARCHAR, repairs);
      case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ, ARRAY, ROW -> {
        IntFunction<String> text = Cells.text(stored, column, repairs);
        String zone = stored.kind() == Kind.TIMESTAMP_LTZ ? "+00" : "";
        yield new Cells(
            column,
            Types.OTHER,
            (statement, index, row) ->
                statement.setObject(index, text.apply(row) + zone, Types.OTHER),
            text::apply);
      }
    };
  }

  @Override
  List<String> widen(String table, String column, Type wider) {
    return List.of(
        "ALTER TABLE %s ALTER COLUMN %s TYPE %s"
            .formatted(quote(table), quote(column), sqlType(wider)));
  }

  @Override
  String tableSuffix() {
    return "";
  }

  @Override
  public String lockSuffix() {
    return " FOR UPDATE";
  }

  @Override
  List<String> columns(Connection connection, String table) throws SQLException {
    return names(
        connection,
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(?)"
            + " AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
        quote(table));
  }

  @Override
  public long bytes(Handle handle) {
    return handle.select("SELECT pg_database_size(current_database())").mapTo(Long.class).one();
  }

  @Override
  public void backup(Path file) throws StoreException {
    throw new StoreException(
        Reason.QUERY_REFUSED,
        "the store is a PostgreSQL server: back it up with pg_dump --format=custom, restore it with"
            + " pg_restore");
  }

  @Override
  void limit(Connection connection, long millis) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL statement_timeout = " + millis);
      statement.execute("SET LOCAL idle_in_transaction_session_timeout = " + 2 * millis);
      statement.execute("SET TRANSACTION READ ONLY");
    }
  }

  @Override
  String epochMillis(String column) {
    return "CAST(round(extract(epoch FROM %s) * 1000) AS bigint)".formatted(column);
  }

  @Override
  String time(Type type, Instant instant) {
    long micros = TimeUnit.SECONDS.toMicros(instant.getEpochSecond()) + instant.getNano() / 1_000;
    String text = new TimeText(new Repairs()).timestamp(micros, Type.MAX_TIMESTAMP_PRECISION);
    return type.kind() == Kind.TIMESTAMP_LTZ ? text + "+00" : text;
  }

  @Override
  int timeType() {
    return Types.OTHER;
  }

  @Override
  String timeLiteral(Type type, String time) {
    return "CAST('%s' AS %s)".formatted(time, sqlType(type));
  }

  @Override
  long tableBytes(Handle handle, String table) {
    return handle
        .createQuery("SELECT coalesce(pg_total_relation_size(to_regclass(:table)), 0)")
        .bind("table", quote(table))
        .mapTo(Long.class)
        .one();
  }
}
