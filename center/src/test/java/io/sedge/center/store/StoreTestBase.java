package io.sedge.center.store;

import static io.sedge.center.store.TestRows.opening;

import io.sedge.engine.type.Schema;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A store with a site `north`, on each database. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
abstract class StoreTestBase {
  static final String SITE = "north";
  private static final long PATIENCE_SECONDS = 60;

  final TestDatabase database;
  final List<String> said = new CopyOnWriteArrayList<>();
  Instant now = Instant.parse("2026-03-01T12:00:00Z");
  final InstantSource clock = () -> now;
  StoreOptions options;
  Store store;
  @TempDir Path directory;

  StoreTestBase(TestDatabase database) {
    this.database = database;
  }

  @BeforeEach
  void open() throws Exception {
    options = database.fresh(directory);
    store = Store.open(options, clock, said::add);
    said.clear();
    store.sites().enrol(SITE, "ledger-" + SITE, "key-" + SITE);
  }

  @AfterEach
  void close() {
    store.close();
  }

  void reopen() throws Exception {
    store.close();
    store = Store.open(options, clock, said::add);
    said.clear();
  }

  long stream(String table, Schema schema, Integer... key) throws StoreException {
    return store.openStream(SITE, opening(table, schema, key)).id();
  }

  long append(long stream, RowBlock... blocks) throws Exception {
    return append(SITE, stream, blocks);
  }

  /** The applied sequence, or the StoreException. */
  long append(String site, long stream, RowBlock... blocks) throws Exception {
    try {
      return store.append(site, stream, List.of(blocks)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  List<List<Object>> ask(String sql) throws StoreException {
    return TestRows.ask(store, sql);
  }

  long count(String table) throws StoreException {
    return (Long) ask("SELECT count(*) FROM " + table).getFirst().getFirst();
  }

  /** What somebody else does with the database. */
  void execute(String sql) throws Exception {
    try (Connection connection = database.connect(options);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static StreamOpening opened(String job, String sink, String table, Schema schema) {
    return new StreamOpening(job, "task", sink, table, schema, List.of());
  }
}
