package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Flink's own connector {@code jdbc} is the oracle: the same scripts over a PostgreSQL read the
 * same rows and leave the same tables. Its newest release is for Flink 2.0 and runs on 2.3.
 */
final class JdbcOracleTest {
  private static final int READINGS = 300;

  private static final String TABLES =
      """
      SET 'table.local-time-zone' = 'UTC';
      CREATE TABLE readings (
        id BIGINT NOT NULL, machine STRING, is_on BOOLEAN, small SMALLINT, n INT, v DOUBLE, f FLOAT,
        price DECIMAL(12, 3), code VARCHAR(8), day_of DATE, time_of TIME(0), ts TIMESTAMP(6),
        p AS PROCTIME(), PRIMARY KEY (id) NOT ENFORCED
      ) WITH (${login}, 'table-name' = 'readings');
      CREATE TABLE part (id BIGINT, v DOUBLE) WITH (${login}, 'table-name' = 'plant.part',
        'scan.partition.column' = 'id', 'scan.partition.num' = '3',
        'scan.partition.lower-bound' = '2', 'scan.partition.upper-bound' = '8');
      CREATE TABLE machines (machine STRING, hall STRING, PRIMARY KEY (machine) NOT ENFORCED)
      WITH (${login}, 'table-name' = 'machines');
      """;

  private static final List<String> QUERIES =
      List.of(
          """
          SELECT id, machine, is_on, small, n, v, f, price, code, day_of, time_of, ts FROM readings
          """,
          "SELECT id, v FROM part",
          "SELECT machine, v FROM readings WHERE v > 20 AND machine LIKE 'p%' AND NOT is_on",
          """
          SELECT r.id, m.hall FROM readings AS r
          JOIN machines FOR SYSTEM_TIME AS OF r.p AS m ON r.machine = m.machine
          """);

  @TempDir private static Path directory;
  private static EmbeddedPostgres database;
  private static Flink flink;
  private static int tables;

  @BeforeAll
  static void start() throws IOException, SQLException {
    database = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
    execute(
        """
        CREATE TABLE readings (
          id BIGINT PRIMARY KEY, machine TEXT, is_on BOOLEAN, small SMALLINT, n INTEGER,
          v DOUBLE PRECISION, f REAL, price NUMERIC(12, 3), code VARCHAR(8), day_of DATE, time_of TIME,
          ts TIMESTAMP(6))\
        """,
        """
        INSERT INTO readings SELECT
          i, (ARRAY['press-1', 'press-2', 'pump-7', 'valve-3'])[i %% 4 + 1], i %% 3 = 0, i %% 100, i * 1000,
          CASE i %% 13 WHEN 5 THEN NULL ELSE i / 8.0 END, i / 4.0, i / 1000.0, 'c' || i %% 9,
          DATE '2026-01-01' + i %% 50, TIME '10:00:00' + i * INTERVAL '1 second',
          TIMESTAMP '2026-01-01 00:00:00.000001' + i * INTERVAL '1 second 1 microsecond'
        FROM generate_series(1, %d) AS i\
        """
            .formatted(READINGS),
        "CREATE SCHEMA plant",
        "CREATE TABLE plant.part (id BIGINT, v DOUBLE PRECISION)",
        "INSERT INTO plant.part SELECT i, i / 8.0 FROM generate_series(1, 10) AS i",
        "CREATE TABLE machines (machine TEXT PRIMARY KEY, hall TEXT)",
        "INSERT INTO machines VALUES ('press-1', 'north'), ('press-2', 'north'), ('pump-7', NULL)");
    flink = new Flink();
  }

  @AfterAll
  static void stop() throws IOException {
    try (EmbeddedPostgres _ = database) {
      flink.close();
    }
  }

  private static void execute(String... statements) throws SQLException {
    try (Connection connection = database.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  /** The rows of a table in some order, each its values with commas between. */
  private static List<String> rows(String table) throws SQLException {
    try (Connection connection = database.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT t::TEXT FROM %s t".formatted(table))) {
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        rows.add(result.getString(1));
      }
      return rows;
    }
  }

  private static String located(String script) {
    return script.replace(
        "${login}",
        "'connector' = 'jdbc', 'url' = 'jdbc:postgresql://localhost:%d/postgres', 'username' = 'postgres', 'password' = 'postgres'"
            .formatted(database.getPort()));
  }

  @Test
  void bothReadTheSameRows() throws Exception {
    List<Answer> theirs = flink.run(located(TABLES), QUERIES);
    for (int i = 0; i < QUERIES.size(); i++) {
      String query = QUERIES.get(i);
      assertThat(theirs.get(i)).as(query).isInstanceOf(Answer.Rows.class);
      assertThat(((Answer.Rows) theirs.get(i)).changes()).as(query).isNotEmpty();
      Answer ours = new Answer.Rows(new Sedge(directory).run(located(TABLES) + query + ";\n"));
      assertThat(Answer.differences(theirs.get(i), ours, false, -1)).as(query).isEmpty();
    }
  }

  /** Runs a script that writes to a table, on one engine each; the rows of each. */
  private static Map<String, List<String>> written(String script, String columns) throws Exception {
    Map<String, List<String>> written = new HashMap<>();
    for (String engine : List.of("flink", "sedge")) {
      String table = "of_" + engine + ++tables;
      execute("CREATE TABLE %s (%s)".formatted(table, columns));
      String whole = located(TABLES + script).replace("${table}", table);
      if (engine.equals("flink")) {
        assertThat(flink.run(whole, List.of("SELECT 1")))
            .as("Flink's answer")
            .singleElement()
            .isInstanceOf(Answer.Rows.class);
      } else {
        new Sedge(directory).run(whole);
      }
      written.put(engine, rows(table));
    }
    return written;
  }

  @Test
  void bothAddTheSameRows() throws Exception {
    Map<String, List<String>> written =
        written(
            """
            CREATE TABLE results (
              id BIGINT, machine STRING, is_on BOOLEAN, small SMALLINT, n INT, v DOUBLE, f FLOAT,
              price DECIMAL(12, 3), day_of DATE, time_of TIME(0), ts TIMESTAMP(6)
            ) WITH (${login}, 'table-name' = '${table}');
            INSERT INTO results
            SELECT id, machine, is_on, small, n, v, f, price, day_of, time_of, ts FROM readings WHERE id <= 200;
            """,
            """
            id BIGINT, machine TEXT, is_on BOOLEAN, small SMALLINT, n INTEGER, v DOUBLE PRECISION,
            f REAL, price NUMERIC(12, 3), day_of DATE, time_of TIME, ts TIMESTAMP(6)\
            """);
    assertThat(written.get("flink")).hasSize(200);
    assertThat(written.get("sedge")).containsExactlyInAnyOrderElementsOf(written.get("flink"));
  }

  /** With keys that go again: HAVING takes some of them back. */
  @ParameterizedTest
  @ValueSource(strings = {"streaming", "batch"})
  void bothLeaveTheSameRowsOfEachKey(String mode) throws Exception {
    Map<String, List<String>> written =
        written(
            """
            SET 'execution.runtime-mode' = '${mode}';
            CREATE TABLE counts (machine STRING, c BIGINT, s DOUBLE, PRIMARY KEY (machine) NOT ENFORCED)
            WITH (${login}, 'table-name' = '${table}');
            INSERT INTO counts
            SELECT machine, COUNT(*), SUM(v) FROM readings GROUP BY machine
            HAVING COUNT(*) < 60 OR machine LIKE 'p%';
            """
                .replace("${mode}", mode),
            "machine TEXT PRIMARY KEY, c BIGINT, s DOUBLE PRECISION");
    assertThat(written.get("flink")).hasSize(3);
    assertThat(written.get("sedge")).containsExactlyInAnyOrderElementsOf(written.get("flink"));
  }
}
