package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is over the whole of an input that ends: a GROUP BY or a Top-N without a window. The whole
 * is one window, which all rows are in and which closes at the end of the input, where the
 * watermark of such an input jumps to. So its rows come out once, when they are final, and nothing
 * of the engine or of a site need know of it: what is done with windows in two steps, so is this.
 */
final class WholeInput {
  private static final Type TIME = Type.timestamp(3).notNull();

  /** The one window's rows have this time. */
  private static final Expression NOW = new Expression.Literal(0L, TIME);

  private static final long DAY_MICROS = 86_400_000_000L;

  /** {@code 9999-12-31}: no watermark but that of the end comes so far. */
  private static final Expression END = new Expression.Literal(253_402_214_400_000_000L, TIME);

  private static final int WINDOW_COLUMNS = 3;

  private WholeInput() {}

  /** The groups of all rows. */
  static PlanNode grouped(
      PlanNode input, List<Integer> group, List<AggregateCall> calls, Schema schema) {
    PlanNode timed = with(input, NOW, "$time");
    List<String> names = new ArrayList<>(schema.names());
    names.addAll(List.of(WindowFunctions.START, WindowFunctions.END, WindowFunctions.TIME));
    List<Type> types = new ArrayList<>(schema.types());
    for (int i = 0; i < WINDOW_COLUMNS; i++) {
      types.add(TIME);
    }
    PlanNode all =
        new PlanNode.WindowAggregate(
            timed,
            new Window.Tumbling(DAY_MICROS, 0),
            input.schema().size(),
            group,
            calls,
            "UTC",
            0,
            Nodes.schema(names, types));
    PlanNode groups = first(all, schema);
    return group.isEmpty() ? orOfNothing(groups, calls) : groups;
  }

  /** Without GROUP BY there is a row even if no row went in. */
  private static PlanNode orOfNothing(PlanNode groups, List<AggregateCall> calls) {
    Schema schema = groups.schema();
    List<Expression.Literal> row = new ArrayList<>();
    calls.forEach(call -> row.add(ofNothing(call.type())));
    PlanNode nothing = new PlanNode.Values(List.of(row), schema);
    int order = schema.size();
    Type ordered = Type.INT.notNull();
    PlanNode both =
        new PlanNode.Union(
            List.of(
                with(groups, new Expression.Literal(0, ordered), "$order"),
                with(nothing, new Expression.Literal(1, ordered), "$order")));
    List<Ordering> orderings = List.of(new Ordering(order, false, true));
    PlanNode.TopN one =
        new PlanNode.TopN(both, List.of(), orderings, 1, 1, -1, null, both.schema());
    return first(ranked(one), schema);
  }

  /** What an aggregate makes of no rows: NULL, or nought where it never gives NULL. */
  private static Expression.Literal ofNothing(Type type) {
    return new Expression.Literal(type.nullable() ? null : nought(type.kind()), type);
  }

  private static @Nullable Object nought(Kind kind) {
    return switch (kind) {
      case BIGINT -> 0L;
      case INT -> 0;
      case DOUBLE -> 0.0;
      case DECIMAL -> BigDecimal.ZERO;
      default ->
          throw new UnsupportedException(
              "an aggregate of type %s without GROUP BY is not supported in batch mode"
                  .formatted(kind),
              "GROUP BY a column");
    };
  }

  /**
   * The rows that a Top-N leaves of all rows, in its order.
   *
   * @param top one without a window
   */
  static PlanNode ranked(PlanNode.TopN top) {
    PlanNode ended = with(top.input(), END, "$end");
    int end = top.input().schema().size();
    List<Integer> partition = new ArrayList<>(top.partition());
    partition.add(end);
    String number = top.rankName();
    Schema schema =
        number == null ? ended.schema() : appended(ended.schema(), number, top.schema().type(end));
    PlanNode ranked =
        new PlanNode.TopN(
            ended, partition, top.orderings(), top.from(), top.to(), end, "UTC", number, schema);
    List<Expression> columns = new ArrayList<>(Expressions.identity(top.input().schema()));
    if (number != null) {
      columns.add(new Expression.Input(end + 1, schema.type(end + 1)));
    }
    return new PlanNode.Project(ranked, columns, top.schema());
  }

  /** The first columns. */
  private static PlanNode first(PlanNode node, Schema schema) {
    List<Expression> columns = new ArrayList<>();
    IntStream.range(0, schema.size())
        .forEach(i -> columns.add(new Expression.Input(i, node.schema().type(i))));
    return new PlanNode.Project(node, columns, schema);
  }

  /** With another column, the last one. */
  private static PlanNode with(PlanNode node, Expression column, String name) {
    List<Expression> columns = new ArrayList<>(Expressions.identity(node.schema()));
    columns.add(column);
    return new PlanNode.Project(node, columns, appended(node.schema(), name, column.type()));
  }

  private static Schema appended(Schema schema, String name, Type type) {
    List<String> names = new ArrayList<>(schema.names());
    names.add(name);
    List<Type> types = new ArrayList<>(schema.types());
    types.add(type);
    return Nodes.schema(names, types);
  }
}
