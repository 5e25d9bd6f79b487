package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tables of which each sensor has a clock of its own. */
class WatermarkPerKeyTest {
  private static String script(String options, String query) {
    return """
    CREATE TABLE m (v INT, line STRING, s STRING, sensor AS line || s, ts TIMESTAMP(3),
      WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
      WITH ('connector' = 'stream', %s);
    SELECT %s FROM TABLE(TUMBLE(TABLE m, DESCRIPTOR(ts), INTERVAL '10' SECOND))
      GROUP BY window_start, window_end;
    """
        .formatted(options, query);
  }

  /** The column is needed for it alone. */
  @Test
  void theColumnIsReadThoughTheQueryDoesNotNameIt() {
    String plan =
        PlanPrinter.print(
            Run.compile(script("'scan.watermark.per-key' = 'sensor'", "window_end, SUM(v)")));
    assertThat(plan)
        .contains("Watermark for ts: ts - 1 s, per sensor")
        .contains("the greatest watermark of each value of sensor that is waited for");
  }
}
