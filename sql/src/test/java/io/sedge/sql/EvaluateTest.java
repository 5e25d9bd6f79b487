package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.state.StateWriter;
import io.sedge.learning.Evaluation;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** ML_EVALUATE as Flink 2.3 declares it, over a model that adds its features up. */
class EvaluateTest {
  private static final String SCRIPT =
      """
      CREATE TABLE t (a DOUBLE, b DOUBLE, y INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
      CREATE MODEL m INPUT (x DOUBLE, z DOUBLE) OUTPUT (s DOUBLE) WITH ('provider' = 'sum');
      """;

  /** Scores 3, NULL, 9; errors 1, none, 1. */
  private static Run rows() {
    return new Run()
        .row("t", 1.0, 2.0, 2, at("00:00:01"))
        .row("t", 3.0, null, 8, at("00:00:02"))
        .row("t", 4.0, 5.0, 10, at("00:00:03"));
  }

  @Test
  void theResultIsOneRowWhoseFieldsAreTakenOutAsOfAMap() {
    String script =
        SCRIPT
            + "SELECT `result`['MAE'], e.`result`.MSE, `result`['R²'], `result`['Left Out']"
            + " FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b), 'regression')"
            + " AS e";
    assertThat(rows().rows(script)).containsExactly("+I 1.0, 1.0, 0.9375, 1.0");
  }

  /** As Flink: a result over a stream changes with its rows. */
  @Test
  void theResultChangesWithEachBatch() {
    String script =
        SCRIPT
            + """
            SELECT * FROM TABLE(ML_EVALUATE(TASK => 'regression', MODEL => MODEL m, INPUT => TABLE t,
              ARGS => DESCRIPTOR(a, b), LABEL => DESCRIPTOR(y), CONFIG => MAP['async', 'true']));
            """;
    assertThat(rows().batches(2).rows(script))
        .containsExactly(
            "+I [1.0, 1.0, 1.0, 0.5, null, 1.0, 1.0]",
            "-U [1.0, 1.0, 1.0, 0.5, null, 1.0, 1.0]",
            "+U [1.0, 1.0, 1.0, 0.3, 0.9375, 2.0, 1.0]");
  }

  @Test
  void inBatchModeTheResultComesOnceAndAlsoOfNoRows() {
    String script =
        "SET 'execution.runtime-mode' = 'batch';\n"
            + SCRIPT
            + "SELECT * FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b),"
            + " 'regression')";
    assertThat(rows().batches(1).rows(script))
        .containsExactly("[1.0, 1.0, 1.0, 0.3, 0.9375, 2.0, 1.0]");
    assertThat(new Run().rows(script)).containsExactly("null");
    assertThat(new Run().rows(script.replace("'batch'", "'streaming'"))).isEmpty();
  }

  /** Scores are probabilities of class 1. */
  @Test
  void aViewIsJudgedAndTheResultIsWritten() {
    String script =
        SCRIPT
            + """
            CREATE TABLE quality (model STRING, f1 DOUBLE, PRIMARY KEY (model) NOT ENFORCED)
              WITH ('connector' = 'shelf');
            CREATE VIEW v AS SELECT a / 10 AS a, b / 10 AS b, CAST(y > 5 AS INT) AS failed FROM t;
            INSERT INTO quality SELECT 'm', `result`['F1']
            FROM ML_EVALUATE(TABLE v, MODEL m, DESCRIPTOR(failed), DESCRIPTOR(a, b), 'classification');
            """;
    assertThat(rows().rows(script)).containsExactly("+I m, 1.0");
  }

  /**
   * FLOAT has no 16777217, and of 1234 a VARCHAR(3) has 123: casts would make a wrong score right.
   */
  @Test
  void labelsAreNotCutToTheTypeOfTheScore() {
    String call =
        "SELECT `result`['%s'], `result`['Rows']"
            + " FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a), '%s')";
    String script =
        """
        CREATE TABLE t (a DOUBLE, y %s) WITH ('connector' = 'memory');
        CREATE MODEL m INPUT (x DOUBLE) OUTPUT (s %s) WITH ('provider' = 'sum');
        """;
    assertThat(
            new Run()
                .row("t", 16_777_216.0, 16_777_217L)
                .rows(script.formatted("BIGINT", "FLOAT") + call.formatted("MAE", "regression")))
        .containsExactly("+I 1.0, 1.0");
    assertThat(
            new Run()
                .row("t", 123.0, "1234")
                .row("t", 123.0, "123")
                .rows(
                    script.formatted("STRING", "VARCHAR(3)")
                        + call.formatted("Accuracy", "classification")))
        .containsExactly("+I 0.5, 2.0");
  }

  /** Names of models differ in case as well, and operators' names do not. */
  @Test
  void eachCallIsOfItsOwnModelAndTask() {
    String call =
        "SELECT `result`['%s'] FROM ML_EVALUATE(TABLE t, MODEL %s, DESCRIPTOR(y), DESCRIPTOR(a, b),"
            + " '%s')";
    Job job =
        Run.compile(
            SCRIPT
                + "CREATE MODEL M INPUT (x DOUBLE, z DOUBLE) OUTPUT (s DOUBLE)"
                + " WITH ('provider' = 'sum', 'offset' = '7');\n"
                + String.join(
                    " UNION ALL ",
                    call.formatted("MAE", "m", "regression"),
                    call.formatted("MAE", "M", "regression"),
                    call.formatted("F1", "m", "classification")));
    assertThat(PlanPrinter.print(job))
        .contains("'regression', 'sum, offset 0'")
        .contains("'regression', 'sum, offset 7'")
        .contains("'classification', 'sum, offset 0'");
  }

  /**
   * What each is worth on the same rows; each result begins anew with another version of its own.
   */
  @Test
  void theShadowIsJudgedBesideTheModel() {
    String call =
        "SELECT `result`['MAE'] FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b),"
            + " 'regression'%s)";
    String script =
        "SET 'execution.runtime-mode' = 'batch';\n"
            + SCRIPT
            + "ALTER MODEL m SET ('shadow' = '7');\n"
            + String.join(
                " UNION ALL ", call.formatted(""), call.formatted(", MAP['version', 'shadow']"));
    assertThat(rows().rows(script)).containsExactlyInAnyOrder("1.0", "14.0");
    assertThat(PlanPrinter.print(Run.compile(script)))
        .contains("'regression', 'sum, offset 0'")
        .contains("'regression', 'sum, offset 7'");
  }

  @Test
  void explainTellsWhatIsKept() {
    Job job =
        Run.compile(
            SCRIPT
                + "SELECT * FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b),"
                + " 'regression')");
    assertThat(PlanPrinter.print(job))
        .contains("GroupAggregate: ML_EVALUATE(label, score, 'regression', 'sum, offset 0')");
    assertThat(job.userFunctions()).containsEntry("MODEL m", "sum, offset 0");
  }

  /** What drifts is told of the rows that ML_PREDICT scores: those of one table. */
  @Test
  void rowsThatAreJudgedDoNotCountForDrift() {
    String script =
        SCRIPT
            + """
            CREATE TABLE drift (feature STRING, psi DOUBLE) WITH ('connector' = 'memory');
            ALTER MODEL m SET ('drift.table' = 'drift');
            SELECT `result`['Rows'] FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b), 'regression');
            """;
    Job job = Run.compile(script);
    assertThat(job.sinks()).containsOnlyKeys("query-1");
    assertThat(rows().rows(script)).containsExactly("+I 2.0");
  }

  /** The state that a ledger would have: what was put and not removed since. */
  private static final class Kept implements StateWriter {
    private final Map<String, Map.Entry<byte[], byte[]>> entries = new TreeMap<>();

    @Override
    public void put(byte[] key, byte[] value) {
      entries.put(HexFormat.of().formatHex(key), Map.entry(key, value));
    }

    @Override
    public void remove(byte[] key) {
      entries.remove(HexFormat.of().formatHex(key));
    }
  }

  private static Pipeline pipeline(Job job, List<String> rows) {
    Map<String, Output> sinks = new LinkedHashMap<>();
    for (String name : job.sinks().keySet()) {
      sinks.put(
          name,
          new Output() {
            @Override
            public boolean offer(Batch batch) {
              for (int i = 0; i < batch.rows(); i++) {
                rows.add(batch.change(i).symbol() + " " + batch.row(i));
              }
              return true;
            }

            @Override
            public boolean advance(long watermark) {
              return true;
            }
          });
    }
    return Pipeline.compile(job.plan(), job.functions(), job.aggregates(), sinks);
  }

  /** A device that dies after each commit, and another that goes on: the same, to the bit. */
  @Test
  void anEvaluationSurvivesEveryFailover() {
    for (Evaluation task : Evaluation.values()) {
      Job job = job(task);
      List<String> whole = new ArrayList<>();
      Pipeline uninterrupted = pipeline(job, whole);
      assertThat(uninterrupted.start()).isTrue();
      List<String> moved = new ArrayList<>();
      Kept kept = new Kept();
      Pipeline current = pipeline(job, moved);
      assertThat(current.start()).isTrue();
      Random random = new Random(20_261_128);
      for (int i = 0; i < 40; i++) {
        BatchBuilder builder = new BatchBuilder(job.sources().get("t").table().schema());
        for (int row = 0; row < 25; row++) {
          double a = random.nextDouble() / 2;
          double b = random.nextDouble() / 2;
          int failed = random.nextDouble() < a + b ? 1 : 0;
          builder.addRow(random.nextInt(9) == 0 ? null : a, b, failed, at("00:00:01"));
        }
        Batch batch = builder.build();
        assertThat(uninterrupted.source("t").offer(batch)).isTrue();
        assertThat(current.source("t").offer(batch)).isTrue();
        current.writeChanges(kept);
        current = pipeline(job(task), moved); // Another device compiles the script itself.
        current.restore(kept.entries.values());
        assertThat(current.start()).isTrue();
        current.checkInvariants();
      }
      assertThat(whole).hasSize(79);
      assertThat(whole.getLast()).startsWith("+U ").doesNotContain("null");
      assertThat(moved).isEqualTo(whole);
    }
  }

  private static Job job(Evaluation task) {
    return Run.compile(
        SCRIPT
            + "SELECT * FROM ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(y), DESCRIPTOR(a, b), '%s')"
                .formatted(task.task()));
  }
}
