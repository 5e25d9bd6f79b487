package io.sedge.bench.peers;

import io.sedge.bench.Workload;

/** The workloads as Flink SQL: the same text for Flink and for Sedge. */
final class Queries {
  private Queries() {}

  static String windows(Workload workload, String timeColumn) {
    String table = "(SELECT * FROM readings WHERE `value` >= 10)";
    String window =
        workload == Workload.W2
            ? "HOP(%s, DESCRIPTOR(%s), INTERVAL '10' SECOND, INTERVAL '60' SECOND)"
            : "TUMBLE(%s, DESCRIPTOR(%s), INTERVAL '10' SECOND)";
    return """
    SELECT id, window_start, COUNT(*) AS n, MIN(`value`) AS lo, MAX(`value`) AS hi,
      AVG(`value`) AS mean, STDDEV_POP(`value`) AS deviation
    FROM TABLE(%s)
    GROUP BY id, window_start, window_end\
    """
        .formatted(window.formatted(table, timeColumn));
  }
}
