package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.courier.Trouble;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What the exceptions of the drivers mean, for people and for what is done next. */
final class Failures {
  /** MySQL's codes of refused rows without a SQLState that says so: 1364 is a missing default. */
  private static final Set<Integer> MARIADB_REFUSALS = Set.of(1265, 1364, 1366);

  private static final int MARIADB_DISK_FULL = 1021;
  private static final int MARIADB_TABLE_FULL = 1114;
  private static final int MARIADB_READ_ONLY = 1290;
  private static final int MARIADB_LOCKED = 1205;
  private static final int MARIADB_NEEDS_TLS = 3159;
  private static final int MOST_CAUSES = 10;

  /** PostgreSQL's state of a query that was cancelled. */
  private static final String CANCELLED = "57014";

  /** MariaDB's and MySQL's codes of a query whose time was up. */
  private static final Set<Integer> MARIADB_TOO_LONG = Set.of(1969, 3024);

  /** How MariaDB's driver says that it was not connected yet; PostgreSQL's has a state for that. */
  private static final Pattern CONNECTING = Pattern.compile("\\bconnect(ing)? to\\b");

  private static final String TOO_LONG = "the query took too long";

  private Failures() {}

  static ConnectorException user(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }

  static ConnectorException external(String message, Throwable cause) {
    return new ConnectorException(ConnectorException.Kind.EXTERNAL, message, cause);
  }

  /** What a batch has failed of, which drivers put behind the batch's own exception. */
  static SQLException cause(SQLException thrown) {
    SQLException next = thrown.getNextException();
    return thrown instanceof BatchUpdateException && next != null ? next : thrown;
  }

  private static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  private static Optional<SQLiteErrorCode> sqlite(SQLException e) {
    if (!(e instanceof SQLiteException known)) {
      return Optional.empty();
    }
    int primary = known.getResultCode().code & 0xff;
    return Optional.of(SQLiteErrorCode.getErrorCode(primary));
  }

  /**
   * Whether the database does not take a row and never will: a constraint, a value that does not
   * fit, a trigger that objects.
   */
  static boolean isRefusal(SQLException thrown) {
    SQLException e = cause(thrown);
    Optional<SQLiteErrorCode> code = sqlite(e);
    if (code.isPresent()) {
      return switch (code.get()) {
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG -> true;
        default -> false;
      };
    }
    String state = state(e);
    return state.startsWith("22")
        || state.startsWith("23")
        || state.equals("P0001")
        || state.equals("45000")
        || MARIADB_REFUSALS.contains(e.getErrorCode());
  }

  /** Whether it will not pass by itself: a login, a name, a permission, a file. */
  static boolean isLasting(SQLException thrown) {
    SQLException e = cause(thrown);
    Optional<SQLiteErrorCode> code = sqlite(e);
    if (code.isPresent()) {
      return switch (code.get()) {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR -> false;
        default -> true;
      };
    }
    String state = state(e);
    return state.startsWith("28")
        || state.startsWith("42")
        || state.equals("3D000")
        || state.equals("3F000")
        || e.getErrorCode() == 1049; // MySQL: unknown database
  }

  /** What an exception of a link means for what is done next. */
  static Optional<Trouble> trouble(Exception thrown) {
    return thrown instanceof SQLException e
        ? Optional.of(new Trouble(explain(e), isLasting(e)))
        : Optional.empty();
  }

  /** Whether the table does not exist. */
  static boolean isMissingTable(SQLException e) {
    return switch (state(e)) {
      case "42P01", "3F000", "42S02" -> true;
      default ->
          e instanceof SQLiteException && String.valueOf(e.getMessage()).contains("no such table");
    };
  }

  /** Whether no unique index has the columns of the key, as PostgreSQL and SQLite say it. */
  static boolean isMissingKey(SQLException e) {
    return state(e).equals("42P10")
        || (e instanceof SQLiteException
            && String.valueOf(e.getMessage()).contains("ON CONFLICT clause does not match"));
  }

  /** Whether a query was ended as its time was up. */
  static boolean isTooLong(SQLException thrown) {
    SQLException e = cause(thrown);
    return state(e).equals(CANCELLED)
        || MARIADB_TOO_LONG.contains(e.getErrorCode())
        || sqlite(e).filter(code -> code == SQLiteErrorCode.SQLITE_INTERRUPT).isPresent();
  }

  /** In words that a person can act on; the drivers' own messages hold no passwords. */
  static String explain(SQLException thrown) {
    SQLException e = cause(thrown);
    String message = message(e);
    Optional<SQLiteErrorCode> code = sqlite(e);
    if (code.isPresent()) {
      return switch (code.get()) {
        case SQLITE_BUSY, SQLITE_LOCKED -> "another program holds the database's lock";
        case SQLITE_FULL -> "the disk is full";
        case SQLITE_READONLY -> "the file, or its directory, is read-only";
        case SQLITE_CANTOPEN -> "there is no such file, or it may not be opened";
        case SQLITE_NOTADB -> "the file is not a database of SQLite";
        case SQLITE_INTERRUPT -> TOO_LONG;
        case SQLITE_CORRUPT -> "the file is damaged (%s)".formatted(message);
        default -> message;
      };
    }
    String state = state(e);
    Optional<String> security = security(e, message);
    if (security.isPresent()) {
      return security.get();
    }
    if (state.startsWith("28") || message.contains("no password was provided")) {
      return "the login is refused (%s)".formatted(message);
    }
    if (state.equals("53100")
        || e.getErrorCode() == MARIADB_DISK_FULL
        || e.getErrorCode() == MARIADB_TABLE_FULL) {
      return "the database's disk is full (%s)".formatted(message);
    }
    if (state.equals("25006") || e.getErrorCode() == MARIADB_READ_ONLY) {
      return "the database is read-only (%s)".formatted(message);
    }
    if (state.equals("55P03") || e.getErrorCode() == MARIADB_LOCKED) {
      return "another session holds a lock on the table";
    }
    if (isTooLong(e)) {
      return TOO_LONG;
    }
    if (state.startsWith("08") || state.startsWith("57P")) {
      return "no connection" + network(e).map(": "::concat).orElse(" (%s)".formatted(message));
    }
    return message;
  }

  /** Whether one side asks for TLS that the other does not have, or does not trust it. */
  private static Optional<String> security(SQLException e, String message) {
    if (message.contains("does not support SSL") || message.contains("ssl not enabled")) {
      return Optional.of(
          "the server has no TLS: leave sslmode (MariaDB: sslMode) out of the URL, or switch TLS"
              + " on there");
    }
    if (message.contains("no encryption") || e.getErrorCode() == MARIADB_NEEDS_TLS) {
      return Optional.of(
          "the server asks for TLS (%s): write ?sslmode=verify-full (MariaDB: ?sslMode=verify-full) behind the URL"
              .formatted(message));
    }
    Throwable cause = e;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause()) {
      if (cause instanceof SSLHandshakeException || cause instanceof CertificateException) {
        return Optional.of(
            "the TLS handshake fails (%s): see sslrootcert (MariaDB: serverSslCert)"
                .formatted(cause.getMessage()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> network(SQLException e) {
    Throwable cause = e;
    for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause()) {
      switch (cause) {
        case UnknownHostException _ -> {
          return Optional.of("the name of the host is not known");
        }
        case ConnectException refused
            when String.valueOf(refused.getMessage()).contains("refused") -> {
          return Optional.of("nothing listens there (connection refused)");
        }
        case SocketTimeoutException _ -> {
          return Optional.of(
              isConnecting(e)
                  ? "nobody answers there"
                  : "an answer took longer than socketTimeout allows");
        }
        default -> {
          // What it wraps may tell.
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isConnecting(SQLException e) {
    return state(e).equals("08001") || CONNECTING.matcher(message(e)).find();
  }

  /** The first line, without what PostgreSQL adds about itself. */
  private static String message(SQLException e) {
    String message = e.getMessage();
    return message == null
        ? e.getClass().getSimpleName()
        : message.strip().replaceAll("\\s*\\n\\s*", "; ");
  }
}
