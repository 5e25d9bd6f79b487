package io.sedge.division;

import io.sedge.engine.plan.PlanNode;
import java.util.List;

/** The same step over other inputs. */
final class PlanInputs {
  private PlanInputs() {}

  /**
   * @param inputs as many as the node has, with rows of the same columns
   */
  static PlanNode replace(PlanNode node, List<PlanNode> inputs) {
    return switch (node) {
      case PlanNode.Scan _, PlanNode.Values _ -> node;
      case PlanNode.Filter filter -> new PlanNode.Filter(inputs.getFirst(), filter.condition());
      case PlanNode.Project project ->
          new PlanNode.Project(inputs.getFirst(), project.expressions(), project.schema());
      case PlanNode.Watermark watermark ->
          new PlanNode.Watermark(
              inputs.getFirst(), watermark.timeColumn(), watermark.watermark(), watermark.perKey());
      case PlanNode.WindowAssign assign ->
          new PlanNode.WindowAssign(
              inputs.getFirst(),
              assign.window(),
              assign.timeColumn(),
              assign.zone(),
              assign.schema());
      case PlanNode.WindowAggregate window -> window(window, inputs.getFirst());
      case PlanNode.LateRows _ ->
          new PlanNode.LateRows((PlanNode.WindowAggregate) inputs.getFirst());
      case PlanNode.GroupAggregate group ->
          new PlanNode.GroupAggregate(
              inputs.getFirst(), group.keys(), group.aggregates(), group.schema());
      case PlanNode.OverAggregate over ->
          new PlanNode.OverAggregate(
              inputs.getFirst(),
              over.partition(),
              over.timeColumn(),
              over.frame(),
              over.aggregates(),
              over.schema());
      case PlanNode.TopN top -> topN(top, inputs.getFirst());
      case PlanNode.IntervalJoin join -> join(join, inputs);
      case PlanNode.LookupJoin join ->
          new PlanNode.LookupJoin(
              inputs.getFirst(),
              inputs.getLast(),
              join.kind(),
              join.inputKeys(),
              join.tableKeys(),
              join.condition(),
              join.schema());
      case PlanNode.Unnest unnest ->
          new PlanNode.Unnest(
              inputs.getFirst(),
              unnest.array(),
              unnest.kept(),
              unnest.ordinality(),
              unnest.outer(),
              unnest.schema());
      case PlanNode.Union _ -> new PlanNode.Union(inputs);
      case PlanNode.Limit limit -> new PlanNode.Limit(inputs.getFirst(), limit.count());
    };
  }

  private static PlanNode window(PlanNode.WindowAggregate window, PlanNode input) {
    return new PlanNode.WindowAggregate(
        input,
        window.window(),
        window.timeColumn(),
        window.keys(),
        window.aggregates(),
        window.zone(),
        window.allowedLateness(),
        window.schema());
  }

  private static PlanNode topN(PlanNode.TopN top, PlanNode input) {
    return new PlanNode.TopN(
        input,
        top.partition(),
        top.orderings(),
        top.from(),
        top.to(),
        top.windowEnd(),
        top.zone(),
        top.rankName(),
        top.schema());
  }

  private static PlanNode join(PlanNode.IntervalJoin join, List<PlanNode> inputs) {
    return new PlanNode.IntervalJoin(
        inputs.getFirst(),
        inputs.getLast(),
        join.kind(),
        join.leftKeys(),
        join.rightKeys(),
        join.leftTime(),
        join.rightTime(),
        join.lower(),
        join.upper(),
        join.ofWindows(),
        join.condition(),
        join.schema());
  }
}
