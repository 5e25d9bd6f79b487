package io.sedge.sql.internal;

import io.sedge.connector.TimeBounds;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The steps of a plan in words. */
public final class PlanText {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
  private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
  private static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

  private PlanText() {}

  /** The columns of a schema with their types. */
  public static String columns(Schema schema) {
    String text = schema.toString();
    return text.substring(1, text.length() - 1);
  }

  /** A length of time in its largest whole unit. */
  public static String duration(long micros) {
    if (micros % MICROS_PER_DAY == 0 && micros != 0) {
      return micros / MICROS_PER_DAY + " d";
    }
    if (micros % MICROS_PER_HOUR == 0 && micros != 0) {
      return micros / MICROS_PER_HOUR + " h";
    }
    if (micros % MICROS_PER_MINUTE == 0 && micros != 0) {
      return micros / MICROS_PER_MINUTE + " min";
    }
    if (micros % MICROS_PER_SECOND == 0) {
      return micros / MICROS_PER_SECOND + " s";
    }
    return micros % MICROS_PER_MILLI == 0 ? micros / MICROS_PER_MILLI + " ms" : micros + " µs";
  }

  /** From when to when a table is read, as a condition. */
  public static String bounds(TimeBounds bounds, Schema schema) {
    List<String> conditions = new ArrayList<>();
    if (bounds.from() > Long.MIN_VALUE) {
      conditions.add(bound(bounds, ">=", bounds.from(), schema));
    }
    if (bounds.to() < Long.MAX_VALUE) {
      conditions.add(bound(bounds, "<=", bounds.to(), schema));
    }
    return String.join(" and ", conditions);
  }

  private static String bound(TimeBounds bounds, String sign, long micros, Schema schema) {
    Type type = schema.type(schema.indexOf(bounds.column()));
    String constant = ExpressionText.of(new Expression.Literal(micros, type), schema);
    return "%s %s %s".formatted(bounds.column(), sign, constant);
  }

  /** What a step does. */
  public static String describe(PlanNode node) {
    return describe(node, _ -> Optional.empty());
  }

  /**
   * The same.
   *
   * @param fed what the rows of a table are made by, where another task of the job makes them
   */
  public static String describe(PlanNode node, Function<String, Optional<PlanNode>> fed) {
    return switch (node) {
      case PlanNode.Scan scan -> "Scan " + scan.table();
      case PlanNode.Values values -> "Values, %d rows".formatted(values.rows().size());
      case PlanNode.Filter filter ->
          "Filter " + ExpressionText.of(filter.condition(), filter.input().schema());
      case PlanNode.Project project -> "Project " + projections(project);
      case PlanNode.Watermark watermark ->
          "Watermark for %s: %s%s"
              .formatted(
                  watermark.schema().name(watermark.timeColumn()),
                  ExpressionText.of(watermark.watermark(), watermark.schema()),
                  perKey(watermark).map(", per "::concat).orElse(""));
      case PlanNode.WindowAssign assign ->
          "WindowAssign %s over %s"
              .formatted(
                  window(assign.window()), assign.input().schema().name(assign.timeColumn()));
      case PlanNode.WindowAggregate window ->
          "WindowAggregate %s over %s%s: %s%s"
              .formatted(
                  window(window.window()),
                  window.input().schema().name(window.timeColumn()),
                  by(window.keys(), window.input().schema()),
                  calls(window.aggregates(), window.input(), fed),
                  window.zone().equals("UTC") ? "" : ", days of " + window.zone());
      case PlanNode.LateRows late -> "LateRows of the window below";
      case PlanNode.GroupAggregate group ->
          "GroupAggregate%s: %s"
              .formatted(
                  by(group.keys(), group.input().schema()),
                  calls(group.aggregates(), group.input(), fed));
      case PlanNode.OverAggregate over ->
          "OverAggregate%s ordered by %s, %s: %s"
              .formatted(
                  by(over.partition(), over.input().schema()),
                  over.input().schema().name(over.timeColumn()),
                  frame(over.frame()),
                  calls(over.aggregates(), over.input(), fed));
      case PlanNode.TopN top -> topN(top);
      case PlanNode.IntervalJoin join -> join(join);
      case PlanNode.LookupJoin join ->
          "LookupJoin %s on %s"
              .formatted(
                  join.kind(),
                  equal(
                      join.inputKeys(),
                      join.tableKeys(),
                      join.input().schema(),
                      join.table().schema()));
      case PlanNode.Unnest unnest ->
          "Unnest %s%s%s"
              .formatted(
                  unnest.input().schema().name(unnest.array()),
                  unnest.ordinality() ? " with ordinality" : "",
                  unnest.outer() ? ", rows without elements too" : "");
      case PlanNode.Union union -> "Union";
      case PlanNode.Limit limit -> "Limit " + limit.count();
    };
  }

  private static Optional<String> perKey(PlanNode.Watermark watermark) {
    return Optional.ofNullable(watermark.perKey())
        .map(perKey -> watermark.schema().name(perKey.column()));
  }

  /** What a step keeps between batches, and for how long. */
  public static Optional<String> state(PlanNode node) {
    return switch (node) {
      case PlanNode.Watermark watermark ->
          Optional.of(
              perKey(watermark)
                  .map("the greatest watermark of each value of %s that is waited for"::formatted)
                  .orElse("the greatest watermark so far"));
      case PlanNode.WindowAggregate window -> Optional.of(windowState(window));
      case PlanNode.GroupAggregate group -> Optional.of("the accumulators of each key, for ever");
      case PlanNode.OverAggregate over ->
          Optional.of(
              "the rows that the watermark has not passed, and per key "
                  + (over.frame().preceding() == Long.MAX_VALUE
                      ? "the accumulators, for ever"
                      : "the rows of " + frame(over.frame())));
      case PlanNode.TopN top ->
          Optional.of(
              top.windowEnd() >= 0
                  ? "%d rows of each partition, until the window closes".formatted(top.to())
                  : "%d rows of each partition, for ever".formatted(top.to()));
      case PlanNode.IntervalJoin join ->
          Optional.of(
              "rows of the left for %s, of the right for %s, beyond the watermark"
                  .formatted(
                      duration(Math.max(0, -join.lower())), duration(Math.max(0, join.upper()))));
      case PlanNode.LookupJoin join -> Optional.of("the rows of the table, read at the start");
      case PlanNode.Limit limit -> Optional.of("how many rows have passed");
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.Filter _,
          PlanNode.Project _,
          PlanNode.WindowAssign _,
          PlanNode.LateRows _,
          PlanNode.Unnest _,
          PlanNode.Union _ ->
          Optional.empty();
    };
  }

  private static String windowState(PlanNode.WindowAggregate window) {
    String until =
        window.allowedLateness() == 0
            ? "until the watermark passes its end"
            : "until the watermark passes its end by %s"
                .formatted(duration(window.allowedLateness()));
    return "the accumulators of each key and window (those of shared slices once), " + until;
  }

  private static String projections(PlanNode.Project project) {
    Schema input = project.input().schema();
    return IntStream.range(0, project.expressions().size())
        .mapToObj(
            i -> {
              String text = ExpressionText.of(project.expressions().get(i), input);
              String name = project.schema().name(i);
              return text.equals(name) ? name : "%s AS %s".formatted(text, name);
            })
        .collect(Collectors.joining(", "));
  }

  private static String window(Window window) {
    return switch (window) {
      case Window.Tumbling(long size, long offset) ->
          "TUMBLE(%s%s)".formatted(duration(size), offset(offset));
      case Window.Hopping(long size, long slide, long offset) ->
          "HOP(%s every %s%s)".formatted(duration(size), duration(slide), offset(offset));
      case Window.Cumulating(long size, long step, long offset) ->
          "CUMULATE(up to %s by %s%s)".formatted(duration(size), duration(step), offset(offset));
      case Window.Session(long gap) -> "SESSION(gap %s)".formatted(duration(gap));
    };
  }

  private static String offset(long offset) {
    return offset == 0 ? "" : ", offset " + duration(offset);
  }

  private static String by(List<Integer> keys, Schema schema) {
    return keys.isEmpty() ? "" : " by " + names(keys, schema);
  }

  private static String names(List<Integer> columns, Schema schema) {
    return columns.stream().map(schema::name).collect(Collectors.joining(", "));
  }

  private static String calls(
      List<AggregateCall> calls, PlanNode input, Function<String, Optional<PlanNode>> fed) {
    return calls.isEmpty()
        ? "each different row"
        : calls.stream().map(call -> call(call, input, fed)).collect(Collectors.joining(", "));
  }

  private static String call(
      AggregateCall call, PlanNode input, Function<String, Optional<PlanNode>> fed) {
    String arguments =
        call.arguments().isEmpty()
            ? "*"
            : call.arguments().stream()
                .map(
                    column ->
                        isNamed(column, input)
                            ? name(column, input)
                            : made(column, input, fed).text())
                .collect(Collectors.joining(", "));
    String parameters =
        call.parameters().stream().map(literal -> ", " + literal).collect(Collectors.joining());
    String filter =
        call.filter() < 0
            ? ""
            : " FILTER (WHERE %s)".formatted(made(call.filter(), input, fed).condition());
    return "%s(%s%s%s)%s"
        .formatted(
            call.function(), call.distinct() ? "DISTINCT " : "", arguments, parameters, filter);
  }

  private static String name(int column, PlanNode input) {
    return input.schema().name(column);
  }

  /** Whether the script has given a column its name; others are called $f2. */
  private static boolean isNamed(int column, PlanNode input) {
    return !name(column, input).startsWith("$");
  }

  /** What a column is made of; the column itself if it comes from a table or another step. */
  private static Made made(int column, PlanNode input, Function<String, Optional<PlanNode>> fed) {
    Optional<PlanNode> before =
        switch (input) {
          case PlanNode.Filter filter -> Optional.of(filter.input());
          case PlanNode.Watermark watermark -> Optional.of(watermark.input());
          case PlanNode.Scan scan -> fed.apply(scan.table());
          default -> Optional.empty();
        };
    if (input instanceof PlanNode.Project project) {
      return new Made(project.expressions().get(column), project.input().schema());
    }
    return before
        .map(node -> made(column, node, fed))
        .orElseGet(
            () ->
                new Made(
                    new Expression.Input(column, input.schema().type(column)), input.schema()));
  }

  /** An expression over a schema. */
  private record Made(Expression expression, Schema schema) {
    String text() {
      return ExpressionText.of(expression, schema);
    }

    /** As a condition, where what is unknown counts as false anyway. */
    String condition() {
      return expression instanceof Expression.Call call && call.function().equals("IS TRUE")
          ? ExpressionText.of(call.arguments().getFirst(), schema)
          : text();
    }
  }

  private static String frame(PlanNode.Frame frame) {
    String unit = frame.rows() ? "rows" : "range";
    if (frame.preceding() == Long.MAX_VALUE) {
      return unit + " from the first on";
    }
    return frame.rows()
        ? "the last %d rows and the current one".formatted(frame.preceding())
        : "the last %s".formatted(duration(frame.preceding()));
  }

  private static String topN(PlanNode.TopN top) {
    Schema schema = top.input().schema();
    String order =
        top.orderings().stream()
            .map(
                ordering -> schema.name(ordering.column()) + (ordering.descending() ? " DESC" : ""))
            .collect(Collectors.joining(", "));
    return "TopN rows %d to %d%s ordered by %s"
        .formatted(top.from(), top.to(), by(top.partition(), schema), order);
  }

  private static String join(PlanNode.IntervalJoin join) {
    return "IntervalJoin %s on %s, %s - %s from %s to %s"
        .formatted(
            join.kind().name().toLowerCase(Locale.ROOT),
            equal(join.leftKeys(), join.rightKeys(), join.left().schema(), join.right().schema()),
            join.left().schema().name(join.leftTime()),
            join.right().schema().name(join.rightTime()),
            duration(join.lower()),
            duration(join.upper()));
  }

  private static String equal(
      List<Integer> left, List<Integer> right, Schema leftSchema, Schema rightSchema) {
    return left.isEmpty()
        ? "nothing"
        : IntStream.range(0, left.size())
            .mapToObj(i -> leftSchema.name(left.get(i)) + " = " + rightSchema.name(right.get(i)))
            .collect(Collectors.joining(" and "));
  }
}
