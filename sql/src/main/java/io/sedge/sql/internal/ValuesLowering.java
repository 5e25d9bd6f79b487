package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexLiteral;

/** Constant rows. */
final class ValuesLowering {
  private ValuesLowering() {}

  static Relation lower(LogicalValues values) {
    Schema schema = Types.schema(values.getRowType());
    List<List<Expression.Literal>> rows = new ArrayList<>();
    for (List<RexLiteral> tuple : values.getTuples()) {
      List<Expression.Literal> row = new ArrayList<>();
      for (int i = 0; i < tuple.size(); i++) {
        Expression.Literal literal = Literals.of(tuple.get(i));
        row.add(new Expression.Literal(literal.value(), schema.type(i)));
      }
      rows.add(row);
    }
    return new Relation(new PlanNode.Values(rows, schema), ColumnRole.plain(schema.size()), false);
  }
}
