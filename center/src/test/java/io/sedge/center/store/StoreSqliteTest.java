package io.sedge.center.store;

import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.ask;
import static io.sedge.center.store.TestRows.opening;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreSqliteTest {
  @TempDir Path directory;

  @Test
  void rowsAreStoredOnceHoweverOftenTheyAreSent() throws Exception {
    List<String> said = new ArrayList<>();
    try (Store store =
        Store.open(StoreOptions.embedded(directory), InstantSource.system(), said::add)) {
      store.sites().enrol("north", "ledger-1", "aa");
      OpenedStream stream = store.openStream("north", opening("windows", WINDOWS));
      assertThat(stream.sequence()).isZero();
      assertThat(store.append("north", stream.id(), List.of(windows(1, 3))).get()).isEqualTo(3);
      assertThat(store.append("north", stream.id(), List.of(windows(1, 3), windows(7, 2))).get())
          .isEqualTo(8);
      assertThat(ask(store, "SELECT \"_seq\", window_end, sensor, average FROM windows"))
          .hasSize(5)
          .contains(List.of(8L, "1970-01-01 00:01:20.000", "s3", 8.0));
      assertThat(store.openStream("north", opening("windows", WINDOWS)).sequence()).isEqualTo(8);
      assertThat(store.tables())
          .singleElement()
          .satisfies(
              table -> {
                assertThat(table.rows()).isEqualTo(5);
                assertThat(table.sites()).containsExactly("north");
              });
    }
    assertThat(said).isEmpty();
  }
}
