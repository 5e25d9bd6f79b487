package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * The older windows, {@code GROUP BY TUMBLE(ts, INTERVAL '5' SECOND)}: rewritten into the window
 * table functions, whose window_start stands for the group expression.
 */
final class GroupWindows {
  private static final Map<String, String> FUNCTIONS =
      Map.of("$TUMBLE", "TUMBLE", "$HOP", "HOP", "$SESSION", "SESSION");

  private final LoweringContext context;
  private final ExpressionLowering expressions;

  GroupWindows(LoweringContext context, ExpressionLowering expressions) {
    this.context = context;
    this.expressions = expressions;
  }

  /** The call of such a window in a projection, or -1. */
  static int find(LogicalProject project) {
    for (int i = 0; i < project.getProjects().size(); i++) {
      if (project.getProjects().get(i) instanceof RexCall call
          && FUNCTIONS.containsKey(call.getOperator().getName())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The projection's columns, with window_start in the place of the window's call, then window_end.
   *
   * @param project below an aggregate
   */
  Relation rewrite(Aggregate aggregate, LogicalProject project, int column, Relation input) {
    SqlParserPos position = context.position(aggregate);
    RexCall call = (RexCall) project.getProjects().get(column);
    WindowCall window = window(call, input, position);
    PlanNode assigned = assigned(input, window);
    int width = input.node().schema().size();
    List<ColumnRole> roles = new ArrayList<>(input.roles());
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_START, window));
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_END, window));
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_TIME, window));
    List<Expression> columns = new ArrayList<>();
    List<String> names = new ArrayList<>(project.getRowType().getFieldNames());
    for (int i = 0; i < project.getProjects().size(); i++) {
      columns.add(
          i == column
              ? new Expression.Input(width, assigned.schema().type(width))
              : expressions.lower(project.getProjects().get(i)));
    }
    columns.add(new Expression.Input(width + 1, assigned.schema().type(width + 1)));
    names.add(WindowFunctions.END);
    List<Type> types = columns.stream().map(Expression::type).toList();
    Relation all = new Relation(assigned, roles, false);
    return new Relation(
        Nodes.project(assigned, columns, Nodes.schema(names, types)),
        Lowering.roles(columns, all),
        false);
  }

  private PlanNode assigned(Relation input, WindowCall window) {
    Schema.Builder schema = Schema.builder().addAll(input.node().schema());
    Type local = Type.timestamp(3).notNull();
    for (String name : List.of(WindowFunctions.START, WindowFunctions.END, WindowFunctions.TIME)) {
      schema.add("$" + name, local);
    }
    return context.assign(input.node(), window.window(), window.timeColumn(), schema.build());
  }

  private static WindowCall window(RexCall call, Relation input, @Nullable SqlParserPos position) {
    String function = FUNCTIONS.getOrDefault(call.getOperator().getName(), "TUMBLE");
    SqlParserPos place = position == null ? SqlParserPos.ZERO : position;
    if (function.equals("SESSION")) {
      throw new UnsupportedException(
          "GROUP BY SESSION(…) is not supported",
          "FROM SESSION(TABLE t PARTITION BY key, DESCRIPTOR(ts), INTERVAL …) and GROUP BY key,"
              + " window_start, window_end",
          position);
    }
    if (!(call.getOperands().getFirst() instanceof RexInputRef time)) {
      throw new UnsupportedException(
          "GROUP BY %s needs a time column".formatted(function),
          "%s(ts, INTERVAL …)".formatted(function),
          position);
    }
    TimeAttributes.require(input, time.getIndex(), function, function + "(`%s`, …)", position);
    if (input.node().schema().type(time.getIndex()).kind()
        == io.sedge.engine.type.Kind.TIMESTAMP_LTZ) {
      throw new UnsupportedException(
          "GROUP BY %s over a TIMESTAMP_LTZ column is not supported".formatted(function),
          "FROM %s(TABLE t, DESCRIPTOR(ts), INTERVAL …) and GROUP BY window_start, window_end"
              .formatted(function),
          position);
    }
    List<Long> micros = new ArrayList<>();
    for (RexNode interval : call.getOperands().subList(1, call.getOperands().size())) {
      micros.add(WindowCall.micros(interval, place));
    }
    Window window = WindowCall.window(function, micros, place);
    return new WindowCall(window, time.getIndex(), false, List.of(), place);
  }
}
