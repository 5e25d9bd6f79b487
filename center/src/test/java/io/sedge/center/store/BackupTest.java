package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.ask;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.StoreException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of SQLite's store that is made while rows come is one moment of it. */
class BackupTest {
  private static final int ROWS = 50;

  @TempDir Path directory;

  @Test
  void aBackupWhileRowsComeIsOneMomentAndCanBeGoneOnFrom() throws Exception {
    Path file = directory.resolve("backup.db");
    AtomicBoolean done = new AtomicBoolean();
    long stored;
    try (Store store = open("center")) {
      store.sites().enrol("north", "ledger", "key");
      store.tokens().add("token", "ann", Role.ADMIN, Optional.empty());
      store.people().add("bob", Role.VIEWER, "hash");
      long stream = store.openStream("north", opening("windows", WINDOWS)).id();
      append(store, stream, 1);
      Thread writer =
          Thread.ofPlatform()
              .name("writer")
              .start(
                  () -> {
                    for (int block = 2; !done.get(); block++) {
                      append(store, stream, block);
                    }
                  });
      store.backup(file);
      done.set(true);
      writer.join();
      stored = store.openStream("north", opening("windows", WINDOWS)).sequence();
      refusedWith(Reason.MALFORMED, () -> store.backup(file)).hasMessageContaining("is there");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    StoreOptions elsewhere = StoreOptions.embedded(directory.resolve("restored"));
    Store.restore(file, elsewhere);
    refusedWith(Reason.MALFORMED, () -> Store.restore(file, elsewhere))
        .hasMessageContaining("has a store");
    try (Store store = Store.open(elsewhere, InstantSource.system(), _ -> {})) {
      OpenedStream stream = store.openStream("north", opening("windows", WINDOWS));
      assertThat(stream.sequence()).isBetween((long) ROWS, stored);
      assertThat(ask(store, "SELECT count(*), max(_seq) FROM windows"))
          .containsExactly(List.of(stream.sequence(), stream.sequence()));
      assertThat(store.tokens().find("token").orElseThrow().name()).isEqualTo("ann");
      assertThat(store.people().find("bob").orElseThrow().password()).contains("hash");
      append(store, stream.id(), (int) (stream.sequence() / ROWS) + 1);
      assertThat(ask(store, "SELECT name FROM sqlite_schema WHERE name LIKE 'backup%'")).isEmpty();
    }
  }

  @Test
  void whatIsNoBackupIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("text"), "no database at all".repeat(1_000));
    refusedWith(
            Reason.MALFORMED,
            () -> Store.restore(file, StoreOptions.embedded(directory.resolve("new"))))
        .hasMessageContaining("cannot be restored");
    refusedWith(
        Reason.QUERY_REFUSED,
        () -> Store.restore(file, StoreOptions.postgres("jdbc:postgresql://h/d", "u", "p")));
  }

  private Store open(String name) throws StoreException {
    return Store.open(
        StoreOptions.embedded(directory.resolve(name)), InstantSource.system(), _ -> {});
  }

  private static void append(Store store, long stream, int block) {
    long first = (block - 1L) * ROWS + 1;
    assertThat(store.append("north", stream, List.of(windows(first, ROWS))).join())
        .isEqualTo(first + ROWS - 1);
  }
}
