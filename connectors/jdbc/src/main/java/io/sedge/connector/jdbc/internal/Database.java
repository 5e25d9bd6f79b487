package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * Where a database is and how it is logged in to. Immutable.
 *
 * <p>A script is not trusted with the device. So a URL has parameters that are known alone: drivers
 * have others that load classes or send files. Files that it names are asked for.
 */
final class Database {
  /** For so long SQLite waits for another process that writes, before that is an error. */
  private static final int BUSY_MS = 2_000;

  private static final String SQLITE_PREFIX = "jdbc:sqlite:";

  private static final Pattern SERVER =
      Pattern.compile(
          "jdbc:(postgresql|mariadb|mysql)://([A-Za-z0-9._:,\\-\\[\\]]+)/([^/?#;&]+)(?:\\?(.*))?");

  private static final Map<Dialect, Set<String>> PARAMETERS =
      Map.of(
          Dialect.POSTGRESQL,
          Set.of(
              "sslmode",
              "sslrootcert",
              "sslcert",
              "sslkey",
              "currentSchema",
              "connectTimeout",
              "socketTimeout",
              "targetServerType",
              "ApplicationName"),
          Dialect.MARIADB,
          Set.of(
              "sslMode",
              "serverSslCert",
              "useSSL",
              "connectTimeout",
              "socketTimeout",
              "useUnicode",
              "characterEncoding",
              "rewriteBatchedStatements"),
          Dialect.SQLITE,
          Set.of());

  private static final Set<String> FILES =
      Set.of("sslrootcert", "sslcert", "sslkey", "serverSslCert");

  private final Dialect dialect;
  private final String url;
  private final String place;
  private final Properties properties;

  private Database(Dialect dialect, String url, String place, Properties properties) {
    this.dialect = dialect;
    this.url = url;
    this.place = place;
    this.properties = properties;
  }

  /** What a connection is for. */
  enum Use {
    READ(600),
    WRITE(60),
    /** To see what there is, with somebody waiting. */
    LOOK(15);

    /** After so long without an answer a server counts as gone. */
    private final int answerSeconds;

    Use(int answerSeconds) {
      this.answerSeconds = answerSeconds;
    }
  }

  /**
   * That of a table.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if the URL cannot be, or names a
   *     file that may not be used
   */
  static Database of(TableDescriptor table, Options options, ConnectorContext context, Use use) {
    String given = options.string(JdbcOptions.URL);
    if (given.startsWith(SQLITE_PREFIX)) {
      return sqlite(table, options, context, use);
    }
    Matcher server = SERVER.matcher(given);
    if (!server.matches()) {
      throw options.wrongAddress(
          JdbcOptions.URL,
          "is not jdbc:postgresql://host:5432/name, jdbc:mariadb://host:3306/name,"
              + " jdbc:mysql://host:3306/name or jdbc:sqlite:file.db");
    }
    Dialect dialect = server.group(1).equals("postgresql") ? Dialect.POSTGRESQL : Dialect.MARIADB;
    Properties properties = defaults(dialect, use);
    if (server.group(4) != null) {
      for (String parameter : server.group(4).split("&", -1)) {
        addParameter(table, context, dialect, parameter, properties);
      }
    }
    if (options.has(JdbcOptions.USER) != options.has(JdbcOptions.PASSWORD)) {
      boolean user = options.has(JdbcOptions.USER);
      throw Failures.user(
          "table %s: '%s' needs '%s' too"
              .formatted(
                  table.name(),
                  user ? JdbcOptions.USER : JdbcOptions.PASSWORD,
                  user ? JdbcOptions.PASSWORD : JdbcOptions.USER));
    }
    options.find(JdbcOptions.USER).ifPresent(user -> properties.setProperty("user", user));
    options.find(JdbcOptions.PASSWORD).ifPresent(word -> properties.setProperty("password", word));
    String place = "%s/%s".formatted(server.group(2), server.group(3));
    String scheme = dialect == Dialect.POSTGRESQL ? "jdbc:postgresql://" : "jdbc:mariadb://";
    return new Database(dialect, scheme + place, place, properties);
  }

  private static Properties defaults(Dialect dialect, Use use) {
    Properties properties = new Properties();
    if (dialect == Dialect.POSTGRESQL) {
      properties.setProperty("ApplicationName", "sedge");
      properties.setProperty("connectTimeout", "10");
      properties.setProperty("socketTimeout", String.valueOf(use.answerSeconds));
      properties.setProperty("tcpKeepAlive", "true");
      properties.setProperty("reWriteBatchedInserts", "true");
    } else {
      properties.setProperty("connectTimeout", "10000");
      properties.setProperty("socketTimeout", String.valueOf(use.answerSeconds * 1_000));
      properties.setProperty("tcpKeepAlive", "true");
      // A server could else ask for any file of this machine.
      properties.setProperty("allowLocalInfile", "false");
    }
    return properties;
  }

  private static void addParameter(
      TableDescriptor table,
      ConnectorContext context,
      Dialect dialect,
      String parameter,
      Properties properties) {
    int equals = parameter.indexOf('=');
    String key = equals < 0 ? parameter : parameter.substring(0, equals);
    Set<String> known = PARAMETERS.getOrDefault(dialect, Set.of());
    if (equals < 0 || !known.contains(key)) {
      // Its value may be a password.
      throw Failures.user(
          "table %s: '%s' has the parameter '%s', which is not one of %s; a login is 'username' and 'password'"
              .formatted(
                  table.name(),
                  JdbcOptions.URL,
                  key,
                  String.join(", ", known.stream().sorted().toList())));
    }
    String value = parameter.substring(equals + 1);
    if (FILES.contains(key)) {
      Path path = context.directory().resolve(value);
      context
          .files()
          .check(
              "table %s: '%s' of '%s'".formatted(table.name(), key, JdbcOptions.URL),
              path,
              FileAccess.Use.READ);
      value = path.toString();
    }
    properties.setProperty(key, value);
  }

  private static Database sqlite(
      TableDescriptor table, Options options, ConnectorContext context, Use use) {
    String file = options.string(JdbcOptions.URL).substring(SQLITE_PREFIX.length());
    if (file.isBlank() || file.startsWith(":") || file.startsWith("file:") || file.contains("?")) {
      throw options.wrongAddress(
          JdbcOptions.URL, "is not jdbc:sqlite: and the path of a file, without parameters");
    }
    if (options.has(JdbcOptions.USER) || options.has(JdbcOptions.PASSWORD)) {
      throw Failures.user(
          "table %s: SQLite has no logins; leave '%s' and '%s' out"
              .formatted(table.name(), JdbcOptions.USER, JdbcOptions.PASSWORD));
    }
    Path path = context.directory().resolve(file).toAbsolutePath().normalize();
    context
        .files()
        .check(
            "table %s: '%s'".formatted(table.name(), JdbcOptions.URL),
            path,
            use == Use.WRITE ? FileAccess.Use.WRITE : FileAccess.Use.READ);
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(use != Use.WRITE);
    config.resetOpenMode(SQLiteOpenMode.CREATE);
    config.setBusyTimeout(BUSY_MS);
    return new Database(
        Dialect.SQLITE, SQLITE_PREFIX + path, path.toString(), config.toProperties());
  }

  Dialect dialect() {
    return dialect;
  }

  /** For messages: {@code PostgreSQL at plant:5432/results}. */
  @Override
  public String toString() {
    return "%s at %s".formatted(dialect.title(), place);
  }

  /** A new connection without auto-commit; blocks for as long as the URL's time-outs say. */
  Connection connect() throws SQLException {
    Connection connection = dialect.driver().connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver does not take the URL");
    }
    try {
      for (String statement : session(connection)) {
        try (Statement setting = connection.createStatement()) {
          setting.execute(statement);
        }
      }
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.close();
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /**
   * A device that is cut off amid a transaction must not hold its locks for long, and one that
   * waits for a lock has to say so.
   */
  private List<String> session(Connection connection) throws SQLException {
    return switch (dialect) {
      case POSTGRESQL ->
          List.of(
              "SET TIME ZONE 'UTC'",
              "SET idle_in_transaction_session_timeout = '60s'",
              "SET lock_timeout = '10s'");
      case MARIADB -> {
        List<String> both =
            List.of(
                "SET SESSION time_zone = '+00:00', innodb_lock_wait_timeout = 10, lock_wait_timeout"
                    + " = 10, sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES,NO_ZERO_DATE')");
        boolean maria = connection.getMetaData().getDatabaseProductName().equals("MariaDB");
        yield maria ? List.of(both.getFirst(), "SET SESSION idle_transaction_timeout = 60") : both;
      }
      case SQLITE -> List.of();
    };
  }
}
