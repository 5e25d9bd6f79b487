package io.sedge.sql;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What may be better in a script that is accepted, for whoever checks it. */
public final class Remarks {
  private final boolean skips;
  private final Set<Expression.Call> casts = new LinkedHashSet<>();

  private Remarks(boolean skips) {
    this.skips = skips;
  }

  /** A line for each CAST of a text that may fail, in the order of the script. */
  public static List<String> of(Job job) {
    Remarks remarks = new Remarks(job.skipsFailedRows());
    for (Plan.SinkNode sink : job.plan().sinks()) {
      remarks.visit(sink.input());
    }
    return remarks.casts.stream()
        .sorted(
            Comparator.comparingInt((Expression.Call cast) -> place(cast).line())
                .thenComparingInt(cast -> place(cast).column()))
        .map(remarks::text)
        .distinct()
        .toList();
  }

  private static Expression.Place place(Expression.Call cast) {
    Expression.Place place = cast.place();
    return place == null ? new Expression.Place(1, 1) : place;
  }

  private void visit(PlanNode node) {
    expressions(node).forEach(this::visit);
    node.inputs().forEach(this::visit);
  }

  private static Stream<Expression> expressions(PlanNode node) {
    return switch (node) {
      case PlanNode.Filter filter -> Stream.of(filter.condition());
      case PlanNode.Project project -> project.expressions().stream();
      case PlanNode.Watermark watermark -> Stream.of(watermark.watermark());
      case PlanNode.IntervalJoin join -> join.condition().stream();
      case PlanNode.LookupJoin join -> join.condition().stream();
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.WindowAssign _,
          PlanNode.WindowAggregate _,
          PlanNode.LateRows _,
          PlanNode.GroupAggregate _,
          PlanNode.OverAggregate _,
          PlanNode.TopN _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          Stream.of();
    };
  }

  private void visit(Expression expression) {
    if (expression instanceof Expression.Call call) {
      if (call.place() != null && mayFail(call)) {
        casts.add(call);
      }
      call.arguments().forEach(this::visit);
    }
  }

  /** Texts are what sources give for anything; other casts fail for few values. */
  private static boolean mayFail(Expression.Call call) {
    return call.function().equals("CAST")
        && call.arguments().getFirst().type().kind().isString()
        && !call.type().kind().isString();
  }

  private String text(Expression.Call cast) {
    Type type = cast.type().withNullable(true);
    return "%s: CAST(… AS %s) fails for a text that is no %s, and %s; TRY_CAST gives NULL"
        .formatted(
            place(cast),
            type,
            type.kind(),
            skips ? "the row is left out and counted" : "the job ends");
  }
}
