package io.sedge.division;

import io.sedge.engine.plan.PlanNode;
import java.util.stream.IntStream;

/** How many rows a step gives for the readings that it is given, from least to most. */
enum RowBounds {
  AGGREGATED,
  FILTERED,
  EVERY;

  static RowBounds of(PlanNode node) {
    return switch (node) {
      case PlanNode.Scan _, PlanNode.Values _ -> EVERY;
      case PlanNode.WindowAggregate _, PlanNode.GroupAggregate _, PlanNode.LateRows _ -> AGGREGATED;
      case PlanNode.TopN top -> top.windowEnd() >= 0 ? AGGREGATED : of(top.input());
      case PlanNode.Filter filter -> least(FILTERED, of(filter.input()));
      case PlanNode.LookupJoin join -> of(join.input());
      case PlanNode.Project _,
          PlanNode.Watermark _,
          PlanNode.WindowAssign _,
          PlanNode.OverAggregate _,
          PlanNode.IntervalJoin _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          IntStream.range(0, node.inputs().size())
              .mapToObj(i -> of(node.inputs().get(i)))
              .reduce(AGGREGATED, RowBounds::most);
    };
  }

  private static RowBounds least(RowBounds one, RowBounds other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static RowBounds most(RowBounds one, RowBounds other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
