package io.sedge.engine.operator.internal;

import io.sedge.engine.plan.EventTime;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What can be known of a node's rows from the plan alone. */
final class PlanFacts {
  private PlanFacts() {}

  /** Whether rows may be taken back or replaced, not only added. */
  static boolean updating(PlanNode node) {
    return switch (node) {
      case PlanNode.GroupAggregate _ -> true;
      case PlanNode.WindowAggregate window ->
          window.allowedLateness() > 0 || updating(window.input());
      case PlanNode.TopN top -> updating(top.input()) || (top.windowEnd() < 0 && !isKeepFirst(top));
      case PlanNode.LateRows late -> updating(late.window().input());
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.Filter _,
          PlanNode.Project _,
          PlanNode.Watermark _,
          PlanNode.WindowAssign _,
          PlanNode.OverAggregate _,
          PlanNode.IntervalJoin _,
          PlanNode.LookupJoin _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          node.inputs().stream().anyMatch(PlanFacts::updating);
    };
  }

  /** The tables that a node's rows come from, in the order in which they are first met. */
  static Set<String> scanned(PlanNode node) {
    Set<String> tables = new LinkedHashSet<>();
    if (node instanceof PlanNode.Scan scan) {
      tables.add(scan.table());
    }
    node.inputs().forEach(input -> tables.addAll(scanned(input)));
    return tables;
  }

  /**
   * Refuses what keeps rows or accumulators over rows that may be taken back: nothing can be taken
   * out of them.
   */
  static void checkInputs(PlanNode node) {
    boolean keeps =
        switch (node) {
          case PlanNode.GroupAggregate _,
              PlanNode.WindowAggregate _,
              PlanNode.OverAggregate _,
              PlanNode.TopN _,
              PlanNode.IntervalJoin _,
              PlanNode.LookupJoin _,
              PlanNode.Limit _ ->
              true;
          case PlanNode.Scan _,
              PlanNode.Values _,
              PlanNode.Filter _,
              PlanNode.Project _,
              PlanNode.Watermark _,
              PlanNode.WindowAssign _,
              PlanNode.LateRows _,
              PlanNode.Unnest _,
              PlanNode.Union _ ->
              false;
        };
    if (keeps && node.inputs().stream().anyMatch(PlanFacts::updating)) {
      throw new IllegalArgumentException(
          "%s takes rows that are only added, and its input changes rows that it has given out"
              .formatted(node.getClass().getSimpleName()));
    }
  }

  /** Whether it keeps the earliest row of each partition by event time. */
  static boolean isKeepFirst(PlanNode.TopN top) {
    return isDeduplication(top) && !top.orderings().getFirst().descending();
  }

  /** Whether it keeps the latest row of each partition by event time. */
  static boolean isKeepLast(PlanNode.TopN top) {
    return isDeduplication(top) && top.orderings().getFirst().descending();
  }

  private static boolean isDeduplication(PlanNode.TopN top) {
    return top.windowEnd() < 0 && keepsOneByTime(top);
  }

  /** Whether it keeps the latest row of each window by event time. */
  static boolean isWindowKeepLast(PlanNode.TopN top) {
    return top.windowEnd() >= 0 && keepsOneByTime(top) && top.orderings().getFirst().descending();
  }

  private static boolean keepsOneByTime(PlanNode.TopN top) {
    List<Ordering> orderings = top.orderings();
    return top.from() == 1
        && top.to() == 1
        && orderings.size() == 1
        && EventTime.columns(top.input()).contains(orderings.getFirst().column());
  }
}
