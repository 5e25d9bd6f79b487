package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.row;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.column.ChangeKind;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What waits is bounded, shared among sites, and fails alone. */
class QueueTest extends StoreTestBase {
  QueueTest(TestDatabase database) {
    super(database);
  }

  /** Keeps the store from committing as long as it is open. */
  private Connection blocked() throws Exception {
    Connection connection = database.connect(options);
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE sedge_stream SET opened_at = opened_at");
    }
    return connection;
  }

  private static Reason reason(CompletableFuture<Long> future) throws Exception {
    try {
      future.get(60, TimeUnit.SECONDS);
      return null;
    } catch (ExecutionException e) {
      return ((StoreException) e.getCause()).reason();
    }
  }

  @Test
  void aSiteThatSendsTooMuchIsToldToComeAgainWhileOthersAreNot() throws Exception {
    store.close();
    options = options.withQueueBytes(1_000);
    store = Store.open(options, clock, said::add);
    store.sites().enrol("south", "ledger-south", "key-south");
    long north = stream("windows", WINDOWS);
    long south = store.openStream("south", TestRows.opening("windows", WINDOWS)).id();
    List<CompletableFuture<Long>> appends = new ArrayList<>();
    CompletableFuture<Long> other;
    int busy = 0;
    try (Connection blocked = blocked()) {
      for (int i = 1; i <= 100; i++) {
        appends.add(store.append(SITE, north, List.of(windows(i, 1))));
      }
      other = store.append("south", south, List.of(windows(1, 1)));
      assertThat(store.status().queuedBytes()).isBetween(1L, 1_000L);
      blocked.rollback();
    }
    assertThat(other.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    for (CompletableFuture<Long> append : appends) {
      Reason reason = reason(append);
      assertThat(reason).isIn(null, Reason.BUSY);
      busy += reason == Reason.BUSY ? 1 : 0;
    }
    assertThat(busy).isBetween(50, 99);
    assertThat(store.status().refusedAppends()).isEqualTo(busy);
    assertThat(count("windows")).isEqualTo(101 - busy);
  }

  /** They may be committed together. */
  @Test
  void aBadAppendFailsAloneAndTakesThoseBehindItWithIt() throws Exception {
    long good = stream("windows", WINDOWS);
    long bad = store.openStream(SITE, opened("job", "other", "windows", WINDOWS)).id();
    List<CompletableFuture<Long>> goods = new ArrayList<>();
    List<CompletableFuture<Long>> bads = new ArrayList<>();
    try (Connection blocked = blocked()) {
      for (int i = 1; i <= 5; i++) {
        goods.add(store.append(SITE, good, List.of(windows(i, 1))));
        bads.add(
            store.append(
                SITE,
                bad,
                List.of(
                    block(
                        WINDOWS,
                        i,
                        row(i == 1 ? ChangeKind.DELETE : ChangeKind.INSERT, 1L, "s", 1.0)))));
      }
      blocked.rollback();
    }
    for (CompletableFuture<Long> append : goods) {
      assertThat(reason(append)).isNull();
    }
    assertThat(reason(bads.getFirst())).isEqualTo(Reason.SCHEMA_REFUSED);
    for (CompletableFuture<Long> append : bads.subList(1, 5)) {
      assertThat(reason(append)).isEqualTo(Reason.BUSY);
    }
    assertThat(count("windows")).isEqualTo(5);
    assertThat(store.status().available()).isTrue();
  }

  @Test
  void whatWaitsIsStoredBeforeTheStoreCloses() throws Exception {
    long stream = stream("windows", WINDOWS);
    List<CompletableFuture<Long>> appends = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      appends.add(store.append(SITE, stream, List.of(windows(i, 1))));
    }
    Store closed = store;
    reopen();
    for (CompletableFuture<Long> append : appends) {
      assertThat(append).isCompleted();
    }
    assertThat(count("windows")).isEqualTo(20);
    refusedWith(
        Reason.STORE_UNAVAILABLE,
        () -> {
          try {
            closed.append(SITE, stream, List.of(windows(21, 1))).get(60, TimeUnit.SECONDS);
          } catch (ExecutionException e) {
            throw e.getCause();
          }
        });
  }
}
