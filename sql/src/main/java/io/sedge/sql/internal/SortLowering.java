package io.sedge.sql.internal;

import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY and LIMIT: by time, the rows in order; with both, a Top-N; LIMIT alone, the first rows.
 */
final class SortLowering {
  private final LoweringContext context;

  SortLowering(LoweringContext context) {
    this.context = context;
  }

  Relation lower(LogicalSort sort, Relation input) {
    @Nullable SqlParserPos position = context.position(sort);
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    long offset = constant(sort.offset, 0, position);
    boolean batch = context.settings().batch();
    if (batch && !keys.isEmpty()) {
      long last = sort.fetch == null ? Long.MAX_VALUE : offset + constant(sort.fetch, 0, position);
      PlanNode ordered = WholeInput.ranked(topN(input.node(), keys, offset + 1, last));
      return new Relation(ordered, input.roles(), false);
    }
    if (sort.fetch == null) {
      return ordered(input.appendOnly("ORDER BY", position), keys, offset, position);
    }
    long fetch = constant(sort.fetch, 0, position);
    if (keys.isEmpty()) {
      if (offset > 0) {
        throw new UnsupportedException(
            "OFFSET without ORDER BY is not supported", "LIMIT alone", position);
      }
      return input.appendOnly("LIMIT", position).through(new PlanNode.Limit(input.node(), fetch));
    }
    PlanNode top =
        topN(
            input.appendOnly("ORDER BY … LIMIT", position).node(),
            keys,
            offset + 1,
            offset + fetch);
    return new Relation(top, ColumnRole.plain(input.roles().size()), true);
  }

  private static PlanNode.TopN topN(
      PlanNode input, List<RelFieldCollation> keys, long from, long to) {
    List<Ordering> orderings = new ArrayList<>();
    keys.forEach(key -> orderings.add(ordering(key)));
    return new PlanNode.TopN(input, List.of(), orderings, from, to, -1, null, input.schema());
  }

  private static Relation ordered(
      Relation input, List<RelFieldCollation> keys, long offset, @Nullable SqlParserPos position) {
    boolean byTime =
        keys.size() == 1
            && offset == 0
            && !ordering(keys.getFirst()).descending()
            && input.roles().get(keys.getFirst().getFieldIndex()).isEventTime();
    if (!byTime) {
      throw new UnsupportedException(
          "a stream can only be put in the order of its time column, ascending",
          "ORDER BY the column of the WATERMARK, or ORDER BY … LIMIT n",
          position);
    }
    Schema schema = input.node().schema();
    return input.through(
        new PlanNode.OverAggregate(
            input.node(),
            List.of(),
            keys.getFirst().getFieldIndex(),
            new PlanNode.Frame(true, 0),
            List.of(),
            schema));
  }

  private static Ordering ordering(RelFieldCollation key) {
    boolean descending = key.getDirection() == RelFieldCollation.Direction.DESCENDING;
    boolean nullsFirst =
        switch (key.nullDirection) {
          case FIRST -> true;
          case LAST -> false;
          case UNSPECIFIED -> !descending;
        };
    return new Ordering(key.getFieldIndex(), descending, nullsFirst);
  }

  private static long constant(
      @Nullable RexNode node, long otherwise, @Nullable SqlParserPos position) {
    if (node == null) {
      return otherwise;
    }
    if (!(node instanceof RexLiteral literal)) {
      throw new UnsupportedException("LIMIT and OFFSET take constants", "LIMIT 10", position);
    }
    return Objects.requireNonNull(literal.getValueAs(BigDecimal.class)).longValueExact();
  }
}
