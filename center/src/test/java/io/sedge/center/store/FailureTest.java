package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.ask;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.SqliteDialect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database fails and comes back: nothing is lost, nothing is half stored. */
class FailureTest {
  private static final int ROWS = 500;
  private static final int PAGES = 100;

  @TempDir Path directory;
  private final List<String> said = new ArrayList<>();

  private static long append(Store store, long stream, long first) throws Throwable {
    try {
      return store
          .append("north", stream, List.of(windows(first, ROWS)))
          .get(120, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause();
    }
  }

  /** A connection from before the server went may be found broken by one query. */
  private static List<List<Object>> askAgain(Store store, String sql) throws StoreException {
    try {
      return ask(store, sql);
    } catch (StoreException e) {
      assertThat(e.reason()).isEqualTo(Reason.STORE_UNAVAILABLE);
      return ask(store, sql);
    }
  }

  /** SQLite's bound on its pages fails as a full disk does. */
  @Test
  void aFullDiskIsSaidAndRowsAreTakenWhenThereIsRoom() throws Throwable {
    Path data = directory.resolve("center");
    StoreOptions options = StoreOptions.embedded(data);
    try (Store store = Store.open(options, InstantSource.system(), said::add)) {
      store.sites().enrol("north", "ledger", "key");
      long stream = store.openStream("north", opening("windows", WINDOWS)).id();
      append(store, stream, 1);
    }
    try (Store store =
        Store.open(new SqliteDialect(data, PAGES), options, InstantSource.system(), said::add)) {
      long stream = store.openStream("north", opening("windows", WINDOWS)).id();
      long first = 1 + ROWS;
      StoreException full = null;
      while (full == null) {
        try {
          append(store, stream, first);
          first += ROWS;
        } catch (StoreException e) {
          full = e;
        }
      }
      assertThat(full.reason()).isEqualTo(Reason.STORE_UNAVAILABLE);
      assertThat(full)
          .hasMessage(
              "the database at %s cannot take it now: the disk is full: make room, rows are taken again then"
                  .formatted(data));
      assertThat(said).hasSize(1).first().asString().startsWith("rows are not stored and will be");
      assertThat(store.status().available()).isFalse();
      assertThat(store.status().lastFailure()).isPresent();
      assertThat(ask(store, "SELECT count(*) FROM windows")).containsExactly(List.of(first - 1));
      long again = first;
      refusedWith(Reason.STORE_UNAVAILABLE, () -> append(store, stream, again));
      assertThat(said).hasSize(1);
    }
    try (Store store = Store.open(options, InstantSource.system(), said::add)) {
      OpenedStream stream = store.openStream("north", opening("windows", WINDOWS));
      append(store, stream.id(), stream.sequence() + 1);
      assertThat(ask(store, "SELECT count(*) FROM windows"))
          .containsExactly(List.of(stream.sequence() + ROWS));
    }
  }

  @Test
  void aDatabaseThatCannotBeOpenedIsSaid() throws Exception {
    Files.writeString(directory.resolve("center.db"), "not a database, ".repeat(1_000));
    refusedWith(
            Reason.STORE_UNAVAILABLE,
            () -> Store.open(StoreOptions.embedded(directory), InstantSource.system(), said::add))
        .hasMessageStartingWith("the database at %s cannot be opened".formatted(directory));
    refusedWith(
            Reason.STORE_UNAVAILABLE,
            () ->
                Store.open(
                    StoreOptions.postgres("jdbc:postgresql://localhost:1/none", "u", "a secret"),
                    InstantSource.system(),
                    said::add))
        .hasMessageStartingWith("the database at jdbc:postgresql://localhost:1/none cannot be")
        .hasMessageNotContaining("a secret");
  }

  /** A server that is stopped at once, as by a crash, and started again. */
  @Test
  void aServerThatGoesAndComesBackHasEachRowOnce() throws Throwable {
    try (TestPostgres server = TestPostgres.start(directory.resolve("data"))) {
      StoreOptions options = server.options();
      try (Store store = Store.open(options, InstantSource.system(), said::add)) {
        store.sites().enrol("north", "ledger", "key");
        long stream = store.openStream("north", opening("windows", WINDOWS)).id();
        append(store, stream, 1);
        server.stop();
        refusedWith(Reason.STORE_UNAVAILABLE, () -> append(store, stream, 1 + ROWS))
            .hasMessageStartingWith("the database at jdbc:postgresql://");
        assertThat(store.status().available()).isFalse();
        server.restart();
        assertThat(append(store, stream, 1)).isEqualTo(ROWS);
        assertThat(append(store, stream, 1 + ROWS)).isEqualTo(2 * ROWS);
        assertThat(store.status().available()).isTrue();
        assertThat(said).last().asString().isEqualTo("the database takes rows again");
        assertThat(askAgain(store, "SELECT count(*) FROM windows"))
            .containsExactly(List.of(2L * ROWS));
      }
    }
  }
}
