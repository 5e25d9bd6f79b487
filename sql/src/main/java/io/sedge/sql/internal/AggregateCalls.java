package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import io.sedge.learning.Detectors;
import io.sedge.sql.internal.user.UserFunctionException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.calcite.rel.core.Aggregate;

/** Calcite's aggregate calls as the engine's. */
final class AggregateCalls {
  /** How many leading arguments are columns, where constants follow them. */
  private static final Map<String, Integer> COLUMNS_BEFORE_PARAMETERS =
      Map.of("PERCENTILE", 1, "APPROX_QUANTILE", 1, "LISTAGG", 1, "LAG", 1, "LEAD", 1);

  /** What OVER does itself. */
  private static final Set<String> POSITIONAL = Set.of("ROW_NUMBER", "LAG");

  private AggregateCalls() {}

  private static boolean known(AggregateCall call, AggregateRegistry registry) {
    try {
      return registry.find(call).isPresent();
    } catch (IllegalArgumentException | UserFunctionException e) {
      throw new UnsupportedException(String.valueOf(e.getMessage()), null);
    }
  }

  static List<AggregateCall> of(Aggregate aggregate, Relation input, AggregateRegistry registry) {
    List<AggregateCall> calls = new ArrayList<>();
    int column = aggregate.getGroupCount();
    for (org.apache.calcite.rel.core.AggregateCall call : aggregate.getAggCallList()) {
      if (!call.getCollation().getFieldCollations().isEmpty()) {
        throw new UnsupportedException(
            "ORDER BY within %s is not supported".formatted(call.getAggregation().getName()), null);
      }
      String name = aggregate.getRowType().getFieldNames().get(column++);
      List<Expression> arguments =
          call.getArgList().stream().map(i -> columnOf(input.node(), i)).toList();
      calls.add(
          bound(
              ExpressionLowering.engineName(call.getAggregation().getName()),
              call.getArgList(),
              arguments,
              call.filterArg,
              call.isDistinct(),
              Types.of(call.getType()),
              name,
              registry));
    }
    return calls;
  }

  /** What a column of a node holds, where that is a constant; else the column. */
  private static Expression columnOf(PlanNode node, int column) {
    return node instanceof PlanNode.Project project
            && project.expressions().get(column) instanceof Expression.Literal literal
        ? literal
        : new Expression.Input(column, node.schema().type(column));
  }

  private static int columnsBeforeParameters(String function, int all) {
    return Detectors.names().contains(function)
        ? Detectors.columns(function)
        : COLUMNS_BEFORE_PARAMETERS.getOrDefault(function, all);
  }

  /**
   * A call, checked against the registry.
   *
   * @param columns the positions of its arguments
   * @param arguments the arguments, constants where they are such
   */
  static AggregateCall bound(
      String function,
      List<Integer> columns,
      List<Expression> arguments,
      int filter,
      boolean distinct,
      Type type,
      String name,
      AggregateRegistry registry) {
    int columnCount = Math.min(columns.size(), columnsBeforeParameters(function, columns.size()));
    List<Expression.Literal> parameters = new ArrayList<>();
    for (Expression parameter : arguments.subList(columnCount, arguments.size())) {
      if (!(parameter instanceof Expression.Literal literal)) {
        throw new UnsupportedException(
            "%s: its argument after the column must be a constant".formatted(function), null);
      }
      parameters.add(literal);
    }
    List<Type> types = arguments.subList(0, columnCount).stream().map(Expression::type).toList();
    AggregateCall call =
        new AggregateCall(
            function,
            columns.subList(0, columnCount),
            types,
            parameters,
            filter,
            distinct,
            type,
            name);
    if (!POSITIONAL.contains(function) && !known(call, registry)) {
      throw new UnsupportedException(
          "the aggregate %s(%s) is not supported"
              .formatted(
                  function,
                  types.stream()
                      .map(argument -> argument.withNullable(true).toString())
                      .collect(Collectors.joining(", "))),
          null);
    }
    return call;
  }
}
