package io.sedge.sql;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the columns that name what a row is about: the first string column and the string columns
 * that follow it at once. A string that the SELECT computes (a formatted time, a verdict) says
 * something about the row, and is passed over.
 */
public final class RowKeys {
  private RowKeys() {}

  /**
   * The positions of the columns.
   *
   * @param input what feeds the sink
   * @param schema of the sink, column by column that of the input
   */
  public static List<Integer> of(PlanNode input, Schema schema) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      if (schema.type(i).kind().isString()) {
        if (!isComputed(input, i)) {
          keys.add(i);
        }
      } else if (!keys.isEmpty()) {
        break;
      }
    }
    return keys;
  }

  private static boolean isComputed(PlanNode node, int column) {
    return switch (node) {
      case PlanNode.Filter filter -> isComputed(filter.input(), column);
      case PlanNode.Limit limit -> isComputed(limit.input(), column);
      case PlanNode.Project project ->
          !(project.expressions().get(column) instanceof Expression.Input input)
              || isComputed(project.input(), input.column());
      default -> false;
    };
  }
}
