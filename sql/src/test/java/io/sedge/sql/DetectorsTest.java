package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.learning.Detectors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Detectors as functions of OVER. */
class DetectorsTest {
  private static final long SEED = 20_261_126;
  private static final String TABLE =
      """
      CREATE TABLE t (id STRING, v DOUBLE, w FLOAT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
        WITH ('connector' = 'memory');
      """;

  /** Two keys, two rows at each time, in no order of time; some late and some NULL. */
  private static Run rows() {
    Random random = new Random(SEED);
    Run run = new Run();
    for (int i = 0; i < 1_200; i++) {
      long time = at("00:00:00") + (i / 4) * 100_000L - random.nextInt(8) * 100_000L;
      Object value = random.nextInt(50) == 0 ? null : random.nextGaussian();
      run.row("t", i % 2 == 0 ? "a" : "b", value, (float) i, time);
    }
    return run;
  }

  private static String arguments(String name) {
    return Detectors.columns(name) == 2 ? "v, ts, INTERVAL '10' MINUTE" : "v";
  }

  private static String query() {
    List<String> calls = new ArrayList<>();
    for (String name : Detectors.names()) {
      calls.add("%s(%s) OVER w".formatted(name, arguments(name)));
    }
    return TABLE
        + "SELECT id, ts, v, %s FROM t WINDOW w AS (PARTITION BY id ORDER BY ts)"
            .formatted(String.join(", ", calls));
  }

  /** However rows were cut into batches: a row is scored by those before it, one by one. */
  @Test
  void scoresDoNotDependOnHowRowsCome() {
    List<String> whole = rows().rows(query());
    assertThat(whole).hasSizeGreaterThan(1_000);
    assertThat(rows().batches(7).rows(query())).containsExactlyInAnyOrderElementsOf(whole);
    assertThat(rows().batches(1).rows(query())).containsExactlyInAnyOrderElementsOf(whole);
    assertThat(whole.getLast().split(", "))
        .hasSize(3 + Detectors.names().size())
        .doesNotContain("null");
  }

  /** A detector has no frame; beside it an aggregate has its own. */
  @Test
  void aDetectorStandsBesideAnAggregateOfTheSameWindow() {
    String window = " OVER (PARTITION BY id ORDER BY ts%s) ";
    String last = window.formatted(" ROWS BETWEEN 2 PRECEDING AND CURRENT ROW");
    String all = window.formatted("");
    List<String> scores = rows().rows(TABLE + "SELECT id, ts, v, EWMA_SCORE(v)" + all + "FROM t");
    List<String> sums = rows().rows(TABLE + "SELECT COUNT(v)" + last + "FROM t");
    List<String> means = rows().rows(TABLE + "SELECT AVG(v)" + all + "FROM t");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < scores.size(); i++) {
      expected.add(scores.get(i) + ", " + sums.get(i));
    }
    assertThat(
            rows()
                .rows(
                    TABLE
                        + "SELECT id, ts, v, EWMA_SCORE(v)"
                        + all
                        + ", COUNT(v)"
                        + last
                        + "FROM t"))
        .isEqualTo(expected);
    expected.clear();
    for (int i = 0; i < scores.size(); i++) {
      expected.add(scores.get(i) + ", " + means.get(i));
    }
    assertThat(
            rows()
                .rows(
                    TABLE + "SELECT id, ts, v, EWMA_SCORE(v)" + all + ", AVG(v)" + all + "FROM t"))
        .isEqualTo(expected);
  }

  @Test
  void rowsOfOneTimeAreScoredOneByOne() {
    Run run = new Run();
    for (int i = 0; i < 30; i++) {
      run.row("t", "a", (double) (i % 3), 0f, at("00:00:01") + i * 1_000L);
    }
    run.row("t", "a", 9.0, 0f, at("00:00:02")).row("t", "a", 1.0, 0f, at("00:00:02"));
    List<String> rows =
        run.rows(TABLE + "SELECT v, EWMA_SCORE(v, 0.1) OVER (PARTITION BY id ORDER BY ts) FROM t");
    assertThat(rows.get(30)).startsWith("9.0, 9.");
    assertThat(rows.get(31)).startsWith("1.0, 0.3");
  }

  @Test
  void severalValuesAreScoredTogether() {
    assertThat(
            rows()
                .rows(
                    TABLE
                        + "SELECT RANDOM_CUT_FOREST_SCORE(ARRAY[v, CAST(w AS DOUBLE)], 10, 64)"
                        + " OVER (PARTITION BY id ORDER BY ts) FROM t"))
        .last()
        .isNotEqualTo("null");
  }
}
