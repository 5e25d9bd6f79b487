package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.plan.PlanNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A script that watches a model for drift, over a model that adds its features up. */
class ModelDriftTest {
  /** Two features of which half of the rows were below 0, and a sum with all below 10. */
  private static final String SCRIPT =
      """
      CREATE TABLE t (id STRING, a DOUBLE, b DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
      CREATE TABLE drifts (window_start TIMESTAMP(3), window_end TIMESTAMP(3), model STRING, version STRING,
        feature STRING, row_count BIGINT, left_out BIGINT, psi DOUBLE, by_chance DOUBLE)
        WITH ('connector' = 'memory');
      CREATE MODEL m INPUT (x DOUBLE, y DOUBLE) OUTPUT (risk DOUBLE)
        WITH ('provider' = 'sum', 'reference' = '1;0.0|500,500;0.0|500,500;10.0|1000,0',
              'drift.table' = 'drifts', 'drift.window' = '1 min', 'drift.least-rows' = '50');
      """;

  private static final String QUERY =
      "CREATE TABLE s (id STRING, risk DOUBLE) WITH ('connector' = 'memory');"
          + "INSERT INTO s SELECT id, risk FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b))"
          + " WHERE id <> 'q';";

  /** In the first minute as in training, but for one NULL; in the second b is never below 0. */
  private static Run rows() {
    Run run = new Run();
    for (int i = 0; i < 100; i++) {
      double sign = i % 2 == 0 ? 1 : -1;
      String second = "%02d".formatted(i / 2);
      run.row("t", i % 4 == 0 ? "q" : "p", sign, i == 50 ? null : -sign, at("00:00:" + second));
    }
    for (int i = 0; i < 100; i++) {
      double sign = i % 2 == 0 ? 1 : -1;
      run.row("t", "p", sign, 2.0, at("00:01:%02d".formatted(i / 2)));
    }
    return run;
  }

  @Test
  void eachWindowTellsOfEachFeatureAndOfTheScore() {
    Map<String, List<String>> all = rows().of(SCRIPT + QUERY);
    assertThat(all.get("s")).hasSize(75 + 100);
    List<String> drifts = all.get("drifts");
    assertThat(drifts).hasSize(6);
    String first = "1704067200000000, 1704067260000000, m, v1, ";
    assertThat(drifts.get(0)).startsWith(first + "x, 99, 1, ");
    assertThat(drifts.get(1)).startsWith(first + "y, 99, 1, ");
    assertThat(drifts.get(2)).startsWith(first + "risk, 99, 1, ");
    String second = "1704067260000000, 1704067320000000, m, v1, ";
    assertThat(drifts.get(3)).startsWith(second + "x, 100, 0, ");
    assertThat(drifts.get(4)).startsWith(second + "y, 100, 0, ");
    assertThat(drifts.stream().map(ModelDriftTest::psi))
        .satisfiesExactly(
            psi -> assertThat(psi).isLessThan(0.1),
            psi -> assertThat(psi).isLessThan(0.1),
            psi -> assertThat(psi).isLessThan(0.1),
            psi -> assertThat(psi).isLessThan(0.1),
            psi -> assertThat(psi).isGreaterThan(0.25),
            psi -> assertThat(psi).isLessThan(0.1));
  }

  private static double psi(String row) {
    return Double.parseDouble(row.split(", ", -1)[7]);
  }

  @Test
  void whoLooksSeesTheLastWindow() {
    Job job = Run.compile(SCRIPT + QUERY);
    assertThat(job.drifts().latest()).isEmpty();
    var _ = rows().of(job);
    assertThat(job.drifts().latest())
        .extracting(drift -> "%s %s %d".formatted(drift.model(), drift.feature(), drift.rows()))
        .containsExactly("m x 100", "m y 100", "m risk 100");
    assertThat(job.drifts().latest().getFirst().untilMicros()).isEqualTo(at("00:01:49"));
  }

  /** Else each row would be scored twice: once for its query, and once for the watch. */
  @Test
  void rowsAreScoredOnce() {
    Job job = Run.compile(SCRIPT + QUERY);
    List<PlanNode> scoring =
        job.plan().sinks().stream()
            .flatMap(sink -> nodes(sink.input()))
            .filter(
                node ->
                    node instanceof PlanNode.Project project
                        && project.expressions().toString().contains("MODEL m"))
            .toList();
    assertThat(scoring).hasSize(2);
    assertThat(scoring.getFirst()).isEqualTo(scoring.getLast());
  }

  private static Stream<PlanNode> nodes(PlanNode node) {
    return Stream.concat(Stream.of(node), node.inputs().stream().flatMap(ModelDriftTest::nodes));
  }

  /** A view that two queries read: its rows are counted once. */
  @Test
  void rowsOfOneViewAreCountedOnce() {
    String script =
        SCRIPT
            + "CREATE VIEW v AS SELECT * FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b));"
            + "CREATE TABLE s (id STRING) WITH ('connector' = 'memory');"
            + "INSERT INTO s SELECT id FROM v WHERE risk > 0;"
            + "CREATE TABLE s2 (id STRING) WITH ('connector' = 'memory');"
            + "INSERT INTO s2 SELECT id FROM v;";
    assertThat(rows().of(script).get("drifts")).hasSize(6);
  }

  /** Drift is told of the version that is used, over the rows that it scores. */
  @Test
  void rowsThatTheShadowScoresAreNotCounted() {
    String script =
        SCRIPT
            + "ALTER MODEL m SET ('shadow' = '7');"
            + QUERY
            + "CREATE VIEW half AS SELECT * FROM t WHERE a > 0;"
            + "CREATE TABLE s2 (id STRING) WITH ('connector' = 'memory');"
            + "INSERT INTO s2 SELECT id FROM ML_PREDICT(TABLE half, MODEL m, DESCRIPTOR(a, b),"
            + " MAP['version', 'shadow']);";
    Map<String, List<String>> all = rows().of(script);
    assertThat(all.get("s2")).hasSize(100);
    assertThat(all.get("drifts")).isEqualTo(rows().of(SCRIPT + QUERY).get("drifts")).hasSize(6);
  }

  /** As one that the site has not trained yet. */
  @Test
  void aModelWithoutTrainingRowsTellsNothing() {
    String script = SCRIPT.replaceFirst("'reference' = '[^']*',", "") + QUERY;
    Map<String, List<String>> all = rows().of(script);
    assertThat(all.get("drifts")).isEmpty();
    assertThat(all.get("s")).hasSize(75 + 100);
  }

  @Test
  void aModelThatIsNotWatchedIsScoredAsBefore() {
    String script = SCRIPT.replaceFirst("'drift.table' = 'drifts', ", "") + QUERY;
    assertThat(Run.compile(script).plan().sinks()).hasSize(1);
    assertThat(Run.compile(script).plan().toString()).doesNotContain("WATCHED");
  }

  @Test
  void whatCannotBeIsRefused() {
    refused(
        SCRIPT.replace("'drifts',", "'drift',") + QUERY,
        "model m: 'drift.table' = 'drift', but there is no such table; did you mean `drifts`?");
    refused(
        SCRIPT.replace("left_out BIGINT", "lost BIGINT") + QUERY,
        "model m: 'drift.table' = 'drifts', but nothing is known for its column `lost`");
    refused(
        SCRIPT.replace(", WATERMARK FOR ts AS ts", "") + QUERY,
        "model m: 'drift.table' needs a time attribute");
    refused(
        SCRIPT.replace("'1 min'", "'1 ms'") + QUERY,
        "'drift.window' = '1 ms' is not from 1 s to 31 d");
  }

  /** Its types would be cast: to NULL, or to what nobody means. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model STRING | model DOUBLE | `model` is DOUBLE",
        "version STRING | version INT | `version` is INT",
        "feature STRING | feature BOOLEAN | `feature` is BOOLEAN",
        "window_start TIMESTAMP(3) | window_start BIGINT | `window_start` is BIGINT",
        "window_end TIMESTAMP(3) | window_end STRING | `window_end` is",
        "row_count BIGINT | row_count DOUBLE | `row_count` is DOUBLE",
        "left_out BIGINT | left_out TINYINT | `left_out` is TINYINT",
        "psi DOUBLE | psi BIGINT | `psi` is BIGINT",
        "psi DOUBLE | psi DECIMAL(5, 2) | `psi` is DECIMAL",
        "by_chance DOUBLE | by_chance STRING | `by_chance` is",
        "psi DOUBLE | psi DOUBLE NOT NULL | `psi` is NOT NULL",
        "by_chance DOUBLE | by_chance FLOAT NOT NULL | `by_chance` is NOT NULL",
      })
  void aColumnOfAnotherTypeIsRefused(String from, String to, String message) {
    refused(SCRIPT.replace(from, to) + QUERY, message);
    assertThatThrownBy(() -> Run.compile(SCRIPT.replace(from, to) + QUERY))
        .hasMessageContaining("line 3:");
  }

  @Test
  void columnsOfTheSameFamilyAreTaken() {
    String script =
        SCRIPT
            .replace("psi DOUBLE", "psi FLOAT")
            .replace("row_count BIGINT", "row_count INT NOT NULL")
            .replace("window_end TIMESTAMP(3)", "window_end TIMESTAMP_LTZ(3)")
            .replace("feature STRING", "feature VARCHAR(20)");
    assertThat(rows().of(script + QUERY).get("drifts")).hasSize(6);
  }

  /** The two results of a window would alternate, as would the alarm that they raise. */
  @Test
  void anotherInputOfTheSameModelIsRefused() {
    String second =
        "CREATE TABLE u (id STRING, a DOUBLE, b DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)"
            + " WITH ('connector' = 'memory');";
    String query = QUERY.substring(QUERY.indexOf("INSERT"));
    refused(
        SCRIPT + second + QUERY + query.replace("TABLE t", "TABLE u"),
        "model m: another ML_PREDICT of the script scores other rows by it");
    refused(
        SCRIPT + QUERY + query.replace("DESCRIPTOR(a, b)", "DESCRIPTOR(b, a)"),
        "model m: another ML_PREDICT of the script scores other rows by it");
    String view = "CREATE VIEW v AS SELECT * FROM t UNION ALL SELECT * FROM u;";
    Job job = Run.compile(SCRIPT + second + view + QUERY.replace("TABLE t", "TABLE v"));
    assertThat(job.plan().sinks()).hasSize(2);
  }

  private static void refused(String script, String message) {
    assertThatThrownBy(() -> Run.compile(script)).hasMessageContaining(message);
  }
}
