package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The table that takes the rows that come too late for a query's windows. */
final class LateTables {
  private LateTables() {}

  /** The table that a setting names. */
  static DeclaredTable find(String name, Catalog catalog, SqlParserPos position) {
    CatalogTable found = catalog.find(name);
    DeclaredTable table = found == null ? null : found.declared();
    if (table == null) {
      throw new UnsupportedException(
          "'%s' = '%s', but there is no such table%s"
              .formatted(Settings.LATE_TABLE, name, Names.didYouMean(name, catalog.names())),
          "CREATE TABLE %s with columns of the window's input, before the query".formatted(name),
          position);
    }
    return table;
  }

  /** The late rows of a window as the table takes them. */
  static PlanNode rows(
      PlanNode.WindowAggregate window,
      DeclaredTable table,
      ExpressionLowering expressions,
      SqlParserPos position) {
    PlanNode.LateRows late = new PlanNode.LateRows(window);
    Schema input = late.schema();
    Schema target = table.descriptor().schema();
    List<Expression> columns = new ArrayList<>();
    for (Schema.Field field : target.fields()) {
      int column = input.indexOf(field.name());
      if (column < 0) {
        throw new UnsupportedException(
            "'%s' = '%s': the input of the window has no column `%s`"
                .formatted(Settings.LATE_TABLE, table.name(), field.name()),
            "columns of that table that are among those of the window's input",
            position);
      }
      columns.add(expressions.cast(new Expression.Input(column, input.type(column)), field.type()));
    }
    return Nodes.project(late, columns, target);
  }
}
