package io.sedge.center.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** The databases that each test of the store runs on. */
enum TestDatabase {
  SQLITE {
    @Override
    StoreOptions fresh(Path directory) {
      return StoreOptions.embedded(directory.resolve("center"));
    }

    @Override
    Connection connect(StoreOptions options) throws SQLException {
      Path directory = ((StoreOptions.Embedded) options.place()).directory();
      return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("center.db"));
    }
  },
  POSTGRESQL {
    @Override
    StoreOptions fresh(Path directory) throws SQLException {
      String name = "center" + COUNT.incrementAndGet();
      try (Connection connection = Server.POSTGRES.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      }
      return StoreOptions.postgres(
          "jdbc:postgresql://localhost:%d/%s".formatted(Server.POSTGRES.getPort(), name),
          "postgres",
          "postgres");
    }

    @Override
    Connection connect(StoreOptions options) throws SQLException {
      StoreOptions.Postgres place = (StoreOptions.Postgres) options.place();
      return DriverManager.getConnection(
          place.url(), place.login().user(), place.login().password());
    }
  };

  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Where a store can be made that nobody has used. */
  abstract StoreOptions fresh(Path directory) throws SQLException;

  /** What somebody else does with the database; it may write. */
  abstract Connection connect(StoreOptions options) throws SQLException;

  /** One server for all tests; it ends with the JVM. */
  private static final class Server {
    static final EmbeddedPostgres POSTGRES = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("max_connections", "200")
            .start();
      } catch (IOException e) {
        throw new IllegalStateException("PostgreSQL does not start", e);
      }
    }
  }
}
