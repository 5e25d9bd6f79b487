package io.sedge.bench.connectors;

import io.sedge.bench.Table;
import io.sedge.bench.center.Postgres;
import io.sedge.bench.parts.Rounds;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows into a table with a key, each key many times, beside a loop that does nothing else. Of
 * {@code sedge run} a long run less a short one counts, so that its start does not.
 */
final class JdbcBenchmark {
  /** So many rows the table has in the end. */
  static final int KEYS = 100_000;

  /** How much longer the long input is than the short one. */
  private static final int FACTOR = 4;

  private static final int HEAP_MB = 256;

  /**
   * A database.
   *
   * @param url without a login
   * @param login options of a table, and parameters of a URL
   */
  private record Database(String name, String url, String login, String parameters) {
    String bare() {
      return url + parameters;
    }
  }

  private final Programs programs;
  private final int rows;
  private final PrintStream progress;

  /**
   * @param rows of the short input
   */
  JdbcBenchmark(Programs programs, int rows, PrintStream progress) {
    this.programs = programs;
    this.rows = rows;
    this.progress = progress;
  }

  Table measure(int rounds) throws IOException {
    Table table = new Table("JDBC, upsert", "Sedge rows/s", "bare loop rows/s", "of the loop");
    try (Postgres server = new Postgres(programs.directory().resolve("postgres"))) {
      String password = Programs.PASSWORD;
      measure(
          new Database(
              "PostgreSQL",
              server.create("bench"),
              ", 'username' = '%s', 'password' = '${secret:bench}'".formatted(Postgres.USER),
              "?user=%s&password=%s".formatted(Postgres.USER, password)),
          rounds,
          table);
      measure(
          new Database("SQLite", "jdbc:sqlite:" + programs.directory().resolve("bench.db"), "", ""),
          rounds,
          table);
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return table;
  }

  private void measure(Database database, int rounds, Table table)
      throws IOException, SQLException {
    List<Double> sedge = new ArrayList<>();
    List<Double> loop = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      progress.printf("JDBC, round %d of %d: %s%n", round, rounds, database.name());
      double difference = seconds(database, rows * FACTOR) - seconds(database, rows);
      sedge.add(rows * (FACTOR - 1.0) / difference);
      loop.add(loop(database));
    }
    table.row(
        database.name(),
        Table.number(Rounds.median(sedge)),
        Table.number(Rounds.median(loop)),
        Table.number(Rounds.median(sedge) / Rounds.median(loop)));
  }

  private double seconds(Database database, int count) throws IOException, SQLException {
    UpsertLoop.create(database.bare(), "sedge");
    long begin = System.nanoTime();
    try (SedgeProcess run = programs.run("jdbc", script(database, count))) {
      run.awaitEnd();
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    UpsertLoop.check(database.bare(), "sedge", count);
    return seconds;
  }

  private double loop(Database database) throws IOException, SQLException {
    UpsertLoop.create(database.bare(), "loop");
    try (SedgeProcess loop =
        programs.java(
            "jdbc-loop",
            UpsertLoop.class,
            HEAP_MB,
            database.bare(),
            "loop",
            Integer.toString(rows),
            Integer.toString(rows * FACTOR))) {
      loop.awaitEnd();
      String line = loop.awaitLine(UpsertLoop.RATE);
      UpsertLoop.check(database.bare(), "loop", rows * FACTOR);
      return Double.parseDouble(line.substring(UpsertLoop.RATE.length()));
    }
  }

  private static String script(Database database, int count) {
    return """
    CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '100000000',
      'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '%d');
    CREATE TABLE machines (id INT, sensor STRING, v DOUBLE, PRIMARY KEY (id) NOT ENFORCED)
      WITH ('connector' = 'jdbc', 'url' = '%s', 'table-name' = 'sedge'%s);
    INSERT INTO machines
      SELECT CAST(MOD(n, %4$d) AS INT), 'sensor-' || CAST(MOD(n, %4$d) AS STRING), CAST(n AS DOUBLE) / 8
      FROM numbers;
    """
        .formatted(count - 1, database.url(), database.login(), KEYS);
  }
}
