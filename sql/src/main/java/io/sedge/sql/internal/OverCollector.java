package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/** Finds the OVERs in expressions, each once. */
final class OverCollector extends RexVisitorImpl<@Nullable Void> {
  private final List<RexOver> found = new ArrayList<>();

  private OverCollector() {
    super(true);
  }

  static List<RexOver> collect(List<RexNode> expressions) {
    OverCollector collector = new OverCollector();
    expressions.forEach(expression -> expression.accept(collector));
    return collector.found;
  }

  /**
   * Calcite writes {@code SUM(x) OVER w} as {@code CASE WHEN COUNT(x) OVER w > 0 THEN $SUM0(x) OVER
   * w END}; the inner sum of such a call, or null if it is another call.
   */
  static @Nullable RexOver guardedSum(RexCall call) {
    if (call.getKind() != SqlKind.CASE || call.getOperands().size() != 3) {
      return null;
    }
    RexNode value = call.getOperands().get(1);
    while (value.getKind() == SqlKind.CAST) {
      value = ((RexCall) value).getOperands().getFirst();
    }
    return value instanceof RexOver over
            && over.getAggOperator().getKind() == SqlKind.SUM0
            && call.getOperands().getFirst() instanceof RexCall condition
            && condition.getKind() == SqlKind.GREATER_THAN
            && condition.getOperands().getFirst() instanceof RexOver count
            && count.getAggOperator().getKind() == SqlKind.COUNT
        ? over
        : null;
  }

  @Override
  public @Nullable Void visitOver(RexOver over) {
    if (!found.contains(over)) {
      found.add(over);
    }
    return null;
  }

  @Override
  public @Nullable Void visitCall(RexCall call) {
    RexOver sum = guardedSum(call);
    return sum != null ? visitOver(sum) : super.visitCall(call);
  }
}
