package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * OVER in a select list. Aggregates with one window become one {@link PlanNode.OverAggregate};
 * different windows follow each other. A ROW_NUMBER is left pending: a filter above makes a Top-N
 * of it, and else it must be ordered by time.
 */
final class OverLowering {
  /** The position of what LAG gives where there is no row so far back. */
  private static final int LAG_DEFAULT = 2;

  private static final int LAG_OFFSET = 1;

  private static final long MICROS_PER_MILLI = 1_000;

  private final LoweringContext context;
  private final ExpressionLowering expressions;

  OverLowering(LoweringContext context, ExpressionLowering expressions) {
    this.context = context;
    this.expressions = expressions;
  }

  /** What an OVER is laid over: aggregates with equal ones are computed together. */
  private record Spec(List<Integer> partition, int timeColumn, PlanNode.Frame frame) {}

  Relation lower(LogicalProject project, Relation input) {
    List<RexOver> overs = OverCollector.collect(project.getProjects());
    @Nullable SqlParserPos position = context.position(project);
    boolean numbered =
        overs.stream().anyMatch(over -> over.getAggOperator().getKind() == SqlKind.ROW_NUMBER);
    if (numbered && overs.size() == 1) {
      RexOver over = overs.getFirst();
      SqlParserPos place = position(over, position);
      return number(project, over, input.appendOnly("ROW_NUMBER", place), place);
    }
    return aggregate(project, overs, input.appendOnly("OVER", position), position);
  }

  /** Where an OVER was written, or its clause where Calcite has rewritten it. */
  private @Nullable SqlParserPos position(RexOver over, @Nullable SqlParserPos clause) {
    SqlParserPos own = expressions.position(over);
    return own == null ? clause : own;
  }

  /** A numbering that waits for a filter on it. */
  private Relation number(
      LogicalProject project, RexOver over, Relation input, @Nullable SqlParserPos position) {
    WindowInput.Builder columns = columnsOf(input);
    RexWindow window = over.getWindow();
    List<Integer> partition =
        window.partitionKeys.stream()
            .map(key -> columns.add(expressions.lower(key), null))
            .toList();
    List<Ordering> orderings = new ArrayList<>();
    for (RexFieldCollation key : window.orderKeys) {
      orderings.add(
          new Ordering(
              columns.add(expressions.lower(key.left), null), descending(key), nullsFirst(key)));
    }
    PlanNode node = columns.build();
    int numberColumn = node.schema().size();
    Type type = Types.of(over.getType());
    ExpressionLowering withNumber =
        expressions.withOvers(Map.of(over, new Expression.Input(numberColumn, type)));
    return new Relation(
        node,
        extended(input, node),
        false,
        new Relation.Ranking(
            partition,
            orderings,
            project.getProjects().stream().map(withNumber::lower).toList(),
            Types.schema(project.getRowType()),
            position));
  }

  private Relation aggregate(
      LogicalProject project,
      List<RexOver> overs,
      Relation input,
      @Nullable SqlParserPos position) {
    WindowInput.Builder columns = columnsOf(input);
    Map<Spec, List<RexOver>> specs = new LinkedHashMap<>();
    for (RexOver over : overs) {
      specs
          .computeIfAbsent(
              spec(over, columns, input, position(over, position)), s -> new ArrayList<>())
          .add(over);
    }
    if (!together(specs)) {
      throw new UnsupportedException(
          "OVER windows of one SELECT that differ in PARTITION BY, ORDER BY or frame are not"
              + " supported, as in Flink",
          "a query for each window",
          position);
    }
    Map<RexOver, List<Integer>> arguments = new LinkedHashMap<>();
    for (RexOver over : overs) {
      arguments.put(
          over,
          over.getOperands().stream()
              .map(operand -> columns.add(expressions.lower(operand), null))
              .toList());
    }
    PlanNode node = columns.build();
    Map<RexOver, Expression> results = new LinkedHashMap<>();
    for (Map.Entry<Spec, List<RexOver>> entry : specs.entrySet()) {
      node = overAggregate(node, entry.getKey(), entry.getValue(), arguments, results);
    }
    ExpressionLowering withResults = expressions.withOvers(results);
    List<Expression> projected = project.getProjects().stream().map(withResults::lower).toList();
    Relation computed = new Relation(node, extended(input, node), false);
    return new Relation(
        Nodes.project(node, projected, Types.schema(project.getRowType())),
        Lowering.roles(projected, computed),
        false);
  }

  /** As in Flink, with one window. A detector has no frame, so it stands beside any. */
  private static boolean together(Map<Spec, List<RexOver>> specs) {
    Set<List<Object>> keys = new HashSet<>();
    int framed = 0;
    for (Map.Entry<Spec, List<RexOver>> entry : specs.entrySet()) {
      keys.add(List.of(entry.getKey().partition(), entry.getKey().timeColumn()));
      framed +=
          entry.getValue().stream()
                  .allMatch(over -> over.getAggOperator() instanceof DetectorFunction)
              ? 0
              : 1;
    }
    return keys.size() == 1 && framed <= 1;
  }

  private PlanNode overAggregate(
      PlanNode node,
      Spec spec,
      List<RexOver> overs,
      Map<RexOver, List<Integer>> arguments,
      Map<RexOver, Expression> results) {
    List<AggregateCall> calls = new ArrayList<>();
    List<String> names = new ArrayList<>(node.schema().names());
    List<Type> types = new ArrayList<>(node.schema().types());
    for (RexOver over : overs) {
      AggregateCall call = placed(over, arguments, "$o" + names.size());
      int known = withoutName(calls).indexOf(withoutName(call));
      int column = node.schema().size() + (known >= 0 ? known : calls.size());
      if (known < 0) {
        calls.add(call);
        names.add(call.name());
        types.add(call.type());
      }
      results.put(over, new Expression.Input(column, call.type()));
    }
    return new PlanNode.OverAggregate(
        node, spec.partition(), spec.timeColumn(), spec.frame(), calls, Nodes.schema(names, types));
  }

  private static List<AggregateCall> withoutName(List<AggregateCall> calls) {
    return calls.stream().map(OverLowering::withoutName).toList();
  }

  private static AggregateCall withoutName(AggregateCall call) {
    return new AggregateCall(
        call.function(),
        call.arguments(),
        call.argumentTypes(),
        call.parameters(),
        call.filter(),
        call.distinct(),
        call.type(),
        "");
  }

  private AggregateCall placed(RexOver over, Map<RexOver, List<Integer>> arguments, String name) {
    try {
      return call(over, Objects.requireNonNull(arguments.get(over)), name);
    } catch (UnsupportedException e) {
      throw e.at(expressions.position(over));
    }
  }

  private AggregateCall call(RexOver over, List<Integer> columns, String name) {
    String function = ExpressionLowering.engineName(over.getAggOperator().getName());
    if (over.ignoreNulls()) {
      throw new UnsupportedException(
          "IGNORE NULLS is not supported", "FIRST_VALUE or LAST_VALUE, which pass over nulls");
    }
    List<Expression> arguments = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Expression argument = expressions.lower(over.getOperands().get(i));
      if (i == LAG_OFFSET
          && function.equals("LAG")
          && argument instanceof Expression.Literal offset
          && offset.value() instanceof Number rows
          && rows.longValue() < 0) {
        throw new UnsupportedException("LAG looks back 0 rows or more, not " + rows, null);
      }
      if (i == LAG_DEFAULT && function.equals("LAG")) {
        argument = expressions.cast(argument, Types.of(over.getType()).withNullable(true));
      }
      arguments.add(
          argument instanceof Expression.Literal
              ? argument
              : new Expression.Input(columns.get(i), argument.type()));
    }
    return AggregateCalls.bound(
        function,
        columns,
        arguments,
        -1,
        over.isDistinct(),
        Types.of(over.getType()).withNullable(true),
        name,
        context.aggregates());
  }

  private Spec spec(
      RexOver over, WindowInput.Builder columns, Relation input, @Nullable SqlParserPos position) {
    RexWindow window = over.getWindow();
    String name = ExpressionLowering.engineName(over.getAggOperator().getName());
    switch (over.getAggOperator().getKind()) {
      case RANK, DENSE_RANK ->
          throw new UnsupportedException(
              "%s is not supported".formatted(name), "ROW_NUMBER", position);
      case LEAD ->
          throw new UnsupportedException(
              "LEAD is not supported: a row would have to wait for a later one",
              "LAG, and take the earlier row from it",
              position);
      default -> {}
    }
    if (window.orderKeys.size() != 1
        || descending(window.orderKeys.getFirst())
        || !(expressions.lower(window.orderKeys.getFirst().left)
            instanceof Expression.Input time)) {
      throw new UnsupportedException(
          "%s … OVER must be ordered by one time column, ascending".formatted(name),
          "ORDER BY the column of the WATERMARK",
          position);
    }
    TimeAttributes.require(input, time.column(), name + " … OVER", "ORDER BY `%s`", position);
    List<Integer> partition =
        window.partitionKeys.stream()
            .map(key -> columns.add(expressions.lower(key), null))
            .toList();
    return new Spec(partition, time.column(), frame(over, position));
  }

  private PlanNode.Frame frame(RexOver over, @Nullable SqlParserPos position) {
    SqlKind kind = over.getAggOperator().getKind();
    if (!over.getAggOperator().allowsFraming()) {
      // Flink's LAG looks back from the last of the rows with one time.
      return new PlanNode.Frame(kind != SqlKind.LAG, Long.MAX_VALUE);
    }
    RexWindow window = over.getWindow();
    RexWindowBound lower = window.getLowerBound();
    if (!window.getUpperBound().isCurrentRow() || lower.isFollowing()) {
      throw new UnsupportedException(
          "a frame of OVER must end with CURRENT ROW",
          "ROWS BETWEEN 10 PRECEDING AND CURRENT ROW",
          position);
    }
    if (lower.isUnbounded()) {
      return new PlanNode.Frame(window.isRows(), Long.MAX_VALUE);
    }
    if (lower.isCurrentRow()) {
      throw new UnsupportedException(
          "a frame of OVER cannot begin with CURRENT ROW",
          "ROWS BETWEEN 0 PRECEDING AND CURRENT ROW",
          position);
    }
    RexNode offset = Objects.requireNonNull(lower.getOffset());
    if (!(offset instanceof RexLiteral literal)) {
      throw new UnsupportedException("the length of a frame must be a constant", null, position);
    }
    long value = Objects.requireNonNull(literal.getValueAs(BigDecimal.class)).longValueExact();
    boolean interval = Types.of(literal.getType()).kind() == Kind.INTERVAL_DAY_TIME;
    if (Types.of(literal.getType()).kind() == Kind.INTERVAL_YEAR_MONTH) {
      throw new UnsupportedException(
          "a frame of months has no fixed length", "INTERVAL '30' DAY", position);
    }
    if (window.isRows() == interval) {
      throw new UnsupportedException(
          window.isRows()
              ? "ROWS takes a number of rows, not an interval"
              : "RANGE takes an interval, not a number of rows",
          window.isRows() ? "RANGE BETWEEN INTERVAL … PRECEDING" : "ROWS BETWEEN … PRECEDING",
          position);
    }
    return new PlanNode.Frame(window.isRows(), interval ? value * MICROS_PER_MILLI : value);
  }

  private static WindowInput.Builder columnsOf(Relation input) {
    WindowInput.Builder columns = new WindowInput.Builder(input.node());
    Schema schema = input.node().schema();
    for (int i = 0; i < schema.size(); i++) {
      columns.add(new Expression.Input(i, schema.type(i)), schema.name(i));
    }
    return columns;
  }

  /** The roles of the input's columns, and plain ones for those computed. */
  private static List<ColumnRole> extended(Relation input, PlanNode node) {
    List<ColumnRole> roles = new ArrayList<>(input.roles());
    roles.addAll(ColumnRole.plain(node.schema().size() - roles.size()));
    return roles;
  }

  static boolean descending(RexFieldCollation key) {
    return key.getDirection() == RelFieldCollation.Direction.DESCENDING;
  }

  /** Flink's default: NULL is the least value. */
  static boolean nullsFirst(RexFieldCollation key) {
    return switch (key.getNullDirection()) {
      case FIRST -> true;
      case LAST -> false;
      case UNSPECIFIED -> !descending(key);
    };
  }
}
