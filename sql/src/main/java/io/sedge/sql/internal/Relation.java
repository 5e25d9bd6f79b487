package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * A lowered part of a query.
 *
 * @param node its plan
 * @param roles what its columns are, one each
 * @param updating whether it changes rows that it has given out
 * @param ranking set while it is numbered by a ROW_NUMBER that no filter has bounded yet
 */
record Relation(
    PlanNode node, List<ColumnRole> roles, boolean updating, @Nullable Ranking ranking) {
  Relation {
    roles = List.copyOf(roles);
    if (ranking == null && roles.size() != node.schema().size()) {
      throw new IllegalStateException(
          "%d roles for the columns %s".formatted(roles.size(), node.schema()));
    }
  }

  Relation(PlanNode node, List<ColumnRole> roles, boolean updating) {
    this(node, roles, updating, null);
  }

  /** The same rows through another node with the same columns. */
  Relation through(PlanNode newNode) {
    return new Relation(newNode, roles, updating);
  }

  /** The column with a role, or -1. */
  int columnOf(ColumnRole.Kind kind) {
    for (int i = 0; i < roles.size(); i++) {
      if (roles.get(i).kind() == kind) {
        return i;
      }
    }
    return -1;
  }

  /** Refuses an updating input, which {@code operator} cannot take. */
  Relation appendOnly(String operator, @Nullable SqlParserPos position) {
    if (updating) {
      throw new UnsupportedException(
          "%s cannot take an input that changes rows it has given out (a GROUP BY without a window,"
                  .formatted(operator)
              + " a Top-N without a window)",
          "GROUP BY window_start, window_end over TUMBLE, HOP or CUMULATE",
          position);
    }
    if (firesAgain(node)) {
      throw new UnsupportedException(
          "%s cannot take the rows of a window that may fire again, which would count them twice"
              .formatted(operator),
          "SET '%s' = '0 s' before this query, and a WATERMARK that waits for late rows"
              .formatted(Settings.ALLOWED_LATENESS),
          position);
    }
    return this;
  }

  private static boolean firesAgain(PlanNode node) {
    return (node instanceof PlanNode.WindowAggregate window && window.allowedLateness() > 0)
        || node.inputs().stream().anyMatch(Relation::firesAgain);
  }

  /**
   * A numbering by ROW_NUMBER.
   *
   * @param partition columns of the node
   * @param orderings of columns of the node
   * @param projections the columns that the query sees, over the node's columns and, one after
   *     them, the number
   */
  record Ranking(
      List<Integer> partition,
      List<Ordering> orderings,
      List<Expression> projections,
      Schema schema,
      @Nullable SqlParserPos position) {
    /** The same under a projection. */
    Ranking project(List<Expression> columns, Schema newSchema) {
      return new Ranking(
          partition,
          orderings,
          columns.stream().map(column -> Expressions.substitute(column, projections)).toList(),
          newSchema,
          position);
    }
  }
}
