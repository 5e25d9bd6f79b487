package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The approximate aggregates keep to their errors, whole and merged from slices. */
class SketchesTest {
  private static final long SEED = 20_240_501;
  private static final int ROWS = 20_000;
  private static final int DIFFERENT = 5_000;

  private static final String TABLE =
      """
      CREATE TABLE t (id STRING, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
      """;

  private static Run rows() {
    Random random = new Random(SEED);
    Run run = new Run();
    for (int i = 0; i < ROWS; i++) {
      run.row(
          "t",
          "sensor-" + random.nextInt(DIFFERENT),
          random.nextDouble() * 100,
          at("00:00:00") + i * 1_000L);
    }
    return run;
  }

  @Test
  void distinctValuesAreCountedWithinAFewPercent() {
    String row =
        rows()
            .rows(TABLE + "SELECT APPROX_COUNT_DISTINCT(id), COUNT(DISTINCT id) FROM t")
            .getLast();
    List<Double> counts = numbers(row);
    assertThat(counts.getFirst())
        .as("seed %d", SEED)
        .isCloseTo(counts.get(1), within(counts.get(1) * 0.06));
  }

  @Test
  void aMedianMergedFromSlicesIsNearTheExactOne() {
    List<String> rows =
        rows()
            .rows(
                TABLE
                    + """
                    SELECT APPROX_QUANTILE(v, 0.5), PERCENTILE(v, 0.5), APPROX_QUANTILE(v, 0.99),
                      PERCENTILE(v, 0.99)
                    FROM TABLE(
                      HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
                    GROUP BY window_start, window_end
                    """);
    assertThat(rows).hasSizeGreaterThan(10);
    for (String row : rows) {
      List<Double> values = numbers(row);
      assertThat(values.getFirst()).as("seed %d", SEED).isCloseTo(values.get(1), within(2.0));
      assertThat(values.get(2)).as("seed %d", SEED).isCloseTo(values.get(3), within(1.0));
    }
  }

  @Test
  void withoutValuesThereIsNothingToCountAndNoQuantile() {
    assertThat(
            new Run()
                .row("t", null, null, at("00:00:00"))
                .rows(TABLE + "SELECT APPROX_COUNT_DISTINCT(id), APPROX_QUANTILE(v, 0.5) FROM t")
                .getLast())
        .endsWith("0, null");
  }

  private static List<Double> numbers(String row) {
    return row.replaceFirst("^[+-][IUD] ", "")
        .lines()
        .flatMap(line -> List.of(line.split(", ")).stream())
        .map(Double::valueOf)
        .toList();
  }
}
