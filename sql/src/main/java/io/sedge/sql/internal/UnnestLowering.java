package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** CROSS JOIN UNNEST: each row with the elements of an array of its own. */
final class UnnestLowering {
  private static final String REMEDY =
      "CROSS JOIN UNNEST(t.array) AS u(x), or LEFT JOIN UNNEST(t.array) AS u(x) ON TRUE";

  private final LoweringContext context;
  private final ExpressionLowering expressions;
  private final RexBuilder builder;

  UnnestLowering(LoweringContext context, ExpressionLowering expressions, RexBuilder builder) {
    this.context = context;
    this.expressions = expressions;
    this.builder = builder;
  }

  /** Whether what is joined is the elements of arrays. */
  static boolean isUnnest(LogicalCorrelate correlate) {
    RelNode right = correlate.getRight();
    while (right instanceof LogicalFilter || right instanceof LogicalProject) {
      right = right.getInput(0);
    }
    return right instanceof Uncollect;
  }

  /**
   * The rows of a correlation that {@link #isUnnest}.
   *
   * @param lower lowers what the arrays are taken from
   */
  Relation lower(LogicalCorrelate correlate, Function<RelNode, Relation> lower) {
    @Nullable SqlParserPos position = context.position(correlate);
    List<RexNode> conditions = new ArrayList<>();
    RelNode right = correlate.getRight();
    while (!(right instanceof Uncollect)) {
      if (right instanceof LogicalFilter filter) {
        conditions.add(filter.getCondition());
      } else if (!isIdentity((LogicalProject) right)) {
        throw new UnsupportedException(
            "a query over UNNEST in a JOIN is not supported", REMEDY, position);
      }
      right = right.getInput(0);
    }
    boolean outer = correlate.getJoinType() == JoinRelType.LEFT;
    if (outer && !conditions.isEmpty()) {
      throw new UnsupportedException(
          "LEFT JOIN UNNEST takes no condition but TRUE",
          "ON TRUE, and the condition in WHERE",
          position);
    }
    Relation input = lower.apply(correlate.getLeft());
    PlanNode node = unnest(correlate, (Uncollect) right, input, outer);
    int width = input.node().schema().size();
    for (RexNode condition : conditions) {
      RexNode joined =
          LookupLowering.flattened(condition, correlate.getCorrelationId(), width, builder);
      node = Nodes.filter(node, expressions.lower(joined, position));
    }
    List<ColumnRole> roles = new ArrayList<>(input.roles());
    roles.addAll(ColumnRole.plain(node.schema().size() - width));
    return new Relation(node, roles, input.updating());
  }

  private static boolean isIdentity(LogicalProject project) {
    List<RexNode> columns = project.getProjects();
    return columns.size() == project.getInput().getRowType().getFieldCount()
        && IntStream.range(0, columns.size())
            .allMatch(i -> columns.get(i) instanceof RexInputRef column && column.getIndex() == i);
  }

  private PlanNode unnest(
      LogicalCorrelate correlate, Uncollect uncollect, Relation input, boolean outer) {
    @Nullable SqlParserPos position = context.position(correlate);
    if (!(uncollect.getInput() instanceof LogicalProject project)
        || !(project.getInput() instanceof LogicalValues)
        || project.getProjects().size() != 1) {
      throw new UnsupportedException(
          "UNNEST takes one array, of the tables before it", REMEDY, position);
    }
    RexNode array =
        LookupLowering.flattened(
            project.getProjects().getFirst(), correlate.getCorrelationId(), 0, builder);
    Expression expression = expressions.lower(array, position);
    if (expression.type().kind() != Kind.ARRAY) {
      throw new UnsupportedException(
          "UNNEST takes an ARRAY, not %s".formatted(expression.type()), REMEDY, position);
    }
    PlanNode source = input.node();
    int width = source.schema().size();
    int column;
    if (expression instanceof Expression.Input own) {
      column = own.column();
    } else {
      source = with(source, expression);
      column = width;
    }
    return new PlanNode.Unnest(
        source,
        column,
        IntStream.range(0, width).boxed().toList(),
        uncollect.withOrdinality,
        outer,
        Types.schema(correlate.getRowType()));
  }

  /** With the array as another column, the last one. */
  private static PlanNode with(PlanNode node, Expression array) {
    List<Expression> columns = new ArrayList<>(Expressions.identity(node.schema()));
    columns.add(array);
    List<String> names = new ArrayList<>(node.schema().names());
    names.add("$array");
    List<Type> types = new ArrayList<>(node.schema().types());
    types.add(array.type());
    Schema schema = Nodes.schema(names, types);
    return Nodes.project(node, columns, schema);
  }
}
