package io.sedge.center.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/** A PostgreSQL server that can be stopped and started again with its data. */
final class TestPostgres implements AutoCloseable {
  private final Path data;
  private EmbeddedPostgres server;
  private final int port;

  private TestPostgres(Path data) throws IOException {
    this.data = data;
    this.server = builder().start();
    this.port = server.getPort();
  }

  static TestPostgres start(Path data) throws IOException {
    return new TestPostgres(data);
  }

  private EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
  }

  StoreOptions options() {
    return StoreOptions.postgres(
        "jdbc:postgresql://localhost:%d/postgres".formatted(port), "postgres", "postgres");
  }

  void stop() throws IOException {
    server.close();
  }

  void restart() throws IOException {
    server = builder().setPort(port).start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
