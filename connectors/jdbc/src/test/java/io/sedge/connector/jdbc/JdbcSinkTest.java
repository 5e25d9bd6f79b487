package io.sedge.connector.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.jdbc.testkit.PostgresServer;
import io.sedge.connector.jdbc.testkit.TestDatabase;
import io.sedge.connector.jdbc.testkit.TestDatabase.Place;
import io.sedge.connector.jdbc.testkit.TestTable;
import io.sedge.connector.jdbc.testkit.Wire;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of rows when the database, the link or the rows themselves are bad. */
final class JdbcSinkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private TestContext context;

  @BeforeEach
  void begin() {
    context = TestContext.live(directory);
  }

  private Place database(TestDatabase kind, boolean keyed) {
    Place place = kind.fresh(directory);
    place.execute(
        "CREATE TABLE results (number INTEGER NOT NULL%s, text VARCHAR(12) CHECK (text <> 'bad'))"
            .formatted(keyed ? " PRIMARY KEY" : ""));
    return place;
  }

  private SinkFactory factory(Place place, boolean keyed, Map<String, String> more) {
    return new JdbcConnector().sink(TestTable.of(place, keyed, more), context).orElseThrow();
  }

  private static List<String> numbers(Place place) {
    return place.query("SELECT number FROM results ORDER BY number");
  }

  private static List<String> upTo(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).toList();
  }

  private static void await(Runnable check) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        check.run();
        return;
      } catch (AssertionError e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  // What a client that gets no answer to its COMMIT cannot know, the row of the writer tells.
  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, BEFORE, RELEASE, 1", // The request after it is the COMMIT.
    "POSTGRESQL, AFTER, RELEASE, 1",
    "POSTGRESQL, BEFORE, INSERT INTO \"results\", 0",
    "POSTGRESQL, AFTER, UPDATE \"sedge_delivered\", 0",
    "MARIADB, BEFORE, COMMIT, 0",
    "MARIADB, AFTER, COMMIT, 0",
    "MARIADB, AFTER, INSERT INTO `results`, 0",
  })
  void aLinkThatBreaksAmidATransactionDoublesNoRow(
      TestDatabase kind, Wire.Break when, String word, int later) {
    Place place = database(kind, false);
    try (Wire wire = new Wire(place.port())) {
      SinkFactory factory = factory(place.through(wire.port()), false, Map.of());
      for (Delivery delivery : List.of(Delivery.OF_A_RUN, Delivery.of(TestTable.WRITER, 1, 0))) {
        place.execute("DELETE FROM results");
        int before = wire.broken();
        try (Feed sink = Feed.open(factory, delivery)) {
          for (int batch = 0; batch < 4; batch++) {
            wire.breakAt(when, word, later);
            sink.give(TestTable.rows(batch * 50, batch * 50 + 50));
            sink.flushAll();
            wire.hold();
          }
        }
        assertThat(numbers(place)).isEqualTo(upTo(200));
        assertThat(wire.broken() - before).as("breaks").isPositive();
      }
    }
    assertThat(place.query("SELECT writer, sequence FROM sedge_delivered"))
        .as("what a run kept is removed")
        .containsExactly("a site/job/delivery/readings 200");
  }

  // The job waits for room meanwhile, and nothing is lost.
  @Test
  void aServerThatStopsAndComesBackGetsEachRowOnce() {
    try (PostgresServer server = PostgresServer.start(directory)) {
      Place place = server.place();
      place.execute("CREATE TABLE results (number INTEGER, text VARCHAR(12))");
      SinkFactory factory = factory(place, false, Map.of("sink.queue-bytes", "64 kb"));
      try (Feed sink = Feed.open(factory, Delivery.of(TestTable.WRITER, 1, 0))) {
        sink.give(TestTable.rows(0, 100));
        sink.flushAll();
        server.stop();
        int given = 100;
        while (sink.offer(TestTable.rows(given, given + 100))) {
          given += 100;
        }
        await(() -> assertThat(context.reports()).anyMatch(said -> said.contains("tried again")));
        server.restart();
        sink.give(TestTable.rows(given, given + 100));
        await(() -> assertThat(sink.flush()).isTrue());
        assertThat(numbers(place)).isEqualTo(upTo(given + 100));
      }
      assertThat(context.reports())
          .anyMatch(
              said ->
                  said.startsWith("WARNING table readings: PostgreSQL at localhost:")
                      && said.contains("no connection"))
          .anyMatch(said -> said.startsWith("INFO") && said.contains("it works again"));
    }
  }

  @Test
  void aJobMaySayHowOftenWritingIsTried() {
    Place place = database(TestDatabase.POSTGRESQL, false);
    try (Wire wire = new Wire(place.port())) {
      SinkFactory factory =
          factory(place.through(wire.port()), false, Map.of("sink.max-retries", "2"));
      try (Feed sink = Feed.open(factory)) {
        wire.down();
        sink.give(TestTable.rows(0, 1));
        await(
            () ->
                assertThatThrownBy(sink::flush)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("table readings: PostgreSQL at localhost:")
                    .hasMessageContaining("no connection"));
      }
    }
  }

  // One bad row among many costs nobody else.
  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void aRowThatTheDatabaseRefusesIsKeptAsMalformedAndTheOthersAreWritten(TestDatabase kind) {
    Place place = database(kind, false);
    place.execute("CREATE UNIQUE INDEX once ON results (number)");
    BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
    for (int number = 0; number < 1_000; number++) {
      switch (number) {
        case 17 -> builder.addRow(17, "bad");
        case 500 -> builder.addRow(null, "none");
        case 999 -> builder.addRow(3, "twice");
        default -> builder.addRow(number, "row " + number);
      }
    }
    try (Feed sink =
        Feed.open(factory(place, false, Map.of()), Delivery.of(TestTable.WRITER, 1, 0))) {
      sink.give(builder.build());
      sink.flushAll();
    }
    assertThat(numbers(place))
        .isEqualTo(
            IntStream.range(0, 999)
                .filter(number -> number != 17 && number != 500)
                .mapToObj(String::valueOf)
                .toList());
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::payload)
        .containsExactlyInAnyOrder(
            "number INT = 17, text STRING = bad",
            "number INT = null, text STRING = none",
            "number INT = 3, text STRING = twice");
    assertThat(context.malformed())
        .allMatch(row -> row.table().equals("readings") && row.origin().equals("results"))
        .allMatch(row -> row.reason().contains("does not take the row: "));
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void ofEachKeyTheLastRowIsThereAndDeletedOnesAreNot(TestDatabase kind) {
    Place place = database(kind, true);
    try (Feed sink = Feed.open(factory(place, true, Map.of()))) {
      sink.give(TestTable.rows(0, 4));
      sink.flushAll();
      sink.give(TestTable.row(ChangeKind.UPDATE_AFTER, 1, "new"));
      sink.give(TestTable.row(ChangeKind.DELETE, 2, "row 2"));
      sink.give(TestTable.row(ChangeKind.UPDATE_BEFORE, 3, "row 3"));
      sink.give(TestTable.row(ChangeKind.UPDATE_AFTER, 3, null));
      sink.flushAll();
    }
    assertThat(place.query("SELECT number, text FROM results ORDER BY number"))
        .containsExactly("0 row 0", "1 new", "3 null");
  }

  // A unique index of SQLite and of MariaDB takes any number of NULLs.
  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void aRowWithoutAKeyIsLeftOutAndCounted(TestDatabase kind) {
    Place place = kind.fresh(directory);
    place.execute("CREATE TABLE results (number INTEGER, text VARCHAR(12))");
    place.execute("CREATE UNIQUE INDEX once ON results (number)");
    try (Feed sink = Feed.open(factory(place, true, Map.of()))) {
      sink.give(TestTable.row(ChangeKind.INSERT, null, "one"));
      sink.flushAll();
      BatchBuilder builder = new BatchBuilder(TestTable.SCHEMA);
      builder.addRow(null, "two");
      builder.addRow(1, "three");
      sink.give(builder.build());
      sink.give(TestTable.row(ChangeKind.DELETE, null, "two"));
      sink.flushAll();
    }
    assertThat(place.query("SELECT number, text FROM results")).containsExactly("1 three");
    assertThat(context.malformed())
        .extracting(TestContext.Malformed::payload)
        .containsExactly(
            "number INT = null, text STRING = one", "number INT = null, text STRING = two");
    assertThat(context.malformed())
        .allMatch(
            row ->
                row.reason()
                    .equals(
                        "`number` is NULL: a row without a value of the PRIMARY KEY cannot be"
                            + " replaced"));
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.class)
  void aSinkThatWasTakenForDeadWritesNothingMore(TestDatabase kind) {
    Place place = database(kind, true);
    SinkFactory factory = factory(place, true, Map.of());
    try (Sink older = factory.open(Delivery.of(TestTable.WRITER, 1, 0));
        Feed newer = Feed.open(factory, Delivery.of(TestTable.WRITER, 1, 0))) {
      assertThat(older.offer(new NumberedBatch(1, TestTable.rows(0, 5)))).isTrue();
      await(
          () ->
              assertThatThrownBy(older::flush)
                  .isInstanceOf(ConnectorException.class)
                  .hasMessageEndingWith(
                      "taken over by another that delivers the rows of a"
                          + " site/job/delivery/readings"));
      newer.give(TestTable.rows(5, 7));
      newer.flushAll();
    }
    assertThat(numbers(place)).containsExactly("5", "6");
  }

  // Others write to a device's file too.
  @Test
  void aFileThatAnotherHasLockedIsWaitedFor() throws SQLException {
    Place place = database(TestDatabase.SQLITE, false);
    try (Feed sink = Feed.open(factory(place, false, Map.of()))) {
      try (Connection other = place.connect();
          Statement statement = other.createStatement()) {
        statement.execute("BEGIN EXCLUSIVE");
        sink.give(TestTable.rows(0, 10));
        await(
            () ->
                assertThat(context.reports())
                    .anyMatch(said -> said.contains("another program holds the database's lock")));
        statement.execute("COMMIT");
      }
      sink.flushAll();
    }
    assertThat(numbers(place)).isEqualTo(upTo(10));
  }

  // Rows of one key may come again: no second table is needed for a run.
  @Test
  void aRunThatUpsertsKeepsNothingElseInTheDatabase() {
    Place place = database(TestDatabase.POSTGRESQL, true);
    try (Feed sink = Feed.open(factory(place, true, Map.of()))) {
      sink.give(TestTable.rows(0, 3));
      sink.flushAll();
    }
    assertThat(place.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        .containsExactly("results");
  }

  // The ledger was put back to an older state, or acknowledgements came late.
  @Test
  void theDatabaseKnowsMoreThanTheLedger() {
    Place place = database(TestDatabase.POSTGRESQL, false);
    SinkFactory factory = factory(place, false, Map.of());
    try (Feed sink = Feed.open(factory, Delivery.of(TestTable.WRITER, 1, 0))) {
      sink.give(TestTable.rows(0, 9));
      sink.flushAll();
    }
    try (Feed sink = Feed.open(factory, Delivery.of(TestTable.WRITER, 1, 4))) {
      assertThat(sink.taken()).isEqualTo(9);
    }
    assertThat(context.reports())
        .anyMatch(said -> said.contains("has rows up to 9, the ledger knows of 4"));
  }
}
