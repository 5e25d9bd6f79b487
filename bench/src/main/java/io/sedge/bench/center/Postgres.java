package io.sedge.bench.center;

import io.sedge.center.store.StoreOptions;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** A PostgreSQL server of this machine, whose commits are on the disk. */
public final class Postgres implements AutoCloseable {
  public static final String USER = "postgres";

  private final EmbeddedPostgres server;

  /**
   * @param directory of its data
   */
  public Postgres(Path directory) throws IOException {
    this.server =
        EmbeddedPostgres.builder()
            .setDataDirectory(directory)
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_wal_size", "4GB")
            .setServerConfig("shared_buffers", "512MB")
            .start();
  }

  /** For a center, and for a loop beside it: each has a database of its own. */
  Database database() throws SQLException {
    return new Database(
        "PostgreSQL",
        List.of("--database", create("center"), "--database-user", USER),
        Map.of("SEDGE_DATABASE_PASSWORD", USER),
        bare("bare"));
  }

  /** For a store in this process. */
  StoreOptions store(String name) throws SQLException {
    return StoreOptions.postgres(create(name), USER, USER);
  }

  BareLoop bare(String name) throws SQLException {
    return BareLoop.postgres(create(name), USER, USER);
  }

  /**
   * Makes a database.
   *
   * @return its URL, without a login
   */
  public String create(String name) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return "jdbc:postgresql://localhost:%d/%s".formatted(server.getPort(), name);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
