package io.sedge.bench.center;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Windows of a minute of each machine, over the readings of all sites.
 *
 * @param name of the job and of its table
 * @param title for people
 * @param aggregates beside the count of readings
 */
record FleetQuery(String name, String title, List<Aggregate> aggregates) {
  /** The key, and the count, of each row. */
  static final List<String> FIRST = List.of("machine", "window_end", "n");

  static final List<FleetQuery> ALL =
      List.of(
          new FleetQuery(
              "numbers",
              "COUNT, SUM, AVG, STDDEV_POP, MIN, MAX",
              List.of(
                  new Aggregate("total", "DOUBLE", "SUM(v)"),
                  new Aggregate("mean", "DOUBLE", "AVG(v)"),
                  new Aggregate("spread", "DOUBLE", "STDDEV_POP(v)"),
                  new Aggregate("least", "DOUBLE", "MIN(v)"),
                  new Aggregate("most", "DOUBLE", "MAX(v)"))),
          new FleetQuery(
              "kinds",
              "COUNT, APPROX_COUNT_DISTINCT",
              List.of(new Aggregate("kinds", "BIGINT", "APPROX_COUNT_DISTINCT(v)"))),
          new FleetQuery(
              "middles",
              "COUNT, PERCENTILE of 0.5",
              List.of(new Aggregate("middle", "DOUBLE", "PERCENTILE(v, 0.5)"))));

  /** An aggregate of {@code v}, a DOUBLE. */
  record Aggregate(String column, String type, String expression) {}

  /** The columns of a row, in their order. */
  List<String> columns() {
    List<String> columns = new ArrayList<>(FIRST);
    aggregates.forEach(aggregate -> columns.add(aggregate.column()));
    return columns;
  }

  /** The script for sites, whose rows the center makes. */
  String acrossSites() {
    return "SET 'sedge.merge' = 'center';\n"
        + script("'connector' = 'center', 'credential' = '${secret:center}'");
  }

  /**
   * The script for one machine.
   *
   * @param rows the directory of its rows, in CSV
   */
  String onOneMachine(String rows) {
    return script("'connector' = 'filesystem', 'format' = 'csv', 'path' = '%s'".formatted(rows));
  }

  private String script(String sink) {
    return """
    CREATE TABLE readings (machine INT, v DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
      WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '%s');
    CREATE TABLE %s (machine INT, window_end TIMESTAMP(3), n BIGINT, %s, PRIMARY KEY (machine, window_end) NOT ENFORCED)
      WITH (%s);
    INSERT INTO %s SELECT machine, window_end, COUNT(*), %s
    FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY machine, window_start, window_end;
    """
        .formatted(
            FleetReadings.FILE,
            name,
            aggregates.stream()
                .map(aggregate -> aggregate.column() + " " + aggregate.type())
                .collect(Collectors.joining(", ")),
            sink,
            name,
            aggregates.stream().map(Aggregate::expression).collect(Collectors.joining(", ")));
  }
}
