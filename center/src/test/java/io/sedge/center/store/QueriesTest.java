package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.windows;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.StoreException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A query of a person reads, ends, and returns no more than it may. */
class QueriesTest extends StoreTestBase {
  QueriesTest(TestDatabase database) {
    super(database);
  }

  @BeforeEach
  void rows() throws Exception {
    append(stream("windows", WINDOWS), windows(1, 1_000));
  }

  private static final class Rows implements RowReceiver {
    final List<Column> columns = new ArrayList<>();
    final List<List<Object>> rows = new ArrayList<>();

    @Override
    public void columns(List<Column> all) {
      columns.addAll(all);
    }

    @Override
    public void row(List<Object> values) {
      rows.add(values);
    }
  }

  @Test
  void aQueryReturnsColumnsAndRows() throws Exception {
    Rows rows = new Rows();
    QueryResult result =
        store.query(
            "SELECT sensor, count(*) AS n FROM windows GROUP BY sensor ORDER BY sensor;",
            QueryLimits.DEFAULT,
            rows);
    assertThat(rows.columns).extracting(RowReceiver.Column::name).containsExactly("sensor", "n");
    assertThat(rows.rows).hasSize(5).contains(List.of("s0", 200L));
    assertThat(result).isEqualTo(new QueryResult(5, 50, true));
  }

  @Test
  void theRestIsLeftOut() throws Exception {
    Rows rows = new Rows();
    assertThat(
            store.query(
                "SELECT * FROM windows", new QueryLimits(Duration.ofMinutes(1), 10, 1 << 20), rows))
        .extracting(QueryResult::complete)
        .isEqualTo(false);
    assertThat(rows.rows).hasSize(10);
    Rows few = new Rows();
    store.query("SELECT * FROM windows", new QueryLimits(Duration.ofMinutes(1), 1_000, 500), few);
    assertThat(few.rows).hasSizeBetween(1, 20);
  }

  @Test
  void whatIsNotOneQueryIsRefused() {
    for (String sql :
        List.of(
            "",
            ";",
            "DELETE FROM windows",
            "DROP TABLE windows",
            "SELECT 1; DROP TABLE windows",
            "SELECT 1; COMMIT; DROP TABLE windows",
            "SELECT '\\'; DROP TABLE windows; --'",
            "SELECT $$;$$",
            "/* x */ DELETE FROM windows",
            "-- SELECT\nDELETE FROM windows",
            "PRAGMA query_only = 0",
            "ATTACH DATABASE 'secrets.db' AS s",
            "VACUUM INTO '/tmp/copy.db'",
            "COPY windows TO PROGRAM 'id'",
            "SET TRANSACTION READ WRITE",
            "DO $$ BEGIN END $$",
            "SELECT 1\0")) {
      refusedWith(Reason.QUERY_REFUSED, () -> store.query(sql, QueryLimits.DEFAULT, new Rows()))
          .hasMessageStartingWith("this is not one query: ");
    }
  }

  @Test
  void aSemicolonInAStringIsNoStatement() throws Exception {
    assertThat(ask("SELECT 'a;b'")).containsExactly(List.of("a;b"));
  }

  @Test
  void whatWritesIsRefusedByTheDatabase() throws Exception {
    List<String> hostile =
        database == TestDatabase.SQLITE
            ? List.of(
                "WITH x AS (SELECT 1) DELETE FROM windows",
                "WITH x AS (SELECT 1) INSERT INTO windows SELECT * FROM windows",
                "SELECT load_extension('x')",
                "SELECT writefile('/tmp/x', 'x')")
            : List.of(
                "WITH x AS (DELETE FROM windows RETURNING 1) SELECT * FROM x",
                "SELECT set_config('transaction_read_only', 'off', true)",
                "SELECT nextval('sedge_stream_id_seq')",
                "SELECT lo_create(0)",
                "EXPLAIN ANALYZE DELETE FROM windows",
                "SELECT * INTO copy FROM windows");
    for (String sql : hostile) {
      refusedWith(Reason.QUERY_REFUSED, () -> store.query(sql, QueryLimits.DEFAULT, new Rows()));
    }
    assertThat(count("windows")).isEqualTo(1_000);
  }

  @Test
  void aUserWhoMayDoEverythingIsSaid() throws Exception {
    store.close();
    store = Store.open(options, clock, said::add);
    if (database == TestDatabase.POSTGRESQL) {
      assertThat(said)
          .singleElement()
          .asString()
          .startsWith("people's queries are run as 'postgres', who may do everything");
    } else {
      assertThat(said).isEmpty();
    }
  }

  /** A setting that a query changes does not outlive it. */
  @Test
  void aQueryLeavesNothingBehind() throws Exception {
    if (database == TestDatabase.POSTGRESQL) {
      try {
        ask("SELECT set_config('default_transaction_read_only', 'off', false)");
      } catch (StoreException e) {
        assertThat(e.reason()).isEqualTo(Reason.QUERY_REFUSED);
      }
      assertThat(ask("SELECT current_setting('default_transaction_read_only')"))
          .containsExactly(List.of("on"));
    }
    refusedWith(
        Reason.QUERY_REFUSED,
        () -> ask("WITH x AS (SELECT 1) INSERT INTO windows SELECT * FROM windows"));
  }

  @Test
  void anErrorOfAQueryIsItsOwn() {
    refusedWith(Reason.QUERY_REFUSED, () -> ask("SELECT nothing FROM windows"))
        .hasMessageContaining("nothing");
    assertThat(store.status().available()).isTrue();
  }

  private String endless() {
    return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n"
        .replace("i + 1", database == TestDatabase.SQLITE ? "i + 1" : "(i + 1) % 7");
  }

  @Test
  void aQueryThatDoesNotEndIsEnded() throws Exception {
    refusedWith(
            Reason.QUERY_ENDED,
            () ->
                store.query(
                    endless(), new QueryLimits(Duration.ofMillis(200), 10, 1_000), new Rows()))
        .hasMessageStartingWith("the query took longer than PT0.2S");
    assertThat(count("windows")).isEqualTo(1_000);
  }

  @Test
  void aQueryEndsWhenItsThreadIsInterrupted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    FutureTask<Reason> task =
        new FutureTask<>(
            () -> {
              begun.countDown();
              try {
                ask(endless());
                return null;
              } catch (StoreException e) {
                return e.reason();
              }
            });
    Thread thread = Thread.ofPlatform().name("asker").start(task);
    begun.await();
    thread.interrupt();
    assertThat(task.get(60, TimeUnit.SECONDS)).isEqualTo(Reason.QUERY_ENDED);
  }

  /** Two gigabytes in one value are refused before they are in memory. */
  @Test
  void aValueOfTwoGigabytesIsRefused() {
    String huge =
        database == TestDatabase.SQLITE
            ? "SELECT length(hex(zeroblob(1000000000)))"
            : "SELECT repeat('x', 200000000) FROM windows";
    refusedWith(Reason.QUERY_REFUSED, () -> store.query(huge, QueryLimits.DEFAULT, new Rows()));
  }

  @Test
  void moreQueriesThanMayRunAtOnceAreToldToComeAgain() throws Exception {
    store.close();
    options = options.withQueries(1);
    store = Store.open(options, clock, said::add);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    FutureTask<QueryResult> task =
        new FutureTask<>(
            () ->
                store.query(
                    "SELECT * FROM windows",
                    QueryLimits.DEFAULT,
                    new RowReceiver() {
                      @Override
                      public void columns(List<Column> columns) {
                        running.countDown();
                        try {
                          asked.await();
                        } catch (InterruptedException e) {
                          Thread.currentThread().interrupt();
                        }
                      }

                      @Override
                      public void row(List<Object> values) {}
                    }));
    Thread.ofPlatform().name("asker").start(task);
    running.await();
    refusedWith(Reason.BUSY, () -> ask("SELECT 1"))
        .hasMessage("1 queries are running, which is as many as may: try again");
    asked.countDown();
    assertThat(task.get(60, TimeUnit.SECONDS).rows()).isEqualTo(1_000);
  }

  @Test
  void hashesOfTokensAndPasswordsAreOutOfReach() throws Exception {
    store.tokens().add("token", "ann", Permission.everywhere(Role.VIEWER), Optional.empty());
    store.people().add("bob", Permission.everywhere(Role.VIEWER), "hash");
    if (database == TestDatabase.SQLITE) {
      refusedWith(Reason.QUERY_REFUSED, () -> ask("SELECT * FROM sedge_access"));
      refusedWith(Reason.QUERY_REFUSED, () -> ask("SELECT * FROM sedge_person"));
      return;
    }
    execute("CREATE USER reader PASSWORD 'secret'");
    execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    store.close();
    options = options.withReader("reader", "secret");
    store = Store.open(options, clock, said::add);
    assertThat(count("windows")).isEqualTo(1_000);
    assertThat(said).as("nothing to be said of such a reader").isEmpty();
    for (String table : List.of("sedge_access", "sedge_person")) {
      refusedWith(Reason.QUERY_REFUSED, () -> ask("SELECT * FROM sedge_secret." + table))
          .hasMessageContaining("permission denied");
    }
    execute("GRANT USAGE ON SCHEMA sedge_secret TO reader");
    store.close();
    store = Store.open(options, clock, said::add);
    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("people's queries are run as 'reader', who may read the hashes of passwords");
    assertThat(options.toString()).doesNotContain("secret");
  }
}
