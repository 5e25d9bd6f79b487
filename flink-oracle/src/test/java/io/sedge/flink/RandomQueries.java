package io.sedge.flink;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Makes queries over the tables of {@code tables.sql}: filters, projections and windowed aggregates
 * of nested random expressions. All of them are valid and fail on no row, so a difference is a
 * difference of meaning.
 */
final class RandomQueries {
  private static final List<String> INTEGERS =
      List.of("i", "b", "CAST(s AS INT)", "CAST(t AS INT)");
  private static final List<String> STRINGS = List.of("sensor", "zone", "note");
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;

  RandomQueries(long seed) {
    random = new Random(seed);
  }

  String next() {
    return random.nextInt(3) == 0 ? rowQuery() : windowQuery();
  }

  private String rowQuery() {
    String columns =
        IntStream.range(0, 1 + random.nextInt(5))
            .mapToObj(n -> "%s AS c%d".formatted(anyExpression(2), n))
            .collect(Collectors.joining(", "));
    return "SELECT ts, %s FROM patient WHERE %s".formatted(columns, condition(2));
  }

  private String windowQuery() {
    List<String> keys = new ArrayList<>();
    for (String key : List.of("sensor", "zone", "ok")) {
      if (random.nextInt(2) == 0) {
        keys.add(key);
      }
    }
    String table = random.nextBoolean() ? "readings" : "patient";
    String aggregates =
        IntStream.range(0, 1 + random.nextInt(5))
            .mapToObj(n -> "%s AS a%d".formatted(aggregate(), n))
            .collect(Collectors.joining(", "));
    String keyList = keys.stream().map(key -> key + ", ").collect(Collectors.joining());
    String filtered =
        random.nextInt(3) == 0
            ? "(SELECT * FROM %s WHERE %s)".formatted(table, condition(1))
            : "TABLE " + table;
    return "SELECT %swindow_start, window_end, %s FROM TABLE(%s) GROUP BY %swindow_start, window_end"
        .formatted(keyList, aggregates, window(filtered), keyList);
  }

  private String window(String table) {
    int unit = List.of(5, 10, 20).get(random.nextInt(3));
    int times = 2 + random.nextInt(3);
    return switch (random.nextInt(3)) {
      case 0 -> "TUMBLE(%s, DESCRIPTOR(ts), %s)".formatted(table, seconds(unit));
      case 1 ->
          "HOP(%s, DESCRIPTOR(ts), %s, %s)".formatted(table, seconds(unit), seconds(unit * times));
      default ->
          "CUMULATE(%s, DESCRIPTOR(ts), %s, %s)"
              .formatted(table, seconds(unit), seconds(unit * times));
    };
  }

  private static String seconds(int seconds) {
    return "INTERVAL '%d' SECOND".formatted(seconds);
  }

  private String aggregate() {
    String filter = random.nextInt(5) == 0 ? " FILTER (WHERE %s)".formatted(condition(1)) : "";
    String call =
        switch (random.nextInt(9)) {
          case 0 -> "COUNT(*)";
          case 1 -> "COUNT(%s)".formatted(anyExpression(1));
          case 2 -> "SUM(%s)".formatted(number(1));
          case 3 -> "AVG(%s)".formatted(number(1));
          case 4 -> "MIN(%s)".formatted(random.nextBoolean() ? number(1) : string());
          case 5 -> "MAX(%s)".formatted(random.nextBoolean() ? number(1) : string());
          case 6 -> "STDDEV_POP(v)";
          case 7 -> "VAR_SAMP(v)";
          default -> "COUNT(DISTINCT %s)".formatted(random.nextBoolean() ? integer(0) : string());
        };
    return call + filter;
  }

  private String anyExpression(int depth) {
    return switch (random.nextInt(4)) {
      case 0 -> integer(depth);
      case 1 -> number(depth);
      case 2 -> string();
      default ->
          "CASE WHEN %s THEN %s ELSE %s END".formatted(condition(depth), "v", "CAST(i AS DOUBLE)");
    };
  }

  private String number(int depth) {
    return switch (random.nextInt(4)) {
      case 0 -> integer(depth);
      case 1 -> "d";
      case 2 -> "f";
      default ->
          depth == 0 ? "v" : "(v %s %s)".formatted(pick(List.of("+", "-", "*")), number(depth - 1));
    };
  }

  private String integer(int depth) {
    if (depth == 0 || random.nextInt(3) == 0) {
      return pick(INTEGERS);
    }
    return switch (random.nextInt(5)) {
      case 0 -> "(%s / %d)".formatted(integer(depth - 1), 1 + random.nextInt(9));
      case 1 -> "MOD(%s, %d)".formatted(integer(depth - 1), 1 + random.nextInt(9));
      case 2 -> "ABS(%s)".formatted(integer(depth - 1));
      case 3 -> "COALESCE(%s, %d)".formatted(pick(INTEGERS), random.nextInt(100));
      default ->
          "(%s %s %s)".formatted(integer(depth - 1), pick(List.of("+", "-")), integer(depth - 1));
    };
  }

  private String string() {
    String column = pick(STRINGS);
    return switch (random.nextInt(6)) {
      case 0 -> "UPPER(%s)".formatted(column);
      case 1 -> "SUBSTRING(%s, %d, %d)".formatted(column, 1 + random.nextInt(3), random.nextInt(4));
      case 2 -> "CONCAT(%s, '/', %s)".formatted(column, pick(STRINGS));
      case 3 -> "TRIM(%s)".formatted(column);
      default -> column;
    };
  }

  private String condition(int depth) {
    if (depth > 0 && random.nextBoolean()) {
      return switch (random.nextInt(3)) {
        case 0 -> "(%s AND %s)".formatted(condition(depth - 1), condition(depth - 1));
        case 1 -> "(%s OR %s)".formatted(condition(depth - 1), condition(depth - 1));
        default -> "NOT (%s)".formatted(condition(depth - 1));
      };
    }
    return switch (random.nextInt(6)) {
      case 0 -> "ok";
      case 1 ->
          "%s IS %sNULL"
              .formatted(pick(List.of("v", "i", "zone", "ok")), random.nextBoolean() ? "NOT " : "");
      case 2 -> "zone = 'north'";
      case 3 -> "note LIKE '%o%'";
      case 4 -> "d %s %d.5".formatted(pick(COMPARISONS), random.nextInt(1000) - 500);
      default -> "%s %s %d".formatted(number(1), pick(COMPARISONS), random.nextInt(100) - 50);
    };
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
