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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of SQLite's store that is made while rows come is one moment of it. */
class BackupTest {
  private static final int ROWS = 50;
  private static final Subject EVE = new Subject("https://id.example.com", "of eve, 7");

  @TempDir Path directory;

  @Test
  void aBackupWhileRowsComeIsOneMomentAndCanBeGoneOnFrom() throws Exception {
    Path file = directory.resolve("backup.db");
    AtomicBoolean done = new AtomicBoolean();
    long stored;
    try (Store store = open("center")) {
      store.sites().enrol("north", "ledger", "key");
      store.tokens().add("token", "ann", Permission.everywhere(Role.ADMIN), Optional.empty());
      store.people().add("bob", Permission.everywhere(Role.VIEWER), "hash");
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

  /** Of a version that knew no lists of sites and no provider: all had their role everywhere. */
  @Test
  void aBackupOfAVersionWithFewerColumnsIsRestored() throws Exception {
    Path file = directory.resolve("backup.db");
    Permission some = new Permission(Role.OPERATOR, Optional.of(List.of("north")));
    try (Store store = open("center")) {
      store.tokens().add("token", "ann", some, Optional.empty());
      store.people().add("bob", some, "hash");
      assertThat(store.people().enter(EVE, "eve", Permission.everywhere(Role.VIEWER)).name())
          .isEqualTo("eve");
      store.backup(file);
    }
    StoreOptions same = StoreOptions.embedded(directory.resolve("same"));
    Store.restore(file, same);
    try (Store store = Store.open(same, InstantSource.system(), _ -> {})) {
      assertThat(store.tokens().find("token").orElseThrow().permission()).isEqualTo(some);
      assertThat(store.people().find("bob").orElseThrow().permission()).isEqualTo(some);
      assertThat(store.people().find(EVE).orElseThrow().name()).isEqualTo("eve");
    }
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER TABLE backup_sedge_access DROP COLUMN sites");
      statement.execute("ALTER TABLE backup_sedge_person DROP COLUMN sites");
      statement.execute("ALTER TABLE backup_sedge_person DROP COLUMN subject");
    }
    StoreOptions older = StoreOptions.embedded(directory.resolve("older"));
    Store.restore(file, older);
    try (Store store = Store.open(older, InstantSource.system(), _ -> {})) {
      assertThat(store.tokens().find("token").orElseThrow().permission())
          .isEqualTo(Permission.everywhere(Role.OPERATOR));
      assertThat(store.people().find("bob").orElseThrow().password()).contains("hash");
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
