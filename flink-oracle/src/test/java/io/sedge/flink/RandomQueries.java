package io.sedge.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes queries over the tables of {@code tables.sql}, of every kind that Sedge takes, with nested
 * random expressions. All of them are valid and fail on no row, so a difference is a difference of
 * meaning. Rows are late only where one table is read: of joins of late rows Flink gives other rows
 * each time.
 */
final class RandomQueries {
  private static final List<String> ZONES =
      List.of("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC");

  /**
   * @param key how many leading columns name the row that an update replaces; -1 if updates take
   *     back what they replace
   */
  record Query(String text, int key) {}

  private final Random random;
  private final RandomExpressions expressions;
  private final String zone;

  RandomQueries(long seed) {
    random = new Random(seed);
    expressions = new RandomExpressions(random);
    zone = pick(ZONES);
  }

  /** What comes before the queries: the session's time zone. */
  String statements() {
    return "SET 'table.local-time-zone' = '%s';\n".formatted(zone);
  }

  Query next() {
    return random.nextInt(14) == 0 ? topN() : new Query(text(), -1);
  }

  private String text() {
    return switch (random.nextInt(13)) {
      case 0, 1 -> rowQuery();
      case 2, 3, 4 -> windowQuery();
      case 5 -> sessionQuery();
      case 6, 7 -> overQuery();
      case 8 -> windowTopN();
      case 9 -> groupQuery();
      case 10 -> intervalJoin();
      case 11 -> windowJoin();
      default -> zonedQuery();
    };
  }

  private String rowQuery() {
    return "SELECT ts, %s FROM patient WHERE %s"
        .formatted(some(5, "c", () -> expressions.anyExpression(2)), expressions.condition(2));
  }

  private String windowQuery() {
    String keys = keys(List.of("sensor", "zone", "ok"));
    String filtered =
        random.nextInt(3) == 0
            ? "(SELECT * FROM %s WHERE %s)".formatted(table(), expressions.condition(1))
            : "TABLE " + table();
    String window = window(filtered, "SECOND");
    return "SELECT %swindow_start, window_end, %s FROM TABLE(%s) GROUP BY %swindow_start, window_end"
        .formatted(keys, aggregates(5, window), window, keys);
  }

  private String aggregates(int most, String window) {
    return some(most, "a", () -> expressions.aggregate(!window.startsWith("TUMBLE")));
  }

  private String sessionQuery() {
    String key = pick(List.of("sensor", "zone", "ok"));
    int gap = 1 + random.nextInt(12);
    return ("SELECT %s, window_start, window_end, %s FROM TABLE(SESSION(TABLE %s PARTITION BY %s,"
            + " DESCRIPTOR(ts), INTERVAL '%d' SECOND)) GROUP BY %s, window_start, window_end")
        .formatted(key, aggregates(4, "SESSION"), table(), key, gap, key);
  }

  private String overQuery() {
    List<String> keys = chosen(List.of("sensor", "zone", "ok"));
    String partition = keys.isEmpty() ? "" : "PARTITION BY " + String.join(", ", keys) + " ";
    return "SELECT ts, sensor, %s FROM %s WINDOW w AS (%sORDER BY ts %s)"
        .formatted(
            some(4, "a", () -> expressions.frameAggregate() + " OVER w"),
            table(),
            partition,
            frame());
  }

  private String frame() {
    String from =
        switch (random.nextInt(6)) {
          case 0 -> "ROWS BETWEEN UNBOUNDED";
          case 1 -> "RANGE BETWEEN UNBOUNDED";
          case 2, 3 -> "ROWS BETWEEN " + random.nextInt(12);
          default -> "RANGE BETWEEN INTERVAL '%d' SECOND".formatted(random.nextInt(30));
        };
    return from + " PRECEDING AND CURRENT ROW";
  }

  private Query topN() {
    List<String> keys = chosen(List.of("sensor", "zone", "ok"));
    String partition = keys.isEmpty() ? "" : "PARTITION BY " + String.join(", ", keys) + " ";
    String columns = keys.stream().map(key -> key + ", ").collect(Collectors.joining());
    int from = 1 + random.nextInt(3);
    String range =
        random.nextInt(4) == 0
            ? "rn BETWEEN %d AND %d".formatted(from, from + 1 + random.nextInt(3))
            : "rn <= " + from;
    return new Query(
        ("SELECT %sts, v, i, note%s FROM (SELECT *, ROW_NUMBER() OVER (%sORDER BY %s) AS rn FROM"
                + " %s) WHERE %s")
            .formatted(
                columns, random.nextBoolean() ? ", rn" : "", partition, order(), table(), range),
        range.equals("rn <= 1") ? keys.size() : -1);
  }

  private String order() {
    return random.nextInt(4) == 0
        ? "ts" + direction()
        : pick(List.of("v", "i", "note", "d", "ok"))
            + direction()
            + (random.nextBoolean() ? ", b" + direction() : "");
  }

  private String direction() {
    return pick(List.of("", " ASC", " DESC"));
  }

  /** In an order that is total: of equal rows Flink takes any. */
  private String windowTopN() {
    String keys = keys(List.of("sensor", "zone"));
    String window = window("TABLE " + table(), "SECOND");
    return ("SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end"
            + " ORDER BY %sa0%s) AS rn FROM (SELECT %swindow_start, window_end, %s FROM"
            + " TABLE(%s) GROUP BY %swindow_start, window_end)) WHERE rn <= %d")
        .formatted(
            random.nextBoolean() ? keys.replace(",", direction() + ",") : keys,
            direction(),
            keys,
            aggregates(3, window),
            window,
            keys,
            1 + random.nextInt(3));
  }

  private String groupQuery() {
    String keys = keys(List.of("sensor", "zone", "ok"));
    String aggregates = aggregates(4, "TUMBLE");
    String where = random.nextBoolean() ? "" : " WHERE " + expressions.condition(1);
    if (keys.isEmpty()) {
      return "SELECT %s FROM %s%s".formatted(aggregates, table(), where);
    }
    String having = random.nextInt(3) == 0 ? " HAVING COUNT(*) > " + random.nextInt(60) : "";
    return "SELECT %s%s FROM %s%s GROUP BY %s%s"
        .formatted(keys, aggregates, table(), where, keys.substring(0, keys.length() - 2), having);
  }

  private String intervalJoin() {
    int from = random.nextInt(20);
    int to = random.nextInt(20);
    String rest = random.nextInt(3) == 0 ? " AND p.i > a.severity * 10" : "";
    return ("SELECT p.sensor, p.ts, p.i, a.sensor AS s2, a.severity, a.raised FROM patient p %s"
            + " JOIN alarms a ON p.sensor = a.sensor%s AND p.ts BETWEEN a.raised - INTERVAL"
            + " '%d' SECOND AND a.raised + INTERVAL '%d' SECOND")
        .formatted(joinKind(), rest, from, to);
  }

  private String joinKind() {
    return pick(List.of("INNER", "LEFT", "RIGHT", "FULL"));
  }

  private String windowJoin() {
    String window = window("TABLE patient", "SECOND");
    String other =
        window.replace("patient", "alarms").replace("DESCRIPTOR(ts)", "DESCRIPTOR(raised)");
    return ("SELECT l.sensor, l.window_start, l.window_end, l.a0, r.sensor AS s2, r.n, r.window_end"
            + " AS e2 FROM (SELECT sensor, window_start, window_end, %s FROM TABLE(%s) GROUP BY"
            + " sensor, window_start, window_end) l %s JOIN (SELECT sensor, window_start,"
            + " window_end, COUNT(*) AS n FROM TABLE(%s) GROUP BY sensor, window_start,"
            + " window_end) r ON l.sensor = r.sensor AND l.window_start = r.window_start AND"
            + " l.window_end = r.window_end")
        .formatted(aggregates(1, window), window, joinKind(), other);
  }

  /** Over instants, in the zone of the session. */
  private String zonedQuery() {
    String aggregates =
        "COUNT(*) AS n, SUM(v) AS s, MIN(ts) AS least, MAX(CAST(ts AS STRING)) AS m";
    return switch (random.nextInt(4)) {
      case 0 ->
          "SELECT sensor, ts, CAST(ts AS STRING) AS t, EXTRACT(%s FROM ts) AS e, DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm') AS f, CAST(ts AS DATE) AS d, FLOOR(ts TO %s) AS fl FROM zoned"
              .formatted(
                  pick(List.of("HOUR", "DAY", "MINUTE", "YEAR")),
                  pick(List.of("HOUR", "DAY", "MONTH")));
      case 1 ->
          "SELECT sensor, ts, COUNT(*) OVER w AS n, SUM(v) OVER w AS s FROM zoned WINDOW w AS (PARTITION BY sensor ORDER BY ts RANGE BETWEEN INTERVAL '%d' HOUR PRECEDING AND CURRENT ROW)"
              .formatted(1 + random.nextInt(5));
      case 2 ->
          "SELECT CAST(ts AS DATE) AS d, %s FROM zoned GROUP BY CAST(ts AS DATE)"
              .formatted(aggregates);
      default ->
          "SELECT window_start, window_end, window_time, %s FROM TABLE(%s) GROUP BY window_start, window_end, window_time"
              .formatted(aggregates, window("TABLE zoned", "HOUR"));
    };
  }

  private String window(String table, String unit) {
    // Flink loses rows of windows of hours in zones whose offset they do not divide.
    int size = unit.equals("HOUR") ? 1 : List.of(5, 10, 20).get(random.nextInt(3));
    int times = 2 + random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 -> "TUMBLE(%s, DESCRIPTOR(ts), %s)".formatted(table, interval(size, unit));
      case 1 ->
          "HOP(%s, DESCRIPTOR(ts), %s, %s)"
              .formatted(table, interval(size, unit), interval(size * times, unit));
      default ->
          "CUMULATE(%s, DESCRIPTOR(ts), %s, %s)"
              .formatted(table, interval(size, unit), interval(size * times, unit));
    };
  }

  private static String interval(int count, String unit) {
    return "INTERVAL '%d' %s".formatted(count, unit);
  }

  private String table() {
    return random.nextBoolean() ? "readings" : "patient";
  }

  /** One or more, with a comma between them and names. */
  private String some(int most, String prefix, Supplier<String> expression) {
    return IntStream.range(0, 1 + random.nextInt(most))
        .mapToObj(n -> "%s AS %s%d".formatted(expression.get(), prefix, n))
        .collect(Collectors.joining(", "));
  }

  /** Some of the columns, each with a comma behind it. */
  private String keys(List<String> columns) {
    return chosen(columns).stream().map(key -> key + ", ").collect(Collectors.joining());
  }

  private List<String> chosen(List<String> columns) {
    List<String> keys = new ArrayList<>();
    for (String key : columns) {
      if (random.nextInt(2) == 0) {
        keys.add(key);
      }
    }
    return keys;
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
