package io.sedge.sql.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** What the lowering of one query needs to know, and what it notes. */
final class LoweringContext {
  private final Surroundings surroundings;
  private final QueryPlanner planner;
  private final Settings settings;
  private final AggregateRegistry aggregates;
  private final Map<String, SqlParserPos> scanned = new LinkedHashMap<>();
  private final Map<String, DeclaredTable> sources = new HashMap<>();
  private final List<PlanNode.WindowAggregate> windows = new ArrayList<>();
  private final List<DriftTables.Scored> scored = new ArrayList<>();

  LoweringContext(
      Surroundings surroundings,
      QueryPlanner planner,
      Settings settings,
      AggregateRegistry aggregates) {
    this.surroundings = surroundings;
    this.planner = planner;
    this.settings = settings;
    this.aggregates = aggregates;
  }

  @Nullable SqlParserPos position(RelNode node) {
    return planner.position(node);
  }

  Settings settings() {
    return settings;
  }

  AggregateRegistry aggregates() {
    return aggregates;
  }

  /** The tables that the query reads. */
  Map<String, DeclaredTable> sources() {
    return sources;
  }

  /** Where each of them stands first. */
  Map<String, SqlParserPos> scanned() {
    return scanned;
  }

  /** The rows that the query scores by models that are watched. */
  List<DriftTables.Scored> scored() {
    return scored;
  }

  /** The window aggregates of the query, whose late rows may be wanted. */
  List<PlanNode.WindowAggregate> windows() {
    return windows;
  }

  /** A table's rows: what its connector gives, computed columns, watermarks. */
  Relation scan(DeclaredTable table, @Nullable SqlParserPos position) {
    sources.put(table.name(), table);
    scanned.putIfAbsent(table.name(), position == null ? SqlParserPos.ZERO : position);
    Schema schema = Types.schema(table.rowType());
    PlanNode node =
        Nodes.project(
            new PlanNode.Scan(table.name(), table.descriptor().schema()), table.columns(), schema);
    Relation read = new Relation(node, ColumnRole.plain(schema.size()), false);
    List<ColumnRole> roles = new ArrayList<>(Lowering.roles(table.columns(), asConnector(table)));
    Optional<Expression> watermark = table.watermark();
    if (watermark.isEmpty()) {
      return new Relation(read.node(), roles, false);
    }
    roles.set(table.timeColumn(), ColumnRole.ROW_TIME);
    // Of input that ends all rows are there before its time is over: none is late.
    PlanNode timed =
        settings.batch()
            ? node
            : new PlanNode.Watermark(
                node, table.timeColumn(), watermark.get(), table.perKey().orElse(null));
    return new Relation(timed, roles, false);
  }

  /** Refuses a table for look-ups that does not end. */
  void requireBounded(PlanNode node, @Nullable SqlParserPos position) {
    if (node instanceof PlanNode.Scan scan) {
      DeclaredTable table = sources.get(scan.table());
      if (table != null && !TableUse.isBounded(surroundings, table)) {
        throw new UnsupportedException(
            "FOR SYSTEM_TIME AS OF: table `%s` does not end, and would never be read whole"
                .formatted(scan.table()),
            "an interval JOIN, or a bounded table such as a file",
            position);
      }
    }
    node.inputs().forEach(input -> requireBounded(input, position));
  }

  private static Relation asConnector(DeclaredTable table) {
    Schema schema = table.descriptor().schema();
    return new Relation(
        new PlanNode.Scan(table.name(), schema), ColumnRole.plain(schema.size()), false);
  }

  PlanNode.WindowAssign assign(PlanNode input, Window window, int timeColumn, Schema schema) {
    return new PlanNode.WindowAssign(
        input, window, timeColumn, zone(input.schema().type(timeColumn)), schema);
  }

  /** The zone in which windows are laid over a time column. */
  String zone(Type timeType) {
    return timeType.kind() == Kind.TIMESTAMP_LTZ ? settings.zone().getId() : "UTC";
  }
}
