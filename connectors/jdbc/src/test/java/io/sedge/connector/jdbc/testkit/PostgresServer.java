package io.sedge.connector.jdbc.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A PostgreSQL server that can be stopped and started again with its data. */
public final class PostgresServer implements AutoCloseable {
  private final Path data;
  private final int port;
  private EmbeddedPostgres server;

  private PostgresServer(Path data, EmbeddedPostgres server) {
    this.data = data;
    this.server = server;
    this.port = server.getPort();
  }

  public static PostgresServer start(Path directory) {
    Path data = directory.resolve("data");
    try {
      return new PostgresServer(data, builder(data).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EmbeddedPostgres.Builder builder(Path data) {
    return EmbeddedPostgres.builder()
        .setDataDirectory(data)
        .setCleanDataDirectory(false)
        .setServerConfig("fsync", "off")
        .setServerConfig("max_connections", "300");
  }

  public int port() {
    return port;
  }

  public TestDatabase.Place place() {
    return new TestDatabase.Place(
        "jdbc:postgresql://localhost:%d/postgres".formatted(port), "postgres", "postgres");
  }

  public void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void restart() {
    try {
      server = builder(data).setPort(port).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
