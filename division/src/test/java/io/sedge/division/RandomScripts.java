package io.sedge.division;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random queries over two tables of readings and one to look up in. The results do not depend on
 * the order in which rows of different shards come: times and numbers are unique, sums are of whole
 * numbers.
 */
final class RandomScripts {
  static final String TABLES =
      """
      CREATE TABLE readings (
        zone STRING, machine STRING, quantity STRING, n BIGINT, x DOUBLE, ts TIMESTAMP(3),
        p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
      ) WITH ('connector' = 'rows');
      CREATE TABLE others (
        zone STRING, machine STRING, quantity STRING, n BIGINT, x DOUBLE, ts TIMESTAMP(3),
        p AS PROCTIME(), WATERMARK FOR ts AS ts - INTERVAL '2' SECOND
      ) WITH ('connector' = 'rows');
      CREATE TABLE limits (machine STRING, most BIGINT)
        WITH ('connector' = 'rows', 'ends' = 'true');
      """;

  /** Of the provider {@code same}. */
  private static final String MODELS =
      """
      CREATE MODEL number INPUT (x DOUBLE) OUTPUT (y DOUBLE) WITH ('provider' = 'same');
      CREATE MODEL word INPUT (x STRING) OUTPUT (y STRING) WITH ('provider' = 'same');
      """;

  private static final List<String> AGGREGATES =
      List.of(
          "COUNT(*)",
          "COUNT(x)",
          "SUM(n)",
          "AVG(n)",
          "SUM(x)",
          "AVG(x)",
          "MIN(x)",
          "MAX(n)",
          "MAX(quantity)",
          "COUNT(DISTINCT x)",
          "SUM(n) FILTER (WHERE x > 40)",
          "PERCENTILE(x, 0.5)");

  private final Random random;

  RandomScripts(Random random) {
    this.random = random;
  }

  /** The same over tables that end. */
  static String ending(String script) {
    return script.replace("('connector' = 'rows')", "('connector' = 'rows', 'ends' = 'true')");
  }

  /** Tables and one to three queries. */
  String script() {
    StringBuilder script = new StringBuilder(TABLES).append(MODELS);
    int queries = 1 + random.nextInt(3);
    for (int i = 0; i < queries; i++) {
      script.append(query()).append(";\n");
    }
    return script.toString();
  }

  private String query() {
    return switch (random.nextInt(15)) {
      case 0, 1, 2, 3 -> windows(input());
      case 4 -> over();
      case 5 -> deduplication();
      case 6 -> topN();
      case 7 -> grouped();
      case 8 -> intervalJoin();
      case 9 -> union();
      case 10 -> windowsOfWindows();
      case 11 -> lookup();
      case 12 -> windowTopN();
      case 13 -> evaluation();
      default -> windowJoin();
    };
  }

  private String table() {
    return random.nextInt(3) == 0 ? "others" : "readings";
  }

  private String input() {
    String table = table();
    return switch (random.nextInt(4)) {
      case 0 -> "(SELECT * FROM " + table + " WHERE x > " + random.nextInt(60) + ")";
      case 1 ->
          "(SELECT zone, machine, UPPER(quantity) AS quantity, n + 1 AS n, x, ts FROM "
              + table
              + ")";
      case 2 ->
          "(SELECT zone, machine, quantity, u.e AS n, x, ts FROM %s CROSS JOIN UNNEST(ARRAY[n, n + 1])"
                  .formatted(table)
              + " AS u(e))";
      default -> "(SELECT * FROM " + table + ")";
    };
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>(List.of("zone", "machine", "quantity"));
    Collections.shuffle(keys, random);
    return keys.subList(0, random.nextInt(4));
  }

  private String list(List<String> parts) {
    return parts.isEmpty() ? "" : String.join(", ", parts) + ", ";
  }

  private String partition(List<String> keys) {
    return keys.isEmpty() ? "" : "PARTITION BY " + String.join(", ", keys) + " ";
  }

  private List<String> aggregates() {
    List<String> aggregates = new ArrayList<>(AGGREGATES);
    Collections.shuffle(aggregates, random);
    return aggregates.subList(0, 1 + random.nextInt(4));
  }

  /** One of the kinds of windows; sessions take the keys by which is grouped. */
  private String window(String table, String time, List<String> sessionKeys) {
    String by =
        sessionKeys.isEmpty() ? "" : " PARTITION BY (%s)".formatted(String.join(", ", sessionKeys));
    return random.nextInt(5) == 0
        ? "SESSION(TABLE %s%s, DESCRIPTOR(%s), INTERVAL '3' SECOND)".formatted(table, by, time)
        : window(table, time);
  }

  private String window(String table, String time) {
    return switch (random.nextInt(3)) {
      case 0 -> "TUMBLE(TABLE %s, DESCRIPTOR(%s), INTERVAL '4' SECOND)".formatted(table, time);
      case 1 ->
          "HOP(TABLE %s, DESCRIPTOR(%s), INTERVAL '2' SECOND, INTERVAL '6' SECOND)"
              .formatted(table, time);
      default ->
          "CUMULATE(TABLE %s, DESCRIPTOR(%s), INTERVAL '2' SECOND, INTERVAL '8' SECOND)"
              .formatted(table, time);
    };
  }

  private String windows(String input) {
    List<String> keys = keys();
    String with = "WITH i AS %s ".formatted(input);
    String window = window("i", "ts", keys);
    if (!keys.isEmpty() && random.nextInt(6) == 0) {
      return with
          + "SELECT DISTINCT %swindow_start, window_end FROM TABLE(%s)"
              .formatted(list(keys), window);
    }
    return with
        + "SELECT %swindow_start, window_end, %s FROM TABLE(%s) GROUP BY %swindow_start, window_end"
            .formatted(list(keys), String.join(", ", aggregates()), window, list(keys));
  }

  private String over() {
    List<String> keys = keys();
    String frame =
        random.nextBoolean()
            ? "ROWS BETWEEN 3 PRECEDING AND CURRENT ROW"
            : "RANGE BETWEEN INTERVAL '4' SECOND PRECEDING AND CURRENT ROW";
    return "SELECT machine, n, SUM(n) OVER w, COUNT(*) OVER w FROM %s WINDOW w AS (%sORDER BY ts %s)"
        .formatted(table(), partition(keys), frame);
  }

  private String deduplication() {
    return """
    SELECT zone, machine, n FROM (
      SELECT *, ROW_NUMBER() OVER (%sORDER BY ts %s) AS rn FROM %s) WHERE rn = 1\
    """
        .formatted(partition(keys()), random.nextBoolean() ? "ASC" : "DESC", table());
  }

  private String topN() {
    return """
    SELECT zone, machine, n FROM (
      SELECT *, ROW_NUMBER() OVER (%sORDER BY n %s) AS rn FROM %s) WHERE rn <= 3\
    """
        .formatted(partition(keys()), random.nextBoolean() ? "ASC" : "DESC", table());
  }

  private String grouped() {
    List<String> keys = keys();
    return "SELECT %s%s FROM %s%s"
        .formatted(
            list(keys),
            String.join(", ", aggregates()),
            table(),
            keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys));
  }

  /** Metrics that are exact, whatever the order of the rows. */
  private String evaluation() {
    String input =
        "WITH i AS (SELECT quantity, REPLACE(zone, 'z', 'q') AS said, n, x FROM %s)"
            .formatted(table());
    return random.nextBoolean()
        ? input
            + " SELECT * FROM ML_EVALUATE(TABLE i, MODEL word, DESCRIPTOR(quantity),"
            + " DESCRIPTOR(said), 'classification')"
        : input
            + " SELECT `result`['MSE'], `result`['Rows'], `result`['Left Out'] FROM"
            + " ML_EVALUATE(TABLE i, MODEL number, DESCRIPTOR(n), DESCRIPTOR(x), 'regression')";
  }

  private String intervalJoin() {
    String key = List.of("machine", "zone").get(random.nextInt(2));
    String kind = List.of("", "LEFT ", "RIGHT ", "FULL ").get(random.nextInt(4));
    return """
    SELECT a.machine AS am, a.n AS an, b.machine AS bm, b.n AS bn FROM %s a %sJOIN %s b ON a.%s = b.%s
      AND a.ts BETWEEN b.ts - INTERVAL '1' SECOND AND b.ts + INTERVAL '2' SECOND\
    """
        .formatted(table(), kind, table(), key, key);
  }

  private String union() {
    String both = "(SELECT * FROM readings UNION ALL SELECT * FROM others WHERE x > 30)";
    return random.nextBoolean()
        ? "SELECT UPPER(machine), n, x FROM " + both + " WHERE x < 80"
        : windows(both);
  }

  private String windowsOfWindows() {
    String keys = random.nextBoolean() ? "zone, machine, " : "zone, quantity, ";
    return """
    WITH v AS (
      SELECT %swindow_start AS ws, window_time AS wt, SUM(n) AS total, COUNT(*) AS c
      FROM TABLE(TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '2' SECOND))
      GROUP BY %swindow_start, window_end, window_time)
    SELECT zone, window_start, window_end, MAX(total), SUM(c) FROM TABLE(%s)
    GROUP BY zone, window_start, window_end\
    """
        .formatted(keys, table(), keys, window("v", "wt"));
  }

  private String lookup() {
    String kind = random.nextBoolean() ? "LEFT " : "";
    String joined =
        """
        SELECT r.zone, r.machine, r.quantity, r.n, r.x, r.ts, l.most FROM %s r
        %sJOIN limits FOR SYSTEM_TIME AS OF r.p AS l ON r.machine = l.machine\
        """
            .formatted(table(), kind);
    return random.nextBoolean()
        ? joined
        : windows("(SELECT *, 'f' AS f FROM (" + joined + ") WHERE n > most OR x > 50)");
  }

  private String windowTopN() {
    return """
    SELECT * FROM (
      SELECT *, ROW_NUMBER() OVER (
        PARTITION BY window_start, window_end ORDER BY total DESC, machine) AS rn
      FROM (SELECT machine, window_start, window_end, SUM(n) AS total
        FROM TABLE(%s) GROUP BY machine, window_start, window_end)) WHERE rn <= 2\
    """
        .formatted(window(table(), "ts"));
  }

  private String windowJoin() {
    String key = List.of("machine", "zone").get(random.nextInt(2));
    String one =
        "SELECT %s AS k, window_start, window_end, SUM(n) AS s FROM TABLE(%s) GROUP BY %s, window_start, window_end"
            .formatted(
                key,
                "TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '4' SECOND)".formatted(table()),
                key);
    String two =
        "SELECT %s AS k, window_start, window_end, MAX(n) AS m FROM TABLE(%s) GROUP BY %s, window_start, window_end"
            .formatted(
                key,
                "TUMBLE(TABLE %s, DESCRIPTOR(ts), INTERVAL '4' SECOND)".formatted(table()),
                key);
    return """
    SELECT a.k, a.window_start, a.s, b.m FROM (%s) a JOIN (%s) b
      ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end\
    """
        .formatted(one, two);
  }
}
