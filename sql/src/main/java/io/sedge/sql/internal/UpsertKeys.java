package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The columns by which an updating result changes, Flink's upsert key: at any time it has one row
 * at most for each of their values.
 */
final class UpsertKeys {
  private UpsertKeys() {}

  /** The columns; empty if none are known. */
  static Optional<Set<Integer>> of(PlanNode node) {
    return switch (node) {
      case PlanNode.GroupAggregate group -> Optional.of(first(group.keys().size()));
      case PlanNode.TopN top -> ranked(top);
      case PlanNode.Filter filter -> of(filter.input());
      case PlanNode.Project project -> of(project.input()).flatMap(key -> projected(key, project));
      case PlanNode.Union union when union.inputs().size() == 1 -> of(union.inputs().getFirst());
      case PlanNode.Scan _,
          PlanNode.Values _,
          PlanNode.Watermark _,
          PlanNode.WindowAssign _,
          PlanNode.WindowAggregate _,
          PlanNode.LateRows _,
          PlanNode.OverAggregate _,
          PlanNode.IntervalJoin _,
          PlanNode.LookupJoin _,
          PlanNode.Unnest _,
          PlanNode.Union _,
          PlanNode.Limit _ ->
          Optional.empty();
    };
  }

  private static Set<Integer> first(int columns) {
    Set<Integer> key = new TreeSet<>();
    for (int column = 0; column < columns; column++) {
      key.add(column);
    }
    return key;
  }

  /** The partition and, where it has several rows, the number. */
  private static Optional<Set<Integer>> ranked(PlanNode.TopN top) {
    Set<Integer> key = new TreeSet<>(top.partition());
    if (top.to() == top.from()) {
      return Optional.of(key);
    }
    key.add(top.schema().size() - 1);
    return top.rankName() == null ? Optional.empty() : Optional.of(key);
  }

  private static Optional<Set<Integer>> projected(Set<Integer> key, PlanNode.Project project) {
    Set<Integer> columns = new LinkedHashSet<>();
    for (int column : key) {
      int at = -1;
      for (int i = project.expressions().size() - 1; i >= 0; i--) {
        at = tells(project.expressions().get(i), column) ? i : at;
      }
      if (at < 0) {
        return Optional.empty();
      }
      columns.add(at);
    }
    return Optional.of(columns);
  }

  /** Whether different values of a column stay different in an expression. */
  private static boolean tells(Expression expression, int column) {
    return switch (expression) {
      case Expression.Input input -> input.column() == column;
      case Expression.Call call ->
          call.function().equals("CAST")
              && call.arguments().getFirst() instanceof Expression.Input input
              && input.column() == column
              && widens(input.type(), call.type());
      case Expression.Literal _ -> false;
    };
  }

  private static boolean widens(Type from, Type to) {
    if (from.kind().isString()) {
      return to.kind() == Kind.VARCHAR && to.equals(Type.STRING.withNullable(to.nullable()));
    }
    return from.kind().isInteger()
        && to.kind().isInteger()
        && from.kind().compareTo(to.kind()) <= 0;
  }
}
