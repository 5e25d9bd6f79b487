package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.format.Formats;
import io.sedge.division.Replacement.Fate;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.ModelProviders;
import io.sedge.learning.Scorer;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A job whose model is watched for drift from now on, or no longer. */
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

  private static List<Fate> keeps(Job before, Job after) {
    Map<String, Division> divisions = Map.of();
    Replacement replacement = Replacement.of(before, divisions, after, divisions, CONNECTORS);
    return replacement.lines().stream()
        .filter(line -> line.what().contains("4 s"))
        .map(Replacement.Line::fate)
        .toList();
  }

  private static Job compile(String options) {
    String script =
        """
        CREATE TABLE readings (machine STRING, x DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
          WITH ('connector' = 'rows', 'from' = 'here');
        CREATE TABLE risks (machine STRING, b TIMESTAMP(3), risk DOUBLE) WITH ('connector' = 'rows');
        CREATE TABLE drifts (feature STRING, psi DOUBLE) WITH ('connector' = 'rows');
        CREATE MODEL wear INPUT (x DOUBLE) OUTPUT (risk DOUBLE) WITH ('provider' = 'same', OPTIONS);
        CREATE VIEW scored AS
          SELECT * FROM ML_PREDICT(TABLE readings, MODEL wear, DESCRIPTOR(x)) WHERE machine <> 'm9';
        INSERT INTO risks SELECT machine, window_start, AVG(risk)
          FROM TABLE(TUMBLE(TABLE scored, DESCRIPTOR(ts), INTERVAL '4' SECOND))
          GROUP BY machine, window_start, window_end;
        """
            .replace(", OPTIONS", options.isEmpty() ? "" : ", " + options);
    try {
      return new SqlCompiler(
              CONNECTORS.byName(),
              Map.of(),
              ModelProviders.of(new Same()),
              InstantSource.fixed(Instant.EPOCH),
              FileAccess.EVERYTHING)
          .compile("test.sql", script, Path.of("."));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** Models that give their features. */
  private static final class Same implements ModelProvider {
    @Override
    public String name() {
      return "same";
    }

    @Override
    public List<Option> options() {
      return DriftOptions.ALL;
    }

    @Override
    public Model open(ModelDescriptor model, ScriptFiles files) {
      return new Model() {
        @Override
        public String identity() {
          return "same";
        }

        @Override
        public Scorer scorer() {
          return (features, _) -> features;
        }
      };
    }
  }
}
