package io.sedge.center.store;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.uplink.RowBlock;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What databases do with window results: rows of a bare JDBC batch loop with an upsert key, rows
 * through the store, queries over a month, and size. Each commit is on the disk before the next.
 *
 * <pre>
 *   StoreBenchmark insert DIRECTORY [ROWS]    bare loops and the store, on each database
 *   StoreBenchmark month DIRECTORY [DAYS]     a month of windows of 10 s of 50 series, and queries
 * </pre>
 */
public final class StoreBenchmark {
  private static final int SERIES = 50;
  private static final int BLOCK = 4_096;
  private static final int UNDER_WAY = 4;
  private static final long WINDOW_MICROS = TimeUnit.SECONDS.toMicros(10);
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");
  private static final String SITE = "north";
  private static final int ROUNDS = 3;

  /** H2 takes too long for a month. */
  private static final int H2_DAYS = 1;

  private StoreBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    delete(directory);
    Files.createDirectories(directory);
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setDataDirectory(directory.resolve("pg"))
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_wal_size", "4GB")
            .setServerConfig("shared_buffers", "512MB")
            .start()) {
      if (arguments[0].equals("insert")) {
        inserts(directory, server, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 400_000);
      } else {
        months(directory, server, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 30);
      }
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static String database(EmbeddedPostgres server, String name) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
    }
    return "jdbc:postgresql://localhost:%d/%s".formatted(server.getPort(), name);
  }

  private static void inserts(Path directory, EmbeddedPostgres server, int rows) throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      String suffix = "_" + round;
      Bare sqlite =
          new Bare(
              "SQLite",
              "jdbc:sqlite:%s?journal_mode=WAL&synchronous=FULL&page_size=8192&cache_size=-65536"
                  .formatted(directory.resolve("bare%s.db".formatted(suffix))),
              "TEXT",
              " WITHOUT ROWID");
      bare(sqlite, rows);
      // WRITE_DELAY 0: a commit of H2 waits for the disk as well.
      bare(
          new Bare(
              "H2",
              "jdbc:h2:file:%s;WRITE_DELAY=0;MODE=PostgreSQL"
                  .formatted(directory.resolve("h2" + suffix)),
              "TIMESTAMP(3)",
              ""),
          rows);
      bare(
          new Bare(
              "PostgreSQL",
              database(server, "bare" + suffix)
                  + "?user=postgres&password=postgres&reWriteBatchedInserts=true",
              "TIMESTAMP(3)",
              ""),
          rows);
      for (boolean keyed : new boolean[] {true, false}) {
        store(
            "SQLite",
            StoreOptions.embedded(directory.resolve("store" + keyed + round)),
            keyed,
            rows);
        store(
            "PostgreSQL",
            StoreOptions.postgres(
                database(server, "store" + keyed + round), "postgres", "postgres"),
            keyed,
            rows);
      }
    }
  }

  private record Bare(String name, String url, String timeType, String suffix) {}

  /** The upsert key that the store has for a job's key (window_end, sensor). */
  private static void bare(Bare bare, int rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(bare.url());
        Statement statement = connection.createStatement()) {
      statement.execute(
          ("CREATE TABLE w (_site VARCHAR(63) NOT NULL, _seq BIGINT NOT NULL, window_end %s NOT"
               + " NULL, sensor VARCHAR(63) NOT NULL, average DOUBLE PRECISION, PRIMARY KEY (_site,"
               + " window_end, sensor))%s")
              .formatted(bare.timeType(), bare.suffix()));
      statement.execute("CREATE INDEX w_time ON w (window_end)");
      connection.setAutoCommit(false);
      String sql =
          bare.name().equals("H2")
              ? "MERGE INTO w KEY (_site, window_end, sensor) VALUES (?, ?, ?, ?, ?)"
              : "INSERT INTO w VALUES (?, ?, ?, ?, ?) ON CONFLICT (_site, window_end, sensor)"
                  + " DO UPDATE SET _seq = excluded._seq, average = excluded.average";
      long begin = System.nanoTime();
      try (PreparedStatement insert = connection.prepareStatement(sql)) {
        for (int row = 0; row < rows; row++) {
          LocalDateTime time = LocalDateTime.ofInstant(instant(row), ZoneOffset.UTC);
          insert.setString(1, SITE);
          insert.setLong(2, row + 1);
          if (bare.timeType().equals("TEXT")) {
            insert.setString(3, time.toString());
          } else {
            insert.setObject(3, time, Types.TIMESTAMP);
          }
          insert.setString(4, sensor(row));
          insert.setDouble(5, row * 0.37);
          insert.addBatch();
          if ((row + 1) % BLOCK == 0 || row + 1 == rows) {
            insert.executeBatch();
            connection.commit();
          }
        }
      }
      report("bare loop, upsert", bare.name(), rows, begin);
    }
  }

  private static void report(String what, String name, int rows, long begin) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    say("%-24s %-11s %,9.0f rows/s".formatted(what, name, rows / seconds));
  }

  private static Instant instant(int row) {
    return BEGIN.plusMillis(row / SERIES * 10_000L);
  }

  private static String sensor(int row) {
    return "plant/line-%d/temperature".formatted(row % SERIES);
  }

  private static RowBlock block(int first, int rows) {
    BatchBuilder builder = new BatchBuilder(TestRows.WINDOWS);
    for (int row = first; row < first + rows; row++) {
      builder
          .column(0)
          .addLong(
              TimeUnit.SECONDS.toMicros(BEGIN.getEpochSecond()) + row / SERIES * WINDOW_MICROS);
      builder.column(1).addString(sensor(row));
      builder.column(2).addDouble(row * 0.37);
      builder.endRow();
    }
    Batch batch = builder.build();
    return new RowBlock(first + 1L, rows, new RowsCodec(TestRows.WINDOWS).encode(List.of(batch)));
  }

  private static void store(String name, StoreOptions options, boolean keyed, int rows)
      throws Exception {
    try (Store store = Store.open(options, InstantSource.system(), _ -> {})) {
      long begin = System.nanoTime();
      fill(store, keyed, rows);
      report(keyed ? "store, upsert" : "store, rows of their own", name, rows, begin);
    }
  }

  /** Sends as a site does: some blocks are under way at a time. */
  private static void fill(Store store, boolean keyed, int rows) throws Exception {
    store.sites().enrol(SITE, "ledger", "key");
    long stream =
        store
            .openStream(
                SITE,
                keyed
                    ? TestRows.opening("w", TestRows.WINDOWS, 0, 1)
                    : TestRows.opening("w", TestRows.WINDOWS))
            .id();
    ArrayDeque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
    for (int first = 0; first < rows; first += BLOCK) {
      underWay.add(
          store.append(SITE, stream, List.of(block(first, Math.min(BLOCK, rows - first)))));
      if (underWay.size() == UNDER_WAY) {
        underWay.remove().get();
      }
    }
    for (CompletableFuture<Long> append : underWay) {
      append.get();
    }
  }

  private static void months(Path directory, EmbeddedPostgres server, int days) throws Exception {
    month("SQLite", StoreOptions.embedded(directory.resolve("month")), days);
    month(
        "PostgreSQL",
        StoreOptions.postgres(database(server, "month"), "postgres", "postgres"),
        days);
    h2(directory, Math.min(days, H2_DAYS));
  }

  private static void month(String name, StoreOptions options, int days) throws Exception {
    int rows = days * 8_640 * SERIES;
    try (Store store = Store.open(options, InstantSource.system(), _ -> {})) {
      long begin = System.nanoTime();
      fill(store, false, rows);
      report("store, %d days".formatted(days), name, rows, begin);
      say(
          "%-11s %,d bytes, %.1f a row"
              .formatted(name, store.status().bytes(), 1.0 * store.status().bytes() / rows));
      Instant end = BEGIN.plus(Duration.ofDays(days));
      ask(name, "month, 50 lines", store, List.of("sensor"), Map.of(), BEGIN, end);
      ask(name, "month, one line", store, List.of(), Map.of("sensor", sensor(7)), BEGIN, end);
      ask(name, "month, all in one", store, List.of(), Map.of(), BEGIN, end);
      ask(
          name,
          "day, 50 lines",
          store,
          List.of("sensor"),
          Map.of(),
          end.minus(Duration.ofDays(1)),
          end);
      ask(
          name,
          "day, one line",
          store,
          List.of(),
          Map.of("sensor", sensor(7)),
          end.minus(Duration.ofDays(1)),
          end);
      latest(name, store);
    }
  }

  private static void ask(
      String name,
      String what,
      Store store,
      List<String> groups,
      Map<String, String> filters,
      Instant from,
      Instant to)
      throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      long begin = System.nanoTime();
      String result;
      try {
        Series series =
            store.series(
                new SeriesRequest("w", "window_end", "average", groups, filters, from, to, 500));
        result =
            "%d lines, %d points"
                .formatted(
                    series.lines().size(),
                    series.lines().stream().mapToInt(line -> line.points().size()).sum());
      } catch (StoreException e) {
        result = e.getMessage();
      }
      say(
          "%-11s %-18s %,9.1f ms  %s"
              .formatted(name, what, (System.nanoTime() - begin) / 1e6, result));
    }
  }

  private static void latest(String name, Store store) throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      long begin = System.nanoTime();
      int rows = TestRows.ask(store, "SELECT * FROM w ORDER BY window_end DESC LIMIT 50").size();
      say(
          "%-11s %-18s %,9.1f ms  %d rows"
              .formatted(name, "the latest 50", (System.nanoTime() - begin) / 1e6, rows));
    }
  }

  /** H2 has no store: the same rows by a bare loop, and the query that a series is. */
  private static void h2(Path directory, int days) throws SQLException {
    int rows = days * 8_640 * SERIES;
    Bare bare =
        new Bare(
            "H2",
            "jdbc:h2:file:%s;WRITE_DELAY=0;MODE=PostgreSQL".formatted(directory.resolve("month")),
            "TIMESTAMP(3)",
            "");
    bare(bare, rows);
    say("%-11s %,d bytes".formatted("H2", directory.resolve("month.mv.db").toFile().length()));
    try (Connection connection = DriverManager.getConnection(bare.url());
        Statement statement = connection.createStatement()) {
      long width = days * 86_400L * 1_000 / 500;
      for (int round = 1; round <= ROUNDS; round++) {
        long begin = System.nanoTime();
        try (ResultSet result =
            statement.executeQuery(
                ("SELECT sensor, CAST(extract(epoch FROM window_end) * 1000 AS BIGINT) / %d AS"
                        + " bucket, min(average), max(average), avg(average), count(average) FROM w"
                        + " GROUP BY sensor, bucket")
                    .formatted(width))) {
          int points = 0;
          while (result.next()) {
            points++;
          }
          say(
              "%-11s %-18s %,9.1f ms  %d points"
                  .formatted("H2", "month, 50 lines", (System.nanoTime() - begin) / 1e6, points));
        }
      }
    }
  }
}
