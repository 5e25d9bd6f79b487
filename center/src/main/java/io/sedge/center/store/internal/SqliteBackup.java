package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.connector.Causes;
import io.sedge.identity.SecretFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A copy of the store in one SQLite file, made while rows are stored: the data as of one commit,
 * and the tables of tokens with names of their own.
 */
public final class SqliteBackup {
  private static final List<String> SECRET_TABLES =
      List.of("sedge_enrolment", "sedge_access", "sedge_person");
  private static final String COPY = "backup_";

  private SqliteBackup() {}

  static void write(Path directory, Path file) throws StoreException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try {
      if (Files.exists(file)) {
        throw new StoreException(
            Reason.MALFORMED, "%s is there already: take another name".formatted(file));
      }
      Files.deleteIfExists(fresh);
      SecretFiles.create(fresh).close();
      try (Connection source = open(directory.resolve(SqliteDialect.FILE));
          PreparedStatement copy = source.prepareStatement("VACUUM INTO ?")) {
        copy.setString(1, fresh.toString());
        copy.execute();
      }
      try (Connection backup = open(fresh);
          Statement statement = backup.createStatement()) {
        attach(backup, directory.resolve(SqliteDialect.SECRETS));
        for (String table : SECRET_TABLES) {
          statement.execute(
              "CREATE TABLE %s%s AS SELECT * FROM secrets.%s".formatted(COPY, table, table));
        }
      }
      force(fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | SQLException e) {
      throw new StoreException(
          Reason.STORE_UNAVAILABLE,
          "the store cannot be copied to %s: %s".formatted(file, Causes.text(e)),
          e);
    }
  }

  /**
   * Puts a backup where no store is.
   *
   * @throws StoreException MALFORMED if there is one, or the file is no backup
   */
  public static void restore(Path file, Path directory) throws StoreException {
    Path target = directory.resolve(SqliteDialect.FILE);
    Path secrets = directory.resolve(SqliteDialect.SECRETS);
    Path fresh = directory.resolve(SqliteDialect.FILE + ".new");
    boolean stood = Files.exists(directory);
    boolean restored = false;
    try {
      if (Files.exists(target) || Files.exists(secrets)) {
        throw new StoreException(
            Reason.MALFORMED,
            "%s has a store: move it away, or restore into another directory".formatted(directory));
      }
      if (!Files.isReadable(file)) {
        throw new StoreException(
            Reason.MALFORMED, "%s is not there, or cannot be read".formatted(file));
      }
      SecretFiles.makeDirectory(directory);
      Files.copy(file, fresh, StandardCopyOption.REPLACE_EXISTING);
      SecretFiles.protect(fresh);
      SecretFiles.create(secrets).close();
      Database.migrateSecrets(new SqliteDialect(directory));
      try (Connection copy = open(fresh);
          Statement statement = copy.createStatement()) {
        attach(copy, secrets);
        for (String table : copied(statement)) {
          String columns = columns(statement, COPY + table);
          statement.execute(
              "INSERT INTO secrets.%s (%s) SELECT %s FROM %s%s"
                  .formatted(table, columns, columns, COPY, table));
          statement.execute("DROP TABLE %s%s".formatted(COPY, table));
        }
        // Sites know streams that were opened since by their numbers, which no others may get.
        statement.execute(
            "UPDATE sqlite_sequence SET seq = max(seq, CAST(strftime('%s', 'now') AS INTEGER))"
                + " WHERE name = 'sedge_stream'");
      }
      force(fresh);
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
      restored = true;
    } catch (IOException | SQLException e) {
      remove(fresh, secrets);
      throw new StoreException(
          Reason.MALFORMED,
          "%s cannot be restored to %s: %s".formatted(file, directory, Causes.text(e)),
          e);
    } finally {
      if (!restored && !stood) {
        remove(fresh, secrets);
        remove(directory);
      }
    }
  }

  /** Those of a table; a version before had fewer. */
  private static String columns(Statement statement, String table) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery("SELECT name FROM pragma_table_info('%s')".formatted(table))) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return String.join(", ", names);
  }

  /** Those that were there when the backup was made; a version before had fewer. */
  private static List<String> copied(Statement statement) throws SQLException {
    Set<String> names = new HashSet<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT name FROM sqlite_schema WHERE name LIKE '%s%%'".formatted(COPY))) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    if (!names.contains(COPY + SECRET_TABLES.getFirst())) {
      throw new SQLException("it is no backup of a center");
    }
    return SECRET_TABLES.stream().filter(table -> names.contains(COPY + table)).toList();
  }

  /** What a restoration has left that failed: another one may follow. A directory goes if empty. */
  private static void remove(Path... files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
        Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-wal"));
        Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-shm"));
      } catch (IOException _) {
        // The next restoration says so.
      }
    }
  }

  private static Connection open(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file);
  }

  private static void attach(Connection connection, Path secrets) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("ATTACH DATABASE ? AS secrets")) {
      statement.setString(1, secrets.toString());
      statement.execute();
    }
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
