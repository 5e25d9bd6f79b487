package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;

/** Windows over the results of windows. */
final class WindowOverWindow {
  private static final long MICROS_PER_MILLI = 1_000;

  private WindowOverWindow() {}

  /** Tumbling windows each of which takes in the ends of exactly one window of every size. */
  static Window slide(WindowCall call) {
    return switch (call.window()) {
      case Window.Tumbling(long size, long offset) -> new Window.Tumbling(size, offset);
      case Window.Hopping(long size, long slide, long offset) ->
          new Window.Tumbling(slide, Math.floorMod(offset, slide));
      case Window.Cumulating(long size, long step, long offset) ->
          new Window.Tumbling(step, Math.floorMod(offset, step));
      case Window.Session session ->
          throw new UnsupportedException(
              "grouping by the bounds of a session once more is not supported",
              "all aggregates in the query that groups by the session",
              call.position());
    };
  }

  /** The event time of windows, which is their end less 1 ms, over the columns of the input. */
  static Expression windowTime(Relation input, WindowCall window) {
    int end = 0;
    while (input.roles().get(end).kind() != ColumnRole.Kind.WINDOW_END
        || !input.roles().get(end).isBoundOf(window)) {
      end++;
    }
    Type local = Type.timestamp(3).notNull();
    Expression time =
        new Expression.Call(
            "-",
            List.of(
                new Expression.Input(end, local),
                new Expression.Literal(MICROS_PER_MILLI, Type.intervalDayTime().notNull())),
            local);
    return window.instant()
        ? new Expression.Call("CAST", List.of(time), Type.timestampLtz(3).notNull())
        : time;
  }

  /** The input with the event time of its windows appended. */
  static PlanNode withWindowTime(Relation input, WindowCall window) {
    Expression time = windowTime(input, window);
    List<Expression> columns = new ArrayList<>(Expressions.identity(input.node().schema()));
    columns.add(time);
    List<String> names = new ArrayList<>(input.node().schema().names());
    names.add(WindowFunctions.TIME);
    List<Type> types = new ArrayList<>(input.node().schema().types());
    types.add(time.type());
    return Nodes.project(input.node(), columns, Nodes.schema(names, types));
  }
}
