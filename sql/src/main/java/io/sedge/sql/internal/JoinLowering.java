package io.sedge.sql.internal;

import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * JOIN of two streams: an interval join, where the condition bounds the difference of their times,
 * or a window join, where it equates the bounds of their windows.
 */
final class JoinLowering {
  private final LoweringContext context;
  private final ExpressionLowering expressions;

  JoinLowering(LoweringContext context, ExpressionLowering expressions) {
    this.context = context;
    this.expressions = expressions;
  }

  /**
   * @param restriction what a WHERE over an INNER join demands: there it means the same as in ON,
   *     and is where {@code FROM a, b WHERE …} has its keys and bounds
   */
  Relation lower(LogicalJoin join, @Nullable RexNode restriction, Relation left, Relation right) {
    @Nullable SqlParserPos position = context.position(join);
    left.appendOnly("JOIN", position);
    right.appendOnly("JOIN", position);
    PlanNode.JoinKind kind = kind(join.getJoinType());
    JoinCondition condition = new JoinCondition(left, right, expressions::cast);
    condition.take(expressions.lower(join.getCondition()));
    if (restriction != null) {
      condition.take(expressions.lower(restriction));
    }
    condition.boundByWindows();
    if (!condition.isBounded()) {
      throw new UnsupportedException(
          "a JOIN of two streams needs bounds on the difference of their times, else it would keep"
              + " all rows for ever",
          "… ON a.id = b.id AND a.ts BETWEEN b.ts - INTERVAL '10' SECOND AND b.ts + INTERVAL '10'"
              + " SECOND, with the columns of WATERMARK; for a small bounded table: JOIN t FOR"
              + " SYSTEM_TIME AS OF a.proctime",
          position);
    }
    Schema schema = Types.schema(join.getRowType());
    List<ColumnRole> roles = new ArrayList<>(left.roles());
    roles.addAll(right.roles());
    PlanNode node =
        new PlanNode.IntervalJoin(
            condition.leftNode(),
            condition.rightNode(),
            kind,
            condition.leftKeys(),
            condition.rightKeys(),
            condition.leftTime(),
            condition.rightTime(),
            condition.lower(),
            condition.upper(),
            condition.isOfWindows(),
            Optional.ofNullable(Expressions.and(condition.rest())),
            condition.widened(schema));
    return new Relation(condition.narrowed(node, schema), roles, false);
  }

  private static PlanNode.JoinKind kind(JoinRelType type) {
    return switch (type) {
      case INNER -> PlanNode.JoinKind.INNER;
      case LEFT -> PlanNode.JoinKind.LEFT;
      case RIGHT -> PlanNode.JoinKind.RIGHT;
      case FULL -> PlanNode.JoinKind.FULL;
      default ->
          throw new UnsupportedException(
              "the join type %s is not supported".formatted(type),
              "INNER, LEFT, RIGHT or FULL JOIN");
    };
  }
}
