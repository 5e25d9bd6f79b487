package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalSnapshot;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** JOIN … FOR SYSTEM_TIME AS OF: each row with the rows of a small bounded table. */
final class LookupLowering {
  private final LoweringContext context;
  private final ExpressionLowering expressions;
  private final RexBuilder builder;

  LookupLowering(LoweringContext context, ExpressionLowering expressions, RexBuilder builder) {
    this.context = context;
    this.expressions = expressions;
    this.builder = builder;
  }

  /**
   * The join that a correlation stands for.
   *
   * @param lower lowers what is joined
   */
  Relation lower(LogicalCorrelate correlate, Function<RelNode, Relation> lower) {
    @Nullable SqlParserPos position = context.position(correlate);
    List<RexNode> conditions = new ArrayList<>();
    RelNode right = correlate.getRight();
    while (right instanceof LogicalFilter filter) {
      conditions.add(filter.getCondition());
      right = filter.getInput();
    }
    if (!(right instanceof LogicalSnapshot snapshot)) {
      throw new UnsupportedException(
          "a correlated subquery or LATERAL is not supported",
          "a JOIN: an interval join, FOR SYSTEM_TIME AS OF for a small bounded table, or CROSS JOIN"
              + " UNNEST(…) AS t(x) for the elements of an array",
          position);
    }
    Relation input = lower.apply(correlate.getLeft()).appendOnly("JOIN", position);
    RexNode period = flattened(snapshot.getPeriod(), correlate.getCorrelationId(), 0);
    requireProcessingTime(input, period, position);
    Relation table = lower.apply(snapshot.getInput());
    context.requireBounded(table.node(), position);
    int width = input.node().schema().size();
    JoinCondition parts = new JoinCondition(input, table, expressions::cast);
    for (RexNode condition : conditions) {
      RexNode joined = flattened(condition, correlate.getCorrelationId(), width);
      parts.take(expressions.lower(joined, position));
    }
    return join(correlate, input, table, parts);
  }

  private static Relation join(
      LogicalCorrelate correlate, Relation input, Relation table, JoinCondition parts) {
    Schema schema = Types.schema(correlate.getRowType());
    List<ColumnRole> roles = new ArrayList<>(input.roles());
    roles.addAll(ColumnRole.plain(table.roles().size()));
    Expression rest = Expressions.and(parts.rest());
    PlanNode node =
        new PlanNode.LookupJoin(
            parts.leftNode(),
            parts.rightNode(),
            correlate.getJoinType() == JoinRelType.LEFT
                ? PlanNode.JoinKind.LEFT
                : PlanNode.JoinKind.INNER,
            parts.leftKeys(),
            parts.rightKeys(),
            Optional.ofNullable(rest),
            parts.widened(schema));
    return new Relation(parts.narrowed(node, schema), roles, false);
  }

  private static void requireProcessingTime(
      Relation input, @Nullable RexNode period, @Nullable SqlParserPos position) {
    boolean fits =
        period instanceof RexInputRef time
            && input.roles().get(time.getIndex()).kind() == ColumnRole.Kind.PROCESSING_TIME;
    if (!fits) {
      throw new UnsupportedException(
          "FOR SYSTEM_TIME AS OF takes a column that is PROCTIME() (versions of a table are not"
              + " kept)",
          "proctime AS PROCTIME() in CREATE TABLE of the stream, FOR SYSTEM_TIME AS OF"
              + " stream.proctime",
          position);
    }
  }

  /** The expression over the columns of both sides: fields of the variable are the left ones. */
  private RexNode flattened(RexNode node, CorrelationId variable, int width) {
    return flattened(node, variable, width, builder);
  }

  static RexNode flattened(RexNode node, CorrelationId variable, int width, RexBuilder builder) {
    return node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            return access.getReferenceExpr() instanceof RexCorrelVariable correlated
                    && correlated.id.equals(variable)
                ? builder.makeInputRef(access.getType(), access.getField().getIndex())
                : super.visitFieldAccess(access);
          }

          @Override
          public RexNode visitInputRef(RexInputRef input) {
            return builder.makeInputRef(input.getType(), input.getIndex() + width);
          }
        });
  }
}
