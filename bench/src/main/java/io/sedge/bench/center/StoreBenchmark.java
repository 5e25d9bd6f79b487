package io.sedge.bench.center;

import io.sedge.bench.Directories;
import io.sedge.center.store.QueryLimits;
import io.sedge.center.store.RowReceiver;
import io.sedge.center.store.Series;
import io.sedge.center.store.SeriesRequest;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreOptions;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What databases do with window results: rows of a bare loop, rows through the store, queries over
 * a month, and size. Each commit is on the disk before the next.
 *
 * <pre>
 *   StoreBenchmark insert DIRECTORY [ROWS]    bare loops and the store, on each database
 *   StoreBenchmark month DIRECTORY [DAYS]     a month of windows of 10 s of 50 series, and queries
 * </pre>
 */
public final class StoreBenchmark {
  private static final int UNDER_WAY = 4;
  private static final String SITE = "north";
  private static final int ROUNDS = 3;
  private static final int A_DAY = WindowRows.WINDOWS_A_DAY * WindowRows.SERIES;

  /** H2 takes too long for a month. */
  private static final int H2_DAYS = 1;

  private StoreBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    Directories.remove(directory);
    Files.createDirectories(directory);
    try (Postgres server = new Postgres(directory.resolve("pg"))) {
      if (arguments[0].equals("insert")) {
        inserts(directory, server, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 400_000);
      } else {
        months(directory, server, arguments.length > 2 ? Integer.parseInt(arguments[2]) : 30);
      }
    } finally {
      Directories.remove(directory);
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private static void inserts(Path directory, Postgres server, int rows) throws Exception {
    List<BareLoop> loops =
        List.of(
            BareLoop.sqlite(directory.resolve("bare.db")),
            BareLoop.h2(directory.resolve("h2")),
            server.bare("bare"));
    for (int round = 1; round <= ROUNDS; round++) {
      for (BareLoop loop : loops) {
        report("bare loop, upsert", loop.name(), loop.run("w" + round, rows));
      }
      for (boolean keyed : new boolean[] {true, false}) {
        store(
            "SQLite",
            StoreOptions.embedded(directory.resolve("store" + keyed + round)),
            keyed,
            rows);
        store("PostgreSQL", server.store("store" + keyed + round), keyed, rows);
      }
    }
  }

  private static void report(String what, String name, double rowsPerSecond) {
    say("%-24s %-11s %,9.0f rows/s".formatted(what, name, rowsPerSecond));
  }

  private static RowBlock block(int first, int rows) {
    return new RowBlock(
        first + 1L,
        rows,
        new RowsCodec(WindowRows.SCHEMA).encode(List.of(WindowRows.batch(first, rows))));
  }

  private static void store(String name, StoreOptions options, boolean keyed, int rows)
      throws Exception {
    try (Store store = Store.open(options, InstantSource.system(), _ -> {})) {
      report(keyed ? "store, upsert" : "store, rows of their own", name, fill(store, keyed, rows));
    }
  }

  /** Sends as a site does: some blocks are under way at a time. */
  private static double fill(Store store, boolean keyed, int rows) throws Exception {
    long begin = System.nanoTime();
    store.sites().enrol(SITE, "ledger", "key");
    List<Integer> key = keyed ? WindowRows.KEY : List.of();
    long stream =
        store
            .openStream(SITE, new StreamOpening("job", "task", "sink", "w", WindowRows.SCHEMA, key))
            .id();
    ArrayDeque<CompletableFuture<Long>> underWay = new ArrayDeque<>();
    for (int first = 0; first < rows; first += WindowRows.BLOCK) {
      int size = Math.min(WindowRows.BLOCK, rows - first);
      underWay.add(store.append(SITE, stream, List.of(block(first, size))));
      if (underWay.size() == UNDER_WAY) {
        underWay.remove().get();
      }
    }
    for (CompletableFuture<Long> append : underWay) {
      append.get();
    }
    return rows / ((System.nanoTime() - begin) / 1e9);
  }

  private static void months(Path directory, Postgres server, int days) throws Exception {
    month("SQLite", StoreOptions.embedded(directory.resolve("month")), days);
    month("PostgreSQL", server.store("month"), days);
    h2(directory, Math.min(days, H2_DAYS));
  }

  private static void month(String name, StoreOptions options, int days) throws Exception {
    int rows = days * A_DAY;
    try (Store store = Store.open(options, InstantSource.system(), _ -> {})) {
      report("store, %d days".formatted(days), name, fill(store, false, rows));
      say(
          "%-11s %,d bytes, %.1f a row"
              .formatted(name, store.status().bytes(), 1.0 * store.status().bytes() / rows));
      Instant begin = WindowRows.BEGIN;
      Instant end = begin.plus(Duration.ofDays(days));
      Instant lastDay = end.minus(Duration.ofDays(1));
      Map<String, String> one = Map.of("sensor", WindowRows.sensor(7));
      ask(name, "month, 50 lines", store, List.of("sensor"), Map.of(), begin, end);
      ask(name, "month, one line", store, List.of(), one, begin, end);
      ask(name, "month, all in one", store, List.of(), Map.of(), begin, end);
      ask(name, "day, 50 lines", store, List.of("sensor"), Map.of(), lastDay, end);
      ask(name, "day, one line", store, List.of(), one, lastDay, end);
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
      Counter rows = new Counter();
      store.query("SELECT * FROM w ORDER BY window_end DESC LIMIT 50", QueryLimits.DEFAULT, rows);
      say(
          "%-11s %-18s %,9.1f ms  %d rows"
              .formatted(name, "the latest 50", (System.nanoTime() - begin) / 1e6, rows.count));
    }
  }

  private static final class Counter implements RowReceiver {
    int count;

    @Override
    public void columns(List<Column> columns) {}

    @Override
    public void row(List<@Nullable Object> values) {
      count++;
    }
  }

  /** H2 has no store: the same rows by a bare loop, and the query that a series is. */
  private static void h2(Path directory, int days) throws SQLException {
    BareLoop bare = BareLoop.h2(directory.resolve("month"));
    report("bare loop, upsert", bare.name(), bare.run("w", days * A_DAY));
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
