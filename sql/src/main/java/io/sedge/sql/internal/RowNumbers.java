package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;

/** A ROW_NUMBER by time as a running count. */
final class RowNumbers {
  private RowNumbers() {}

  static Relation running(Relation pending, Relation.Ranking ranking) {
    Schema schema = pending.node().schema();
    AggregateCall call =
        new AggregateCall(
            "ROW_NUMBER",
            List.of(),
            List.of(),
            List.of(),
            -1,
            false,
            Type.BIGINT.notNull(),
            "row_number");
    List<String> names = new ArrayList<>(schema.names());
    names.add(call.name());
    List<Type> types = new ArrayList<>(schema.types());
    types.add(call.type());
    PlanNode node =
        new PlanNode.OverAggregate(
            pending.node(),
            ranking.partition(),
            ranking.orderings().getFirst().column(),
            new PlanNode.Frame(true, Long.MAX_VALUE),
            List.of(call),
            Nodes.schema(names, types));
    List<ColumnRole> roles = new ArrayList<>(pending.roles());
    roles.add(ColumnRole.PLAIN);
    Relation numbered = new Relation(node, roles, false);
    List<Expression> projections = ranking.projections();
    return new Relation(
        Nodes.project(node, projections, ranking.schema()),
        Lowering.roles(projections, numbered),
        false);
  }
}
