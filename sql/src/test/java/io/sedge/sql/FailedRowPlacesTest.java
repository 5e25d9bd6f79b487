package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a script says what fails for a row: people look for it there. */
class FailedRowPlacesTest {
  private static final String TABLES =
      """
      CREATE TABLE m (id STRING, n STRING, d INT, p AS PROCTIME()) WITH ('connector' = 'memory');
      CREATE TABLE t (id STRING, n STRING) WITH ('connector' = 'memory');
      """;

  private static Run run() {
    return new Run()
        .row("m", "a", "x", 0)
        .row("m", "b", "5", 1)
        .row("t", "a", "x")
        .row("t", "b", "6");
  }

  /** The call that fails is the one after the mark. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, ^CAST(n AS BIGINT) FROM m",
        "SELECT id, UPPER(CAST(^CAST(n AS INT) AS STRING)) FROM m",
        "SELECT id, ^100 / d FROM m",
        "SELECT id FROM m WHERE 10 < ^CAST(n AS INT) * 5",
        "SELECT id FROM (SELECT id, n AS x FROM m) WHERE x = '' OR ^CAST(x AS INT) > 1",
        "SELECT id, SUM(^CAST(n AS INT)) FROM m GROUP BY id",
        "SELECT id FROM m GROUP BY id, ^CAST(n AS INT)",
        "SELECT m.id FROM m ^JOIN t FOR SYSTEM_TIME AS OF m.p ON m.id = t.id"
            + " AND m.d < CAST(t.n AS INT)",
      })
  void aFailureNamesTheLineAndTheColumnOfItsCall(String query) {
    Run run = run();
    run.of(TABLES + query.replace("^", ""));
    assertThat(run.failed())
        .singleElement()
        .asString()
        .startsWith("line 3:%d: ".formatted(query.indexOf('^') + 1));
  }

  @Test
  void aComputedColumnFailsWhereItWasDeclaredAndAViewWhereItWasWritten() {
    String script =
        """
        CREATE TABLE m (id STRING, n STRING,
          i AS CAST(n AS INT)) WITH ('connector' = 'memory');
        CREATE VIEW v AS
          SELECT id, i, CAST(n AS BOOLEAN) AS d FROM m;
        SELECT * FROM v
        """;
    Run run = new Run().row("m", "a", "x").row("m", "b", "5");
    assertThat(run.rows(script)).isEmpty();
    assertThat(run.failed())
        .satisfiesExactlyInAnyOrder(
            failure -> assertThat(failure).startsWith("line 2:8: "),
            failure -> assertThat(failure).startsWith("line 4:17: "));
  }

  @Test
  void theOtherRowsComeOut() {
    assertThat(run().rows(TABLES + "SELECT id, CAST(n AS BIGINT) FROM m")).containsExactly("b, 5");
  }

  @Test
  void checkRemarksOnEachCastOfATextThatMayFailOnce() {
    Job job =
        Run.compile(
            TABLES
                + """
                SELECT CAST(d AS STRING), CAST(n AS BIGINT), TRY_CAST(n AS INT) FROM m
                WHERE CAST(id AS DOUBLE) > 1;
                SELECT id FROM m WHERE CAST(n AS DATE) > CURRENT_DATE
                """);
    assertThat(Remarks.of(job))
        .containsExactly(
            "line 3:27: CAST(… AS BIGINT) fails for a text that is no BIGINT, and the row is left"
                + " out and counted; TRY_CAST gives NULL",
            "line 4:7: CAST(… AS DOUBLE) fails for a text that is no DOUBLE, and the row is left"
                + " out and counted; TRY_CAST gives NULL",
            "line 5:24: CAST(… AS DATE) fails for a text that is no DATE, and the row is left out"
                + " and counted; TRY_CAST gives NULL");
  }

  @Test
  void aJobMayFailAtTheFirstRowAsInFlink() {
    String query = TABLES + "SET 'sedge.on-row-failure' = '%s'; SELECT CAST(n AS INT) FROM m";
    assertThat(Run.compile(query.formatted("skip")).skipsFailedRows()).isTrue();
    Job failing = Run.compile(query.formatted("fail"));
    assertThat(failing.skipsFailedRows()).isFalse();
    assertThat(Remarks.of(failing)).singleElement().asString().contains("and the job ends");
  }

  @Test
  void anotherWordThanSkipOrFailIsRefused() {
    SqlCompiler compiler =
        new SqlCompiler(MemoryConnector.all(), Map.of(), InstantSource.fixed(Instant.EPOCH));
    String script = TABLES + "SET 'sedge.on-row-failure' = 'stop'; SELECT n FROM m";
    assertThatThrownBy(() -> compiler.compile("test.sql", script, Path.of(".")))
        .isInstanceOfSatisfying(
            SqlException.class,
            e ->
                assertThat(e.problems())
                    .extracting(Problem::message)
                    .isEqualTo(
                        List.of(
                            "'sedge.on-row-failure' = 'stop' is not skip (the row is left out and"
                                + " counted) or fail (the job ends, as in Flink)")));
  }
}
