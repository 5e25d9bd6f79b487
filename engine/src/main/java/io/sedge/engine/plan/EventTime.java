package io.sedge.engine.plan;

import io.sedge.engine.expression.Expression;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which columns of a node's rows are event times: what its watermarks are about. */
public final class EventTime {
  private EventTime() {}

  /** Their positions: columns that {@link PlanNode.Watermark} or a window made, passed on. */
  public static Set<Integer> columns(PlanNode node) {
    return switch (node) {
      case PlanNode.Scan scan -> Set.copyOf(scan.timeColumns());
      case PlanNode.Values _, PlanNode.GroupAggregate _ -> Set.of();
      case PlanNode.Watermark watermark -> Set.of(watermark.timeColumn());
      case PlanNode.Filter filter -> columns(filter.input());
      case PlanNode.Limit limit -> columns(limit.input());
      case PlanNode.OverAggregate over -> columns(over.input());
      case PlanNode.TopN top -> columns(top.input());
      case PlanNode.LookupJoin join -> columns(join.input());
      case PlanNode.LateRows late -> columns(late.window().input());
      case PlanNode.WindowAggregate window -> Set.of(window.schema().size() - 1);
      case PlanNode.WindowAssign assign -> and(columns(assign.input()), assign.schema().size() - 1);
      case PlanNode.Project project -> projected(project);
      case PlanNode.Unnest unnest -> kept(unnest);
      case PlanNode.Union union -> common(union.inputs());
      case PlanNode.IntervalJoin join -> {
        Set<Integer> columns = new HashSet<>(columns(join.left()));
        int width = join.left().schema().size();
        columns(join.right()).forEach(column -> columns.add(column + width));
        yield columns;
      }
    };
  }

  private static Set<Integer> and(Set<Integer> columns, int column) {
    Set<Integer> all = new HashSet<>(columns);
    all.add(column);
    return all;
  }

  private static Set<Integer> projected(PlanNode.Project project) {
    Set<Integer> before = columns(project.input());
    Set<Integer> columns = new HashSet<>();
    for (int i = 0; i < project.expressions().size(); i++) {
      if (project.expressions().get(i) instanceof Expression.Input input
          && before.contains(input.column())) {
        columns.add(i);
      }
    }
    return columns;
  }

  private static Set<Integer> kept(PlanNode.Unnest unnest) {
    Set<Integer> before = columns(unnest.input());
    Set<Integer> columns = new HashSet<>();
    for (int i = 0; i < unnest.kept().size(); i++) {
      if (before.contains(unnest.kept().get(i))) {
        columns.add(i);
      }
    }
    return columns;
  }

  private static Set<Integer> common(List<PlanNode> inputs) {
    Set<Integer> shared = new HashSet<>(columns(inputs.getFirst()));
    inputs.forEach(input -> shared.retainAll(columns(input)));
    return shared;
  }
}
