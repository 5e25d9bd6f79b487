package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.format.Formats;
import io.sedge.division.Replacement.Fate;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept if a job's model is watched for drift from now on, or is another version. */
class WatchedModelTest {
  private static final Connectors CONNECTORS =
      new Connectors(
          List.of(RowsConnector.rows()),
          Formats.installed(WatchedModelTest.class.getClassLoader()));

  /** What windows keep of scores is from the same scores. */
  @Test
  void watchingAModelKeepsTheStateOfItsScores() {
    Job plain = compile("");
    Job watched = compile("'drift.table' = 'drifts'");
    assertThat(watched.plan().toString()).contains("WATCHED");
    assertThat(keeps(plain, watched)).containsExactly(Fate.KEPT);
    assertThat(keeps(watched, plain)).containsExactly(Fate.KEPT);
  }

  /** Windows over scores go on with the next version; how good one is, is told of it alone. */
  @Test
  void anEvaluationBeginsAnewWithAnotherVersion() {
    Job first = compile("'version' = '1'");
    Job second = compile("'version' = '2'");
    assertThat(keeps(first, second)).containsExactly(Fate.KEPT);
    assertThat(keeps(first, second, "ML_EVALUATE")).containsExactly(Fate.BEGINS_ANEW, Fate.DROPPED);
    assertThat(keeps(first, first, "ML_EVALUATE")).containsExactly(Fate.KEPT);
  }

  private static List<Fate> keeps(Job before, Job after) {
    return keeps(before, after, "4 s");
  }

  private static List<Fate> keeps(Job before, Job after, String what) {
    Map<String, Division> divisions = Map.of();
    Replacement replacement = Replacement.of(before, divisions, after, divisions, CONNECTORS);
    return replacement.lines().stream()
        .filter(line -> line.what().contains(what))
        .map(Replacement.Line::fate)
        .toList();
  }

  private static Job compile(String options) {
    String script =
        """
        CREATE TABLE readings (machine STRING, x DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
          WITH ('connector' = 'rows', 'from' = 'here');
        CREATE TABLE risks (machine STRING, b TIMESTAMP(3), risk DOUBLE) WITH ('connector' = 'rows');
        CREATE TABLE errors (mse DOUBLE) WITH ('connector' = 'rows');
        CREATE TABLE drifts (feature STRING, psi DOUBLE) WITH ('connector' = 'rows');
        CREATE MODEL wear INPUT (x DOUBLE) OUTPUT (risk DOUBLE) WITH ('provider' = 'same', OPTIONS);
        CREATE VIEW scored AS
          SELECT * FROM ML_PREDICT(TABLE readings, MODEL wear, DESCRIPTOR(x)) WHERE machine <> 'm9';
        INSERT INTO risks SELECT machine, window_start, AVG(risk)
          FROM TABLE(TUMBLE(TABLE scored, DESCRIPTOR(ts), INTERVAL '4' SECOND))
          GROUP BY machine, window_start, window_end;
        INSERT INTO errors SELECT `result`['MSE']
          FROM ML_EVALUATE(TABLE readings, MODEL wear, DESCRIPTOR(x), DESCRIPTOR(x), 'regression');
        """
            .replace(", OPTIONS", options.isEmpty() ? "" : ", " + options);
    try {
      return new SqlCompiler(
              CONNECTORS.byName(),
              Map.of(),
              ModelProviders.of(new SameProvider()),
              InstantSource.fixed(Instant.EPOCH),
              FileAccess.EVERYTHING)
          .compile("test.sql", script, Path.of("."));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }
}
