package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.Ordering;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Makes a Top-N of a pending ROW_NUMBER and a filter on it. */
final class RankingLowering {
  private final LoweringContext context;

  RankingLowering(LoweringContext context) {
    this.context = context;
  }

  /** The rows whose number and other columns fulfil a condition over the pending projections. */
  Relation bounded(Relation pending, Expression condition) {
    Relation.Ranking ranking = Objects.requireNonNull(pending.ranking());
    int number = pending.node().schema().size();
    NumberBounds bounds = new NumberBounds(number);
    List<Expression> others = new ArrayList<>();
    for (Expression part : Expressions.conjuncts(condition)) {
      Expression below = Expressions.substitute(part, ranking.projections());
      if (!bounds.take(below)) {
        others.add(below);
      }
    }
    if (bounds.to() == Long.MAX_VALUE) {
      Relation filtered = unbounded(pending);
      return filtered.through(Nodes.filter(filtered.node(), condition));
    }
    PlanNode.TopN top = topN(pending, ranking, bounds);
    boolean windowed = top.windowEnd() >= 0;
    boolean batch = context.settings().batch();
    PlanNode ranked = batch && !windowed ? WholeInput.ranked(top) : top;
    Expression rest = Expressions.and(others);
    PlanNode node = rest == null ? ranked : Nodes.filter(ranked, rest);
    boolean first = windowed || batch || keepsFirst(pending, ranking, bounds);
    List<ColumnRole> roles =
        new ArrayList<>(first ? pending.roles() : ColumnRole.plain(pending.roles().size()));
    roles.add(ColumnRole.PLAIN);
    Relation numbered = new Relation(node, roles, !first);
    return new Relation(
        Nodes.project(node, ranking.projections(), ranking.schema()),
        Lowering.roles(ranking.projections(), numbered),
        !first);
  }

  private PlanNode.TopN topN(Relation pending, Relation.Ranking ranking, NumberBounds bounds) {
    WindowCall window = WindowBounds.named(pending, ranking.partition());
    int windowEnd = -1;
    if (window != null) {
      for (int column : ranking.partition()) {
        ColumnRole role = pending.roles().get(column);
        if (role.kind() == ColumnRole.Kind.WINDOW_END && role.isBoundOf(window)) {
          windowEnd = column;
        }
      }
    }
    Schema schema = pending.node().schema();
    List<String> names = new ArrayList<>(schema.names());
    names.add("row_number");
    List<Type> types = new ArrayList<>(schema.types());
    types.add(Type.BIGINT.notNull());
    Schema ranked = Nodes.schema(names, types);
    return new PlanNode.TopN(
        pending.node(),
        ranking.partition(),
        ranking.orderings(),
        bounds.from(),
        bounds.to(),
        windowEnd,
        window != null && window.instant() ? context.settings().zone().getId() : "UTC",
        ranked.name(ranked.size() - 1),
        ranked);
  }

  /** A deduplication that keeps the first row by event time gives each row once. */
  private static boolean keepsFirst(
      Relation pending, Relation.Ranking ranking, NumberBounds bounds) {
    List<Ordering> orderings = ranking.orderings();
    return bounds.from() == 1
        && bounds.to() == 1
        && orderings.size() == 1
        && !orderings.getFirst().descending()
        && pending.roles().get(orderings.getFirst().column()).isEventTime();
  }

  /** A numbering that no filter bounds, which must be by time: a running count. */
  Relation unbounded(Relation pending) {
    Relation.Ranking ranking = pending.ranking();
    if (ranking == null) {
      return pending;
    }
    List<Ordering> orderings = ranking.orderings();
    if (orderings.size() != 1
        || orderings.getFirst().descending()
        || !pending.roles().get(orderings.getFirst().column()).isEventTime()) {
      throw new UnsupportedException(
          "ROW_NUMBER needs a filter on it, or an ORDER BY of the time column, ascending, alone",
          "SELECT … FROM (SELECT *, ROW_NUMBER() OVER (…) AS rn FROM t) WHERE rn <= 10",
          ranking.position());
    }
    return RowNumbers.running(pending, ranking);
  }
}
