package io.sedge.flink;

import java.util.List;
import java.util.Random;

/**
 * Makes nested random expressions over the columns of {@code readings}. All of them are valid and
 * fail on no row.
 */
final class RandomExpressions {
  private static final List<String> INTEGERS =
      List.of("i", "b", "CAST(s AS INT)", "CAST(t AS INT)");
  private static final List<String> STRINGS = List.of("sensor", "zone", "note");
  private static final List<String> COMPARISONS = List.of("=", "<>", "<", "<=", ">", ">=");

  private final Random random;

  RandomExpressions(Random random) {
    this.random = random;
  }

  /**
   * @param merged whether the windows are merged of slices or sessions, over which Flink has
   *     neither FIRST_VALUE nor LAST_VALUE, and LISTAGG in no order
   */
  String aggregate(boolean merged) {
    String filter = random.nextInt(5) == 0 ? " FILTER (WHERE %s)".formatted(condition(1)) : "";
    String call =
        switch (random.nextInt(merged ? 8 : 11)) {
          case 0 -> "COUNT(*)";
          case 1 -> "COUNT(%s)".formatted(anyExpression(1));
          case 2 -> "SUM(%s)".formatted(number(1));
          case 3 -> "AVG(%s)".formatted(number(1));
          case 4 -> "MIN(%s)".formatted(random.nextBoolean() ? number(1) : string());
          case 5 -> "MAX(%s)".formatted(random.nextBoolean() ? number(1) : string());
          case 6 -> random.nextBoolean() ? "STDDEV_POP(v)" : "VAR_SAMP(v)";
          case 7 -> "COUNT(DISTINCT %s)".formatted(random.nextBoolean() ? integer(0) : string());
          case 8 -> "FIRST_VALUE(%s)".formatted(random.nextBoolean() ? integer(0) : "zone");
          case 9 -> "LAST_VALUE(%s)".formatted(random.nextBoolean() ? number(0) : "note");
          default -> "LISTAGG(%s)".formatted(pick(STRINGS));
        };
    return call + filter;
  }

  String anyExpression(int depth) {
    return switch (random.nextInt(4)) {
      case 0 -> integer(depth);
      case 1 -> number(depth);
      case 2 -> string();
      default ->
          "CASE WHEN %s THEN %s ELSE %s END".formatted(condition(depth), "v", "CAST(i AS DOUBLE)");
    };
  }

  String number(int depth) {
    return switch (random.nextInt(4)) {
      case 0 -> integer(depth);
      case 1 -> "d";
      case 2 -> "f";
      default ->
          depth == 0 ? "v" : "(v %s %s)".formatted(pick(List.of("+", "-", "*")), number(depth - 1));
    };
  }

  String integer(int depth) {
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

  String string() {
    String column = pick(STRINGS);
    return switch (random.nextInt(6)) {
      case 0 -> "UPPER(%s)".formatted(column);
      case 1 -> "SUBSTRING(%s, %d, %d)".formatted(column, 1 + random.nextInt(3), random.nextInt(4));
      case 2 -> "CONCAT(%s, '/', %s)".formatted(column, pick(STRINGS));
      case 3 -> "TRIM(%s)".formatted(column);
      default -> column;
    };
  }

  String condition(int depth) {
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

  String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** An aggregate that takes rows out again to the last digit, for frames. */
  String frameAggregate() {
    return switch (random.nextInt(10)) {
      case 0 -> "COUNT(*)";
      case 1 -> "COUNT(%s)".formatted(pick(List.of("v", "zone", "ok")));
      case 2 -> "SUM(%s)".formatted(integer(1));
      case 3 -> "AVG(%s)".formatted(integer(0));
      case 4 -> "MIN(%s)".formatted(random.nextBoolean() ? number(1) : string());
      case 5 -> "MAX(%s)".formatted(random.nextBoolean() ? number(1) : string());
      case 6 -> "FIRST_VALUE(%s)".formatted(pick(List.of("i", "v", "zone")));
      case 7 -> "LAST_VALUE(%s)".formatted(pick(List.of("i", "v", "zone")));
      case 8 -> "SUM(d)";
      default -> "STDDEV_POP(i)";
    };
  }
}
