package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.core.Aggregate;

/**
 * GROUP BY. A grouping by the bounds of a window becomes a {@link PlanNode.WindowAggregate}; where
 * the window function is right below, the assignment of rows to windows is left to the aggregate,
 * and filters and projections in between move below it. Any other grouping is an updating result.
 */
final class AggregateLowering {
  private static final long MICROS_PER_MILLI = 1_000;

  private final LoweringContext context;

  AggregateLowering(LoweringContext context) {
    this.context = context;
  }

  Relation lower(Aggregate aggregate, Relation input) {
    if (aggregate.getGroupSets().size() > 1) {
      throw new UnsupportedException(
          "GROUPING SETS, CUBE and ROLLUP are not supported",
          "one GROUP BY per grouping, UNION ALL");
    }
    Relation appendOnly = input.appendOnly("GROUP BY", context.position(aggregate));
    List<Integer> group = aggregate.getGroupSet().asList();
    List<AggregateCall> calls = AggregateCalls.of(aggregate, input, context.aggregates());
    Schema schema = Types.schema(aggregate.getRowType());
    WindowCall window = WindowBounds.named(appendOnly, group);
    return window == null
        ? grouped(appendOnly, group, calls, schema)
        : windowed(appendOnly, window, group, calls, schema);
  }

  /** A grouping by an older window: its end is the input's last column, and none of the query's. */
  Relation lowerGroupWindow(Aggregate aggregate, Relation input) {
    List<Integer> group = new ArrayList<>(aggregate.getGroupSet().asList());
    List<AggregateCall> calls = AggregateCalls.of(aggregate, input, context.aggregates());
    List<Integer> withEnd = new ArrayList<>(group);
    withEnd.add(input.roles().size() - 1);
    WindowCall window = WindowBounds.named(input, withEnd);
    if (window == null) {
      throw new UnsupportedException("GROUP BY of two windows is not supported", null);
    }
    return windowed(input, window, group, calls, Types.schema(aggregate.getRowType()));
  }

  /** Each different row once, as an updating result. */
  Relation distinct(Relation input) {
    List<Integer> all =
        java.util.stream.IntStream.range(0, input.node().schema().size()).boxed().toList();
    return grouped(input.appendOnly("DISTINCT", null), all, List.of(), input.node().schema());
  }

  /** All rows so far by their key, as an updating result; in batch mode once, at the end. */
  Relation grouped(Relation input, List<Integer> group, List<AggregateCall> calls, Schema schema) {
    if (context.settings().batch()) {
      return new Relation(
          WholeInput.grouped(input.node(), group, calls, schema),
          ColumnRole.plain(schema.size()),
          false);
    }
    return new Relation(
        new PlanNode.GroupAggregate(input.node(), group, calls, schema),
        ColumnRole.plain(schema.size()),
        true);
  }

  private Relation windowed(
      Relation input,
      WindowCall window,
      List<Integer> group,
      List<AggregateCall> calls,
      Schema schema) {
    Set<Integer> plainKeys = new LinkedHashSet<>();
    for (int column : group) {
      if (!input.roles().get(column).isBoundOf(window)) {
        plainKeys.add(column);
      }
    }
    AssignedInput assigned = AssignedInput.find(input.node(), plainKeys, calls);
    return assigned != null
        ? overAssignment(input, assigned, window, group, List.copyOf(plainKeys), calls, schema)
        : overBounds(input, window, group, calls, schema);
  }

  /** The window function is right below: rows are assigned by the aggregate itself. */
  private Relation overAssignment(
      Relation input,
      AssignedInput assigned,
      WindowCall window,
      List<Integer> group,
      List<Integer> keys,
      List<AggregateCall> calls,
      Schema schema) {
    if (window.window() instanceof Window.Session) {
      SessionKeys.check(assigned, window, keys);
    }
    WindowInput below = assigned.below(keys, calls, context.settings().lateColumns());
    PlanNode.WindowAggregate node =
        windowAggregate(
            below.node(),
            window.window(),
            below.timeColumn(),
            below.keys(),
            below.calls(),
            List.copyOf(keys.stream().map(key -> input.node().schema().name(key)).toList()));
    return result(node, input, window, group, keys, calls.size(), schema);
  }

  /**
   * The window's bounds are columns of some result. All its rows have the event time end - 1 ms,
   * and ends are a slide apart: tumbling windows of a slide, keyed by the bounds as well, gather
   * them.
   */
  private Relation overBounds(
      Relation input,
      WindowCall window,
      List<Integer> group,
      List<AggregateCall> calls,
      Schema schema) {
    int time = input.columnOf(ColumnRole.Kind.WINDOW_TIME);
    Window slide = WindowOverWindow.slide(window);
    PlanNode source = input.node();
    if (time < 0) {
      source = WindowOverWindow.withWindowTime(input, window);
      time = source.schema().size() - 1;
    }
    PlanNode.WindowAggregate node =
        windowAggregate(
            source,
            slide,
            time,
            group,
            calls,
            group.stream().map(key -> input.node().schema().name(key)).toList());
    return result(node, input, window, group, group, calls.size(), schema);
  }

  private PlanNode.WindowAggregate windowAggregate(
      PlanNode input,
      Window window,
      int timeColumn,
      List<Integer> keys,
      List<AggregateCall> calls,
      List<String> keyNames) {
    Type timeType = input.schema().type(timeColumn);
    List<String> names = new ArrayList<>(keyNames);
    List<Type> types = new ArrayList<>();
    keys.forEach(key -> types.add(input.schema().type(key)));
    calls.forEach(
        call -> {
          names.add(call.name());
          types.add(call.type());
        });
    names.addAll(List.of(WindowFunctions.START, WindowFunctions.END, WindowFunctions.TIME));
    types.add(Type.timestamp(3).notNull());
    types.add(Type.timestamp(3).notNull());
    types.add(
        (timeType.kind() == Kind.TIMESTAMP_LTZ ? Type.timestampLtz(3) : Type.timestamp(3))
            .notNull());
    PlanNode.WindowAggregate node =
        new PlanNode.WindowAggregate(
            input,
            window,
            timeColumn,
            keys,
            calls,
            context.zone(timeType),
            context.settings().allowedLateness().toNanos() / MICROS_PER_MILLI,
            Nodes.schema(names, types));
    context.windows().add(node);
    return node;
  }

  /** The columns that the query sees: the group columns in their order, then the aggregates. */
  private static Relation result(
      PlanNode.WindowAggregate node,
      Relation input,
      WindowCall window,
      List<Integer> group,
      List<Integer> keys,
      int calls,
      Schema schema) {
    int bounds = keys.size() + calls;
    List<Expression> columns = new ArrayList<>();
    List<ColumnRole> roles = new ArrayList<>();
    for (int column : group) {
      ColumnRole role = input.roles().get(column);
      int position =
          !role.isBoundOf(window)
              ? keys.indexOf(column)
              : switch (role.kind()) {
                case WINDOW_START -> keys.contains(column) ? keys.indexOf(column) : bounds;
                case WINDOW_END -> keys.contains(column) ? keys.indexOf(column) : bounds + 1;
                default -> bounds + 2;
              };
      columns.add(new Expression.Input(position, node.schema().type(position)));
      roles.add(role.isBoundOf(window) ? role : ColumnRole.PLAIN);
    }
    for (int i = 0; i < calls; i++) {
      int position = keys.size() + i;
      columns.add(new Expression.Input(position, node.schema().type(position)));
      roles.add(ColumnRole.PLAIN);
    }
    return new Relation(Nodes.project(node, columns, schema), roles, false);
  }
}
