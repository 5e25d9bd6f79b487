package io.sedge.sql.internal;

import io.sedge.connector.TimeBounds;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds from when to when the rows of each source table are needed: what the filters above every
 * scan of it let pass of a time column, compared with constants. Where scans differ, all that any
 * of them needs.
 *
 * <p>Rows that are filtered away still make watermarks. Those of rows that are too early make no
 * row within the bounds late if the column is the event time and no watermark is ahead of it, so a
 * filter above a {@link PlanNode.Watermark} counts in that case alone. Those of rows that are too
 * late are for the source to mind: {@link io.sedge.connector.Source#between}.
 */
final class ScanBounds {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  private final Map<String, Map<String, Range>> tables = new HashMap<>();

  private ScanBounds() {}

  /** Microseconds, both ends included. */
  private record Range(long from, long to) {
    static final Range ALL = new Range(Long.MIN_VALUE, Long.MAX_VALUE);

    Range and(Range other) {
      return new Range(Math.max(from, other.from), Math.min(to, other.to));
    }

    Range or(Range other) {
      return new Range(Math.min(from, other.from), Math.max(to, other.to));
    }

    /**
     * Where local time is put back or forward, a window may be over before the instants of its rows
     * are, so rows before the bounds can make rows within them late. No clock is put by a day.
     */
    Range fromDayBefore() {
      return new Range(Math.min(from, from - MICROS_PER_DAY), to);
    }

    /** Windows know whole milliseconds only: one in which a row is needed is needed whole. */
    Range fromWholeMilli() {
      return new Range(Math.min(from, from - Math.floorMod(from, MICROS_PER_MILLI)), to);
    }
  }

  /** The bounds of each table that has some. */
  static Map<String, List<TimeBounds>> of(Plan plan) {
    ScanBounds found = new ScanBounds();
    plan.sinks().forEach(sink -> found.visit(sink.input(), Map.of()));
    Map<String, List<TimeBounds>> bounds = new HashMap<>();
    found.tables.forEach(
        (table, columns) ->
            bounds.put(
                table,
                columns.entrySet().stream()
                    .map(e -> new TimeBounds(e.getKey(), e.getValue().from(), e.getValue().to()))
                    .toList()));
    return bounds;
  }

  /**
   * Goes down to the scans.
   *
   * @param needed what is needed of the node's columns
   */
  private void visit(PlanNode node, Map<Integer, Range> needed) {
    switch (node) {
      case PlanNode.Scan scan -> {
        Map<String, Range> named = new HashMap<>();
        needed.forEach((column, range) -> named.put(scan.schema().name(column), range));
        tables.merge(scan.table(), named, ScanBounds::or);
      }
      case PlanNode.Filter filter -> visit(filter.input(), and(needed, ranges(filter.condition())));
      case PlanNode.Project project -> visit(project.input(), below(project, needed));
      case PlanNode.Watermark watermark -> visit(watermark.input(), below(watermark, needed));
      case PlanNode.WindowAssign assign -> visit(assign.input(), below(assign, needed));
      case PlanNode.Unnest unnest -> visit(unnest.input(), below(unnest, needed));
      case PlanNode.Values _,
          PlanNode.WindowAggregate _,
          PlanNode.LateRows _,
          PlanNode.GroupAggregate _,
          PlanNode.OverAggregate _,
          PlanNode.TopN _,
          PlanNode.IntervalJoin _,
          PlanNode.LookupJoin _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          node.inputs().forEach(input -> visit(input, Map.of()));
    }
  }

  private static Map<Integer, Range> below(PlanNode.Project project, Map<Integer, Range> needed) {
    Map<Integer, Range> below = new HashMap<>();
    needed.forEach(
        (column, range) -> {
          if (project.expressions().get(column) instanceof Expression.Input input) {
            below.merge(input.column(), range, Range::and);
          }
        });
    return below;
  }

  private static Map<Integer, Range> below(
      PlanNode.Watermark watermark, Map<Integer, Range> needed) {
    Range range = needed.get(watermark.timeColumn());
    if (range == null || mayBeAhead(watermark) || watermark.perKey() != null) {
      return Map.of();
    }
    boolean local = watermark.schema().type(watermark.timeColumn()).kind() == Kind.TIMESTAMP_LTZ;
    Range kept = local ? range.fromDayBefore() : range;
    return Map.of(watermark.timeColumn(), kept.fromWholeMilli());
  }

  /** Whether a watermark may be after the time of its row: it is not {@code ts - INTERVAL …}. */
  private static boolean mayBeAhead(PlanNode.Watermark watermark) {
    Expression time = watermark.watermark();
    if (time instanceof Expression.Call(String function, List<Expression> arguments, Type _, var _)
        && function.equals("-")
        && arguments.getLast() instanceof Expression.Literal(Long micros, Type _)
        && micros >= 0) {
      time = arguments.getFirst();
    }
    return !(time instanceof Expression.Input(int column, Type _)
        && column == watermark.timeColumn());
  }

  private static Map<Integer, Range> below(
      PlanNode.WindowAssign assign, Map<Integer, Range> needed) {
    Map<Integer, Range> below = new HashMap<>(needed);
    below.keySet().removeIf(column -> column >= assign.input().schema().size());
    return below;
  }

  private static Map<Integer, Range> below(PlanNode.Unnest unnest, Map<Integer, Range> needed) {
    Map<Integer, Range> below = new HashMap<>();
    needed.forEach(
        (column, range) -> {
          if (column < unnest.kept().size()) {
            below.merge(unnest.kept().get(column), range, Range::and);
          }
        });
    return below;
  }

  /** What a condition lets pass of the columns that it compares with constants. */
  private static Map<Integer, Range> ranges(Expression condition) {
    if (!(condition
        instanceof Expression.Call(String function, List<Expression> arguments, Type _, var _))) {
      return Map.of();
    }
    return switch (function) {
      case "AND" ->
          arguments.stream().map(ScanBounds::ranges).reduce(ScanBounds::and).orElseThrow();
      case "OR" -> arguments.stream().map(ScanBounds::ranges).reduce(ScanBounds::or).orElseThrow();
      case "=", "<", "<=", ">", ">=" ->
          comparison(function, arguments.getFirst(), arguments.getLast());
      default -> Map.of();
    };
  }

  private static Map<Integer, Range> comparison(String sign, Expression left, Expression right) {
    if (left instanceof Expression.Literal && right instanceof Expression.Input) {
      return comparison(mirrored(sign), right, left);
    }
    return left instanceof Expression.Input(int column, Type type)
            && type.kind().isTimestamp()
            && right instanceof Expression.Literal(Long micros, Type constant)
            && constant.kind() == type.kind()
        ? Map.of(column, range(sign, micros))
        : Map.of();
  }

  private static String mirrored(String sign) {
    return sign.equals("=") ? sign : (sign.startsWith("<") ? ">" : "<") + sign.substring(1);
  }

  private static Range range(String sign, long micros) {
    return switch (sign) {
      case "<" -> new Range(Long.MIN_VALUE, Math.min(micros, micros - 1));
      case "<=" -> new Range(Long.MIN_VALUE, micros);
      case ">" -> new Range(Math.max(micros, micros + 1), Long.MAX_VALUE);
      case ">=" -> new Range(micros, Long.MAX_VALUE);
      default -> new Range(micros, micros);
    };
  }

  private static <K> Map<K, Range> and(Map<K, Range> left, Map<K, Range> right) {
    Map<K, Range> both = new HashMap<>(left);
    right.forEach((column, range) -> both.merge(column, range, Range::and));
    return both;
  }

  private static <K> Map<K, Range> or(Map<K, Range> left, Map<K, Range> right) {
    Map<K, Range> either = new HashMap<>();
    left.forEach(
        (column, range) -> {
          Range other = right.get(column);
          if (other != null && !range.or(other).equals(Range.ALL)) {
            either.put(column, range.or(other));
          }
        });
    return either;
  }
}
