package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A window assignment with only filters and projections above it that read nothing of the window,
 * as one condition and one list of columns over the assignment's input.
 *
 * @param columns over the assignment's columns; those that are bounds of the window are not read
 */
record AssignedInput(
    PlanNode.WindowAssign assign, List<Expression> conditions, List<Expression> columns) {

  /** That of an aggregate's input, or null if it has another form. */
  static @Nullable AssignedInput find(
      PlanNode input, Set<Integer> keys, List<AggregateCall> calls) {
    AssignedInput found = collapse(input);
    if (found == null) {
      return null;
    }
    BitSet read = new BitSet();
    found.conditions.forEach(condition -> Expressions.collectInputs(condition, read));
    keys.forEach(key -> Expressions.collectInputs(found.columns.get(key), read));
    for (AggregateCall call : calls) {
      call.arguments().forEach(i -> Expressions.collectInputs(found.columns.get(i), read));
      if (call.filter() >= 0) {
        Expressions.collectInputs(found.columns.get(call.filter()), read);
      }
    }
    return read.length() <= found.assign.input().schema().size() ? found : null;
  }

  private static @Nullable AssignedInput collapse(PlanNode node) {
    return switch (node) {
      case PlanNode.WindowAssign assign ->
          new AssignedInput(assign, List.of(), Expressions.identity(assign.schema()));
      case PlanNode.Filter filter -> {
        AssignedInput below = collapse(filter.input());
        if (below == null) {
          yield null;
        }
        List<Expression> conditions = new ArrayList<>(below.conditions);
        conditions.add(Expressions.substitute(filter.condition(), below.columns));
        yield new AssignedInput(below.assign, conditions, below.columns);
      }
      case PlanNode.Project project -> {
        AssignedInput below = collapse(project.input());
        yield below == null
            ? null
            : new AssignedInput(
                below.assign,
                below.conditions,
                project.expressions().stream()
                    .map(expression -> Expressions.substitute(expression, below.columns))
                    .toList());
      }
      default -> null;
    };
  }

  /** The input of the window aggregate: what it reads, and the columns wanted of late rows. */
  WindowInput below(List<Integer> keys, List<AggregateCall> calls, Collection<String> lateColumns) {
    PlanNode source = assign.input();
    Expression condition = Expressions.and(conditions);
    if (condition != null) {
      source = Nodes.filter(source, condition);
    }
    WindowInput.Builder builder = new WindowInput.Builder(source);
    for (String name : lateColumns) {
      int column = source.schema().indexOf(name);
      if (column >= 0) {
        builder.add(new Expression.Input(column, source.schema().type(column)), name);
      }
    }
    List<Integer> newKeys = new ArrayList<>();
    for (int key : keys) {
      newKeys.add(builder.add(columns.get(key), null));
    }
    List<AggregateCall> newCalls = new ArrayList<>();
    for (AggregateCall call : calls) {
      List<Integer> arguments =
          call.arguments().stream().map(i -> builder.add(columns.get(i), null)).toList();
      int filter = call.filter() < 0 ? -1 : builder.add(columns.get(call.filter()), null);
      newCalls.add(
          new AggregateCall(
              call.function(),
              arguments,
              call.argumentTypes(),
              call.parameters(),
              filter,
              call.distinct(),
              call.type(),
              call.name()));
    }
    Type timeType = source.schema().type(assign.timeColumn());
    int time = builder.add(new Expression.Input(assign.timeColumn(), timeType), null);
    return new WindowInput(builder.build(), time, newKeys, newCalls);
  }
}
