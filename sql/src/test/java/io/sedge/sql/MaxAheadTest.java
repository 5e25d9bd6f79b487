package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far ahead of the clock the readings of a table may be. */
class MaxAheadTest {
  private static Optional<Duration> maxAhead(String columns, String connector, String options) {
    return Run.compile(
            "CREATE TABLE m (a STRING, %s) WITH ('connector' = '%s'%s); SELECT a FROM m;"
                .formatted(columns, connector, options))
        .sources()
        .get("m")
        .maxAhead();
  }

  /** A TIMESTAMP does not tell its zone, so it may be that of any. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts | stream |                                        | PT1H
          ts TIMESTAMP(3), WATERMARK FOR ts AS ts     | stream |                                        | PT24H
          ts TIMESTAMP(3), WATERMARK FOR ts AS ts     | stream | , 'scan.watermark.max-ahead' = '5 min' | PT5M
          ts TIMESTAMP(3), WATERMARK FOR ts AS ts     | memory | , 'scan.watermark.max-ahead' = '5 min' | PT5M
          """)
  void aTableWithAWatermarkHasALimit(
      String columns, String connector, @Nullable String options, Duration expected) {
    assertThat(maxAhead(columns, connector, options == null ? "" : options)).contains(expected);
  }

  /** Input that ends may be of any time, and what has no watermark can make nothing late. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts | memory |
          ts TIMESTAMP_LTZ(3)                         | stream |
          ts TIMESTAMP_LTZ(3), WATERMARK FOR ts AS ts | stream | , 'scan.watermark.max-ahead' = '0'
          """)
  void othersHaveNone(String columns, String connector, @Nullable String options) {
    assertThat(maxAhead(columns, connector, options == null ? "" : options)).isEmpty();
  }
}
