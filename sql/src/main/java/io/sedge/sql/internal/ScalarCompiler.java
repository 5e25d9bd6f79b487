package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import java.util.List;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Compiles expressions over the columns of a table, as they stand in CREATE TABLE. */
final class ScalarCompiler {
  /** A name that no script can give to a table. */
  private static final String COLUMNS = "\u0000columns";

  private final Catalog catalog;
  private final QueryPlanner planner;
  private final ExpressionLowering expressions;

  ScalarCompiler(Catalog catalog, QueryPlanner planner, ExpressionLowering expressions) {
    this.catalog = catalog;
    this.planner = planner;
    this.expressions = expressions;
  }

  /** An expression and its type for Calcite. */
  record Typed(Expression expression, RelDataType type) {}

  Expression compile(SqlNode expression, RelDataType columns) {
    return compileTyped(expression, columns).expression();
  }

  Typed compileTyped(SqlNode expression, RelDataType columns) {
    SqlParserPos position = expression.getParserPosition();
    SqlSelect select =
        new SqlSelect(
            position,
            null,
            SqlNodeList.of(expression),
            new SqlIdentifier(COLUMNS, position),
            null,
            null,
            null,
            SqlNodeList.EMPTY,
            null,
            null,
            null,
            null,
            null);
    catalog.add(COLUMNS, CatalogTable.columns(columns));
    try {
      Project project = (Project) planner.plan(select).rel;
      return new Typed(
          expressions.lower(project.getProjects().getFirst()),
          List.copyOf(project.getRowType().getFieldList()).getFirst().getType());
    } catch (UnsupportedException e) {
      throw e.at(position);
    } finally {
      catalog.remove(COLUMNS);
    }
  }
}
