package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Scripts, from their text to the rows that come out. Flink's semantics are held by the oracle. */
class ScriptsTest {
  private static final String READINGS =
      """
      CREATE TABLE readings (
        id STRING, v DOUBLE, n INT, ts TIMESTAMP(3), p AS PROCTIME(), twice AS n * 2,
        WATERMARK FOR ts AS ts
      ) WITH ('connector' = 'memory');
      """;

  private static Run readings() {
    return new Run()
        .row("readings", "a", 1.0, 1, at("00:00:01"))
        .row("readings", "b", 10.0, 2, at("00:00:02"))
        .row("readings", "a", 3.0, 3, at("00:00:04"))
        .row("readings", "a", 5.0, null, at("00:00:06"))
        .row("readings", "b", 20.0, 5, at("00:00:12"));
  }

  @Test
  void filtersAndProjectsWithComputedColumns() {
    assertThat(
            readings()
                .rows(
                    READINGS + "SELECT id, v + n AS s, twice FROM readings WHERE v < 15 AND n > 1"))
        .containsExactly("b, 12.0, 4", "a, 6.0, 6");
  }

  /** All input is there before anything is final, so nothing is late and nothing is taken back. */
  @Test
  void batchModeGivesFinalRowsOnce() {
    Job job =
        Run.compile(
            "SET 'execution.runtime-mode' = 'batch';\n"
                + READINGS
                + "SELECT id, COUNT(*) AS c FROM readings GROUP BY id;\nRESET;");
    assertThat(job.batch()).isTrue();
    assertThat(job.sinks().get("query-1").updating()).isFalse();
    assertThat(
            readings()
                .row("readings", "a", 7.0, 9, at("00:00:00"))
                .rows(
                    "SET 'execution.runtime-mode' = 'BATCH';\n"
                        + READINGS
                        + """
                        SELECT id, c, s FROM (
                          SELECT id, COUNT(*) AS c, SUM(v) AS s FROM readings GROUP BY id)
                        ORDER BY c DESC LIMIT 1
                        """))
        .containsExactly("a, 4, 16.0");
  }

  /** As in Flink; two tables that are joined often have columns of one name. */
  @Test
  void columnsOfOneNameInABareSelectGetNumbers() {
    Job job = Run.compile(READINGS + "SELECT id, n, id, n + 1 AS n FROM readings");
    assertThat(job.sinks().get("query-1").table().schema().names())
        .containsExactly("id", "n", "id0", "n0");
  }

  @Test
  void aggregatesTumblingWindowsPerKey() {
    List<String> rows =
        readings()
            .rows(
                READINGS
                    + """
                    SELECT id, EXTRACT_SECOND, c, s FROM (
                      SELECT id, window_start AS EXTRACT_SECOND, COUNT(*) AS c, SUM(v) AS s
                      FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND))
                      GROUP BY id, window_start, window_end)
                    """);
    assertThat(rows)
        .containsExactlyInAnyOrder(
            "a, %d, 2, 4.0".formatted(at("00:00:00")),
            "b, %d, 1, 10.0".formatted(at("00:00:00")),
            "a, %d, 1, 5.0".formatted(at("00:00:05")),
            "b, %d, 1, 20.0".formatted(at("00:00:10")));
  }

  @Test
  void aFilterAboveTheWindowFunctionIsAppliedBelowTheAggregate() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        SELECT COUNT(*), MAX(n)
                        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
                        WHERE id = 'a' GROUP BY window_start, window_end
                        """))
        .containsExactly("3, 3");
  }

  @Test
  void anOlderGroupWindowIsTheSameAsTheWindowFunction() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        SELECT TUMBLE_START(ts, INTERVAL '10' SECOND), COUNT(*) FROM readings
                        GROUP BY TUMBLE(ts, INTERVAL '10' SECOND)
                        """))
        .containsExactly("%d, 4".formatted(at("00:00:00")), "%d, 1".formatted(at("00:00:10")));
  }

  @Test
  void windowsOverTheResultsOfWindows() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        CREATE VIEW small AS
                        SELECT window_time AS wt, COUNT(*) AS c
                        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND))
                        GROUP BY id, window_start, window_end, window_time;
                        SELECT SUM(c), COUNT(*)
                        FROM TABLE(TUMBLE(TABLE small, DESCRIPTOR(wt), INTERVAL '1' MINUTE))
                        GROUP BY window_start, window_end
                        """))
        .containsExactly("5, 4");
  }

  @Test
  void overSumsThePredecessorsOfEachRow() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        SELECT id, v, s, LAG(v) OVER (PARTITION BY id ORDER BY ts)
                        FROM (
                          SELECT *, SUM(v) OVER w AS s FROM readings
                          WINDOW w AS (PARTITION BY id ORDER BY ts
                            ROWS BETWEEN 1 PRECEDING AND CURRENT ROW))
                        """))
        .containsExactlyInAnyOrder(
            "a, 1.0, 1.0, null",
            "b, 10.0, 10.0, null",
            "a, 3.0, 4.0, 1.0",
            "a, 5.0, 8.0, 3.0",
            "b, 20.0, 30.0, 10.0");
  }

  @Test
  void theFirstRowOfEachKeyIsKept() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        SELECT id, v FROM (
                          SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts) AS rn
                          FROM readings) WHERE rn = 1
                        """))
        .containsExactlyInAnyOrder("a, 1.0", "b, 10.0");
  }

  @Test
  void theGreatestRowsOfEachWindowComeOutWhenItCloses() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        SELECT id, s, rn FROM (
                          SELECT *, ROW_NUMBER() OVER (
                            PARTITION BY window_start, window_end ORDER BY s DESC) AS rn
                          FROM (
                            SELECT id, window_start, window_end, SUM(v) AS s
                            FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
                            GROUP BY id, window_start, window_end)) WHERE rn <= 1
                        """))
        .containsExactly("b, 10.0, 1", "b, 20.0, 1");
  }

  @Test
  void joinsRowsThatAreNearInTime() {
    String script =
        READINGS
            + """
            CREATE TABLE alarms (id STRING, what STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
              WITH ('connector' = 'memory');
            SELECT r.id, r.v, a.what FROM readings AS r JOIN alarms AS a
              ON r.id = a.id AND r.ts >= a.ts AND r.ts <= a.ts AND r.v > 0
            """;
    Run run =
        readings()
            .row("alarms", "a", "hot", at("00:00:04"))
            .row("alarms", "b", "x", at("00:00:05"));
    assertThat(run.rows(script)).containsExactly("a, 3.0, hot");
  }

  @Test
  void looksUpASmallTable() {
    String script =
        READINGS
            + """
            CREATE TABLE names (id STRING, name STRING) WITH ('connector' = 'memory');
            SELECT r.v, d.name FROM readings AS r LEFT JOIN names FOR SYSTEM_TIME AS OF r.p AS d
              ON r.id = d.id WHERE r.n IS NOT NULL
            """;
    Run run = readings().row("names", "a", "pump");
    assertThat(run.rows(script))
        .containsExactlyInAnyOrder("1.0, pump", "10.0, null", "3.0, pump", "20.0, null");
  }

  @Test
  void insertsSomeColumnsAndConstantRows() {
    String script =
        """
        CREATE TABLE results (a STRING, b DECIMAL(10, 2), c BIGINT) WITH ('connector' = 'memory');
        INSERT INTO results (c, a) VALUES (1 + 1, 'x'), (3, 'y');
        """;
    assertThat(new Run().rows(script)).containsExactly("x, null, 2", "y, null, 3");
  }

  @Test
  void aStatementSetWritesSeveralTablesFromOneReading() {
    String script =
        READINGS
            + """
            CREATE TABLE low (id STRING, v DOUBLE) WITH ('connector' = 'memory');
            CREATE TABLE high LIKE low;
            EXECUTE STATEMENT SET BEGIN
              INSERT INTO low SELECT id, v FROM readings WHERE v < 5;
              INSERT INTO high SELECT id, v FROM readings WHERE NOT v < 5;
            END;
            """;
    Map<String, List<String>> rows = readings().of(script);
    assertThat(rows.get("low")).containsExactly("a, 1.0", "a, 3.0");
    assertThat(rows.get("high")).containsExactly("b, 10.0", "a, 5.0", "b, 20.0");
  }

  @Test
  void lateRowsGoToTheirTable() {
    String script =
        READINGS
            + """
            CREATE TABLE late (id STRING, v DOUBLE) WITH ('connector' = 'memory');
            CREATE TABLE counts (c BIGINT) WITH ('connector' = 'memory');
            SET 'sedge.late-table' = 'late';
            INSERT INTO counts SELECT COUNT(*)
              FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND))
              GROUP BY window_start, window_end;
            """;
    Run run = readings().row("readings", "z", 9.0, 1, at("00:00:03"));
    Map<String, List<String>> rows = run.of(script);
    assertThat(rows.get("late")).containsExactly("z, 9.0");
    assertThat(rows.get("counts")).containsExactly("3", "1", "1");
  }

  @Test
  void lateRowsOfAWindowThatSeveralQueriesShareAreKeptOnce() {
    String script =
        READINGS
            + """
            CREATE TABLE late (id STRING, v DOUBLE) WITH ('connector' = 'memory');
            CREATE TABLE counts (c BIGINT) WITH ('connector' = 'memory');
            CREATE TABLE sums (s DOUBLE) WITH ('connector' = 'memory');
            SET 'sedge.late-table' = 'late';
            CREATE VIEW windows AS SELECT COUNT(*) AS c, SUM(v) AS s
              FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' SECOND))
              GROUP BY window_start, window_end;
            INSERT INTO counts SELECT c FROM windows;
            INSERT INTO sums SELECT s FROM windows;
            """;
    Map<String, List<String>> rows =
        readings().row("readings", "z", 9.0, 1, at("00:00:03")).of(script);
    assertThat(rows.get("late")).containsExactly("z, 9.0");
    assertThat(rows.get("counts")).containsExactly("3", "1", "1");
    assertThat(rows.get("sums")).containsExactly("14.0", "5.0", "20.0");
  }

  @Test
  void keysOfDifferentTypesAreLookedUpByTheirValue() {
    String script =
        READINGS
            + """
            CREATE TABLE names (id BIGINT, code DECIMAL(12, 4), name STRING) WITH ('connector' = 'memory');
            CREATE VIEW decimals AS SELECT n, CAST(n AS DECIMAL(10, 2)) AS d, p FROM readings;
            SELECT r.n, d.name FROM decimals AS r JOIN names FOR SYSTEM_TIME AS OF r.p AS d
              ON r.n + 1 = d.id AND r.d = d.code
            """;
    Run run =
        readings()
            .row("names", 2L, new BigDecimal("1.0000"), "pump")
            .row("names", 4L, new BigDecimal("3.0000"), "valve")
            .row("names", 6L, new BigDecimal("5.0001"), "tank");
    assertThat(run.rows(script)).containsExactlyInAnyOrder("1, pump", "3, valve");
    assertThat(PlanPrinter.print(Run.compile(script))).contains("n + 1 AS ");
  }

  @Test
  void whatLagGivesAtFirstIsOfTheTypeOfItsColumn() {
    String script =
        READINGS
            + """
            SELECT LAG(d, 1, 0) OVER (ORDER BY ts)
            FROM (SELECT CAST(n AS DECIMAL(10, 2)) AS d, ts FROM readings WHERE n < 4)
            """;
    assertThat(readings().rows(script)).containsExactly("0.00", "1.00", "2.00");
  }

  @Test
  void aGroupingWithoutAWindowUpdatesItsResult() {
    assertThat(readings().batches(1).rows(READINGS + "SELECT id, SUM(n) FROM readings GROUP BY id"))
        .startsWith("+I a, 1", "+I b, 2", "-U a, 1", "+U a, 4");
  }

  @Test
  void distinctRowsAreGivenOnce() {
    assertThat(readings().rows(READINGS + "SELECT DISTINCT id FROM readings"))
        .containsExactlyInAnyOrder("+I a", "+I b");
  }

  @Test
  void viewsNestAndRenameTheirColumns() {
    assertThat(
            readings()
                .rows(
                    READINGS
                        + """
                        CREATE VIEW w (k, x) AS SELECT id, v * 2 FROM readings;
                        CREATE VIEW u AS SELECT k, x + 1 AS y FROM w WHERE x > 5;
                        WITH t AS (SELECT y FROM u) SELECT y FROM t UNION ALL SELECT 0.0E0
                        """))
        .containsExactlyInAnyOrder("21.0", "7.0", "11.0", "41.0", "0.0");
  }

  @Test
  void columnsThatNobodyReadsAreLeftOutRightAboveTheScan() {
    Job job = Run.compile(READINGS + "SELECT id FROM readings WHERE n > 1");
    assertThat(PlanPrinter.print(job))
        .isEqualTo(
            """
            job test
              set 'table.local-time-zone' = 'UTC'
            reads
              readings (connector memory)
                columns id STRING, v DOUBLE, n INT, ts TIMESTAMP(3)
            writes
              query-1 (connector terminal), the rows of
                1 Project id
                  2 Filter n > 1
                    3 Watermark for ts: ts
                      keeps the greatest watermark so far
                      4 Project id, n, ts
                        Scan readings
            a commit holds
              the position in readings
              what has changed, since the commit before, of what the steps keep
              the new rows of query-1
            """);
  }
}
