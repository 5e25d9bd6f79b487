package io.sedge.bench.peers;

import io.sedge.bench.Workload;

/** The workloads as Flink SQL: the same tables and queries for Flink and for Sedge. */
final class Queries {
  /** Flink's documentation: the watermark of ascending times, several of which may be equal. */
  private static final String ASCENDING = "INTERVAL '0.001' SECOND";

  private Queries() {}

  /** The columns between the parentheses of CREATE TABLE readings. */
  static String columns(Workload workload) {
    return switch (workload) {
      case W1, W2 ->
          "id STRING, ts TIMESTAMP_LTZ(3), `value` DOUBLE, WATERMARK FOR ts AS ts - " + ASCENDING;
      case W3 ->
          "id STRING, ts BIGINT, `value` DOUBLE, rt AS TO_TIMESTAMP_LTZ(ts, 3), WATERMARK FOR rt AS"
              + " rt - "
              + ASCENDING;
      case W4 -> "id STRING, number BIGINT, `value` DOUBLE";
    };
  }

  /** The columns of the table that takes the results. */
  static String resultColumns(Workload workload) {
    return workload == Workload.W4
        ? "id STRING, number BIGINT, fahrenheit DOUBLE"
        : "id STRING, window_end TIMESTAMP(3), n BIGINT, lo DOUBLE, hi DOUBLE, mean DOUBLE,"
            + " deviation DOUBLE";
  }

  static String query(Workload workload) {
    return workload == Workload.W4
        ? "SELECT id, number, `value` * 1.8E0 + 32E0 FROM readings WHERE `value` >= 10"
        : windows(workload);
  }

  private static String windows(Workload workload) {
    String time = workload == Workload.W3 ? "rt" : "ts";
    String function =
        workload == Workload.W2
            ? "HOP(TABLE filtered, DESCRIPTOR(%s), INTERVAL '10' SECOND, INTERVAL '60' SECOND)"
            : "TUMBLE(TABLE filtered, DESCRIPTOR(%s), INTERVAL '10' SECOND)";
    return """
    SELECT id, window_end, COUNT(*) AS n, MIN(`value`) AS lo, MAX(`value`) AS hi,
      AVG(`value`) AS mean, STDDEV_POP(`value`) AS deviation
    FROM TABLE(%s)
    GROUP BY id, window_start, window_end\
    """
        .formatted(function.formatted(time));
  }

  /** What the windows are over. */
  static String filtered() {
    return "CREATE VIEW filtered AS SELECT * FROM readings WHERE `value` >= 10";
  }
}
