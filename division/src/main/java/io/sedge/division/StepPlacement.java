package io.sedge.division;

import io.sedge.connector.Division;
import io.sedge.division.Place.Anywhere;
import io.sedge.division.Place.InShards;
import io.sedge.division.Place.Merged;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Where each step of a plan can be done. A step that looks at rows one by one is done where they
 * are. One that brings rows together is done in the shards if all that it brings together is in one
 * shard: if the columns by which it does hold the shard key. A table that is looked up is read
 * whole by every shard. All else is merged. One thread.
 */
final class StepPlacement {
  private static final Place ANYWHERE = new Anywhere();
  private static final Place MERGED = new Merged();

  private final Map<String, Division> divided;
  private final UnaryOperator<String> shards;
  private final Set<PlanNode> windowsWithLateRows = new HashSet<>();
  private final Map<PlanNode, Place> known = new HashMap<>();

  /**
   * @param divided how each of the divided tables is
   * @param shards whose shards those of a table are
   */
  StepPlacement(Plan plan, Map<String, Division> divided, UnaryOperator<String> shards) {
    this.divided = divided;
    this.shards = shards;
    plan.sinks().forEach(sink -> findLateRows(sink.input()));
  }

  private void findLateRows(PlanNode node) {
    if (node instanceof PlanNode.LateRows(PlanNode.WindowAggregate window)) {
      windowsWithLateRows.add(window);
    }
    node.inputs().forEach(this::findLateRows);
  }

  Place of(PlanNode node) {
    Place place = known.get(node);
    if (place == null) {
      place = find(node);
      known.put(node, place);
    }
    return place;
  }

  private Place find(PlanNode node) {
    return switch (node) {
      case PlanNode.Scan scan -> scan(scan.table());
      case PlanNode.Values _ -> ANYWHERE;
      case PlanNode.Filter filter -> of(filter.input());
      case PlanNode.Watermark watermark -> of(watermark.input());
      case PlanNode.WindowAssign assign -> of(assign.input());
      case PlanNode.Project project -> projected(project);
      case PlanNode.WindowAggregate window -> grouped(window.input(), window.keys());
      case PlanNode.GroupAggregate group -> grouped(group.input(), group.keys());
      case PlanNode.LateRows late -> lateRows(late);
      case PlanNode.OverAggregate over -> within(over.input(), over.partition());
      case PlanNode.TopN top -> within(top.input(), top.partition());
      case PlanNode.IntervalJoin join -> joined(join);
      case PlanNode.LookupJoin join ->
          of(join.table()) instanceof Anywhere ? of(join.input()) : MERGED;
      case PlanNode.Unnest unnest -> unnested(unnest);
      case PlanNode.Union union -> union(union);
      case PlanNode.Limit limit -> of(limit.input()) instanceof Anywhere ? ANYWHERE : MERGED;
    };
  }

  private Place scan(String table) {
    Division division = divided.get(table);
    return switch (division) {
      case null -> ANYWHERE;
      case Division.Whole _, Division.Undiscovered _ -> ANYWHERE;
      case Division.ByKey(int column, List<String> _) ->
          new InShards(shards.apply(table), Set.of(column));
      case Division.ByDevice _, Division.ByPart _ -> new InShards(shards.apply(table), Set.of());
    };
  }

  private Place projected(PlanNode.Project project) {
    if (!(of(project.input()) instanceof InShards(String table, Set<Integer> keys))) {
      return of(project.input());
    }
    Set<Integer> passed = new HashSet<>();
    for (int i = 0; i < project.expressions().size(); i++) {
      if (project.expressions().get(i) instanceof Expression.Input input
          && keys.contains(input.column())) {
        passed.add(i);
      }
    }
    return new InShards(table, passed);
  }

  private Place unnested(PlanNode.Unnest unnest) {
    if (!(of(unnest.input()) instanceof InShards(String table, Set<Integer> keys))) {
      return of(unnest.input());
    }
    Set<Integer> passed = new HashSet<>();
    for (int i = 0; i < unnest.kept().size(); i++) {
      if (keys.contains(unnest.kept().get(i))) {
        passed.add(i);
      }
    }
    return new InShards(table, passed);
  }

  /** A step whose rows begin with the columns that it groups by. */
  private Place grouped(PlanNode input, List<Integer> groupKeys) {
    if (!(of(input) instanceof InShards(String table, Set<Integer> keys))) {
      return of(input);
    }
    Set<Integer> passed = new HashSet<>();
    for (int i = 0; i < groupKeys.size(); i++) {
      if (keys.contains(groupKeys.get(i))) {
        passed.add(i);
      }
    }
    return passed.isEmpty() ? MERGED : new InShards(table, passed);
  }

  /** A step whose rows begin with the columns of its input. */
  private Place within(PlanNode input, List<Integer> partition) {
    Place place = of(input);
    return place instanceof InShards(String _, Set<Integer> keys)
            && partition.stream().noneMatch(keys::contains)
        ? MERGED
        : place;
  }

  /** Where a window is done in two steps, the first knows which rows come too late. */
  private Place lateRows(PlanNode.LateRows late) {
    Place window = of(late.window());
    return window instanceof Merged && !isTwoSteps(late.window())
        ? MERGED
        : of(late.window().input());
  }

  private Place joined(PlanNode.IntervalJoin join) {
    Place left = of(join.left());
    Place right = of(join.right());
    if (left instanceof Anywhere && right instanceof Anywhere) {
      return ANYWHERE;
    }
    if (left instanceof InShards(String table, Set<Integer> leftKeys)
        && right instanceof InShards(String other, Set<Integer> rightKeys)
        && table.equals(other)) {
      for (int i = 0; i < join.leftKeys().size(); i++) {
        if (leftKeys.contains(join.leftKeys().get(i))
            && rightKeys.contains(join.rightKeys().get(i))) {
          return new InShards(table, joinedKeys(join, leftKeys, rightKeys));
        }
      }
    }
    return MERGED;
  }

  /** A side that an outer join fills with nulls has no keys any more. */
  private static Set<Integer> joinedKeys(
      PlanNode.IntervalJoin join, Set<Integer> left, Set<Integer> right) {
    Set<Integer> keys = new HashSet<>();
    if (join.kind() == PlanNode.JoinKind.INNER || join.kind() == PlanNode.JoinKind.LEFT) {
      keys.addAll(left);
    }
    if (join.kind() == PlanNode.JoinKind.INNER || join.kind() == PlanNode.JoinKind.RIGHT) {
      int width = join.left().schema().size();
      right.forEach(key -> keys.add(key + width));
    }
    return keys;
  }

  private Place union(PlanNode.Union union) {
    List<Place> places = new ArrayList<>();
    union.inputs().forEach(input -> places.add(of(input)));
    if (places.stream().allMatch(Anywhere.class::isInstance)) {
      return ANYWHERE;
    }
    if (!(places.getFirst() instanceof InShards(String table, Set<Integer> keys))) {
      return MERGED;
    }
    Set<Integer> common = new HashSet<>(keys);
    for (Place place : places) {
      if (!(place instanceof InShards(String other, Set<Integer> others)) || !other.equals(table)) {
        return MERGED;
      }
      common.retainAll(others);
    }
    return new InShards(table, common);
  }

  /**
   * Whether a window that spans shards is done in two steps: each shard aggregates what it has,
   * once per key and slice of time, and one place merges that. Sessions have no slices; a window
   * that fires again for late rows would give its accumulators twice; and where slices are not
   * whole windows, a row may be too late for its slice and not for all of its windows, so a table
   * of late rows would get some that count.
   */
  boolean isTwoSteps(PlanNode.WindowAggregate window) {
    return of(window) instanceof Merged
        && of(window.input()) instanceof InShards
        && !(window.window() instanceof Window.Session)
        && window.allowedLateness() == 0
        && (window.window() instanceof Window.Tumbling || !windowsWithLateRows.contains(window));
  }
}
