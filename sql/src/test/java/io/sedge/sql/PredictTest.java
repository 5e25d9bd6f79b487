package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** CREATE MODEL and ML_PREDICT as Flink 2.3 has them, over a model that adds its features up. */
class PredictTest {
  private static final String SCRIPT =
      """
      CREATE TABLE t (id STRING, a DOUBLE, b DOUBLE, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
      CREATE MODEL m INPUT (x DOUBLE, y DOUBLE) OUTPUT (risk DOUBLE, a DOUBLE) WITH ('provider' = 'sum');
      """;

  private static Run rows() {
    return new Run()
        .row("t", "p", 1.0, 2.0, 7, at("00:00:01"))
        .row("t", "q", 3.0, null, 8, at("00:00:02"))
        .row("t", "r", 4.0, 5.0, 9, at("00:00:03"));
  }

  /** As Flink's SqlValidatorUtils.makeOutputUnique names them. */
  @Test
  void theOutputFollowsTheInputAndANameThatIsThereGetsAnIndex() {
    assertThat(
            rows()
                .rows(
                    SCRIPT
                        + "SELECT id, a, risk, a0 FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a,"
                        + " b))"))
        .containsExactly("p, 1.0, 3.0, 30.0", "q, 3.0, null, null", "r, 4.0, 9.0, 90.0");
    assertThat(
            rows()
                .rows(
                    SCRIPT + "SELECT * FROM TABLE(ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b)))"))
        .first()
        .isEqualTo("p, 1.0, 2.0, 7, 1704067201000000, 3.0, 30.0");
  }

  @Test
  void argumentsMayHaveNames() {
    assertThat(
            rows()
                .rows(
                    SCRIPT
                        + "SELECT id, risk FROM ML_PREDICT(MODEL => MODEL m, INPUT => TABLE t, ARGS"
                        + " => DESCRIPTOR(n, a), CONFIG => MAP['async', 'true', 'timeout', '5s'])"))
        .containsExactly("p, 8.0", "q, 11.0", "r, 13.0");
  }

  /** A step before and a step after: the model is one of a job's steps. */
  @Test
  void scoresAreFilteredCountedInWindowsAndMadeOfViews() {
    String script =
        SCRIPT
            + """
            CREATE VIEW halves AS SELECT id, a / 2 AS h, b, ts FROM t;
            CREATE VIEW scored AS SELECT * FROM ML_PREDICT(TABLE halves, MODEL m, DESCRIPTOR(h, b));
            SELECT window_start, COUNT(*), SUM(risk)
            FROM TABLE(TUMBLE(TABLE scored, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
            WHERE risk > 1 GROUP BY window_start, window_end;
            """;
    assertThat(rows().rows(script)).containsExactly("1704067200000000, 2, 9.5");
  }

  /** Costs the row, and no other, however many rows stand in a batch. */
  @Test
  void aRowThatBreaksTheModelIsLeftOut() {
    Run run =
        rows()
            .row("t", "s", SumProvider.BREAKS, 1.0, 1, at("00:00:04"))
            .row("t", "u", 1.0, 1.0, 1, at("00:00:05"));
    assertThat(
            run.rows(
                SCRIPT + "SELECT id, risk FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b))"))
        .containsExactly("p, 3.0", "q, null", "r, 9.0", "u, 2.0");
    assertThat(run.failed()).containsExactly("line 4:22: no model likes 13");
  }

  @Test
  void aModelMayBeDroppedAndMadeAnew() {
    String script =
        SCRIPT
            + """
            CREATE MODEL IF NOT EXISTS m INPUT (x DOUBLE) OUTPUT (y DOUBLE) WITH ('provider' = 'sum');
            DROP MODEL m;
            DROP MODEL IF EXISTS m;
            CREATE TEMPORARY MODEL m INPUT (x DOUBLE) OUTPUT (y DOUBLE) WITH ('provider' = 'sum', 'offset' = '100');
            SELECT y FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a));
            """;
    assertThat(rows().rows(script)).containsExactly("101.0", "103.0", "104.0");
  }

  /**
   * As in Flink: an option that is reset has its default again, and one that is not there may be.
   */
  @Test
  void aModelMayBeChangedAndRenamed() {
    String script =
        SCRIPT
            + """
            ALTER MODEL m SET ('offset' = '100');
            ALTER MODEL m RENAME TO n;
            ALTER MODEL IF EXISTS m RESET ('offset');
            CREATE MODEL m INPUT (x DOUBLE) OUTPUT (y DOUBLE) WITH ('provider' = 'sum', 'offset' = '7');
            ALTER MODEL m RESET ('offset', 'none');
            CREATE VIEW v AS SELECT * FROM ML_PREDICT(TABLE t, MODEL n, DESCRIPTOR(a, b));
            SELECT risk, y FROM ML_PREDICT(TABLE v, MODEL m, DESCRIPTOR(a));
            """;
    assertThat(rows().rows(script)).containsExactly("203.0, 1.0", "null, 3.0", "209.0, 4.0");
  }

  /** The same rows by both, and each function is told by what it scores by. */
  @Test
  void theShadowScoresBesideTheModel() {
    String script =
        SCRIPT
            + """
            ALTER MODEL m SET ('offset' = '100', 'shadow' = '200');
            CREATE VIEW scored AS SELECT id, a, b, ts, risk FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b));
            SELECT id, risk, risk0 FROM ML_PREDICT(TABLE scored, MODEL m, DESCRIPTOR(a, b), MAP['version', 'shadow']);
            """;
    assertThat(rows().rows(script))
        .containsExactly("p, 203.0, 403.0", "q, null, null", "r, 209.0, 409.0");
    assertThat(Run.compile(script).userFunctions())
        .containsEntry("MODEL m", "sum, offset 100")
        .containsEntry("SHADOW m", "sum, offset 200");
    assertThat(Run.compile(script).scoresByShadow("m")).isTrue();
    assertThat(Run.compile(script.replace(", MAP['version', 'shadow']", "")).scoresByShadow("m"))
        .isFalse();
    assertThat(
            rows()
                .rows(
                    SCRIPT
                        + """
                        ALTER MODEL m SET ('shadow' = '200');
                        CREATE MODEL M INPUT (x DOUBLE) OUTPUT (y DOUBLE) WITH ('provider' = 'sum', 'shadow' = '300');
                        CREATE VIEW v AS SELECT a, b, risk FROM
                          ML_PREDICT(INPUT => TABLE t, MODEL => MODEL m, ARGS => DESCRIPTOR(a, b), CONFIG => MAP['async', 'true', 'version', 'shadow']);
                        SELECT risk, y FROM ML_PREDICT(TABLE v, MODEL M, DESCRIPTOR(a), MAP['version', 'shadow']);
                        """))
        .containsExactly("403.0, 301.0", "null, 303.0", "409.0, 304.0");
  }

  /** Two versions of a job mean the same only if they score by the same model. */
  @Test
  void aJobKnowsWhatItScoresBy() {
    Job job =
        Run.compile(SCRIPT + "SELECT risk FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b))");
    assertThat(job.userFunctions()).containsEntry("MODEL m", "sum, offset 0");
    assertThat(Run.compile(SCRIPT + "SELECT id FROM t").userFunctions()).isEmpty();
  }
}
