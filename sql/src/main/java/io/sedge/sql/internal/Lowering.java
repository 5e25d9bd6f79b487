package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.DriftOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalIntersect;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSnapshot;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.jspecify.annotations.Nullable;

/**
 * Turns a relational tree into a plan of the engine, bottom up. Each kind of node that is more than
 * a line has a class of its own; this one keeps what they share.
 */
final class Lowering {
  private final LoweringContext context;
  private final ExpressionLowering expressions;
  private final AggregateLowering aggregates;

  private final OverLowering overs;
  private final RankingLowering rankings;
  private final GroupWindows groupWindows;
  private final SortLowering sorts;
  private final JoinLowering joins;
  private final LookupLowering lookups;
  private final UnnestLowering unnests;

  Lowering(LoweringContext context, ExpressionLowering expressions, RexBuilder builder) {
    this.context = context;
    this.expressions = expressions;
    this.aggregates = new AggregateLowering(context);
    this.overs = new OverLowering(context, expressions);
    this.rankings = new RankingLowering(context);
    this.groupWindows = new GroupWindows(context, expressions);
    this.sorts = new SortLowering(context);
    this.joins = new JoinLowering(context, expressions);
    this.lookups = new LookupLowering(context, expressions, builder);
    this.unnests = new UnnestLowering(context, expressions, builder);
  }

  /** The plan of a whole query. */
  Relation query(RelNode tree) {
    try {
      return resolved(lower(tree));
    } catch (UnsupportedException e) {
      throw e.at(context.position(tree));
    }
  }

  private Relation lower(RelNode node) {
    try {
      return lowerNode(node);
    } catch (UnsupportedException e) {
      throw e.at(context.position(node));
    }
  }

  private Relation lowerNode(RelNode node) {
    return switch (node) {
      case LogicalTableScan scan -> scan(scan);
      case LogicalValues values -> ValuesLowering.lower(values);
      case LogicalFilter filter -> filter(filter);
      case LogicalProject project -> project(project);
      case WindowScan window -> window(window);
      case PredictScan predict -> predict(predict);
      case EvaluateScan evaluate -> evaluate(evaluate);
      case LogicalAggregate aggregate -> aggregate(aggregate);
      case LogicalUnion union -> union(union);
      case LogicalSort sort -> sorts.lower(sort, resolved(lower(sort.getInput())));
      case LogicalJoin join -> join(join, null);
      case LogicalCorrelate correlate -> correlate(correlate);
      case Uncollect uncollect ->
          throw refused(
              uncollect,
              "UNNEST without a table before it",
              "FROM t CROSS JOIN UNNEST(t.array) AS u(x)");
      case LogicalSnapshot snapshot ->
          throw refused(
              snapshot,
              "FOR SYSTEM_TIME AS OF outside of a JOIN",
              "stream JOIN table FOR SYSTEM_TIME AS OF stream.proctime ON stream.id = table.id");
      case LogicalIntersect intersect -> throw refused(intersect, "INTERSECT", "an interval JOIN");
      case LogicalMinus minus -> throw refused(minus, "EXCEPT", "a WHERE condition");
      default -> throw refused(node, node.getRelTypeName(), null);
    };
  }

  private UnsupportedException refused(RelNode node, String what, @Nullable String remedy) {
    return new UnsupportedException(what + " is not supported", remedy, context.position(node));
  }

  private Relation scan(LogicalTableScan scan) {
    CatalogTable table = Objects.requireNonNull(scan.getTable().unwrap(CatalogTable.class));
    return context.scan(Objects.requireNonNull(table.declared()), context.position(scan));
  }

  private Relation aggregate(LogicalAggregate aggregate) {
    if (aggregate.getInput() instanceof LogicalProject project) {
      int column = GroupWindows.find(project);
      if (column >= 0) {
        Relation input =
            resolved(lower(project.getInput())).appendOnly("GROUP BY", context.position(aggregate));
        return aggregates.lowerGroupWindow(
            aggregate, groupWindows.rewrite(aggregate, project, column, input));
      }
    }
    return aggregates.lower(aggregate, resolved(lower(aggregate.getInput())));
  }

  private Relation join(LogicalJoin join, @Nullable RexNode restriction) {
    return joins.lower(
        join, restriction, resolved(lower(join.getLeft())), resolved(lower(join.getRight())));
  }

  private Relation correlate(LogicalCorrelate correlate) {
    return UnnestLowering.isUnnest(correlate)
        ? unnests.lower(correlate, input -> resolved(lower(input)))
        : lookups.lower(correlate, input -> resolved(lower(input)));
  }

  private Relation filter(LogicalFilter filter) {
    if (filter.getInput() instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER) {
      return join(join, filter.getCondition());
    }
    Relation input = lower(filter.getInput());
    Expression condition = expressions.lower(filter.getCondition());
    return input.ranking() != null
        ? rankings.bounded(input, condition)
        : input.through(Nodes.filter(input.node(), condition));
  }

  private Relation project(LogicalProject project) {
    Relation input = lower(project.getInput());
    if (RexOver.containsOver(project.getProjects(), null)) {
      return overs.lower(project, resolved(input));
    }
    List<Expression> columns = project.getProjects().stream().map(expressions::lower).toList();
    Schema schema = Types.schema(project.getRowType());
    Relation.Ranking ranking = input.ranking();
    if (ranking != null) {
      return new Relation(
          input.node(), input.roles(), input.updating(), ranking.project(columns, schema));
    }
    return new Relation(
        Nodes.project(input.node(), columns, schema), roles(columns, input), input.updating());
  }

  /** The roles of projected columns: those of the columns passed on, and PROCTIME(). */
  static List<ColumnRole> roles(List<Expression> columns, Relation input) {
    List<ColumnRole> roles = new ArrayList<>();
    for (Expression column : columns) {
      roles.add(
          switch (column) {
            case Expression.Input reference -> input.roles().get(reference.column());
            case Expression.Call call when call.function().equals("PROCTIME") ->
                ColumnRole.PROCESSING_TIME;
            case Expression.Call call -> ColumnRole.PLAIN;
            case Expression.Literal literal -> ColumnRole.PLAIN;
          });
    }
    return roles;
  }

  private Relation window(WindowScan scan) {
    WindowCall call = scan.call();
    Relation input = resolved(lower(scan.getInput())).appendOnly("a window", call.position());
    TimeAttributes.require(
        input, call.timeColumn(), "a window", "DESCRIPTOR(`%s`)", call.position());
    Schema schema = Types.schema(scan.getRowType());
    List<ColumnRole> roles = new ArrayList<>(input.roles());
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_START, call));
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_END, call));
    roles.add(new ColumnRole(ColumnRole.Kind.WINDOW_TIME, call));
    return new Relation(
        context.assign(input.node(), call.window(), call.timeColumn(), schema), roles, false);
  }

  /** A projection: the input's columns, then the fields of what the model's function gives. */
  private Relation predict(PredictScan scan) {
    PredictScan.Call call = scan.call();
    Relation input =
        resolved(lower(scan.getInput())).appendOnly(PredictFunction.NAME, call.position());
    Schema given = input.node().schema();
    List<Expression> columns = new ArrayList<>(Expressions.identity(given));
    DeclaredModel model = call.model();
    columns.addAll(expressions.predict(model, call.features(), given, call.position()));
    PlanNode scores = Nodes.project(input.node(), columns, Types.schema(scan.getRowType()));
    if (model.drift().isPresent()) {
      context.scored().add(scored(model, scores, call, input));
    }
    return new Relation(scores, roles(columns, input), false);
  }

  /** An aggregate of label and score, over all rows. */
  private Relation evaluate(EvaluateScan scan) {
    PredictScan.Call call = scan.call().scores();
    Relation input =
        resolved(lower(scan.getInput())).appendOnly(EvaluateFunction.NAME, call.position());
    DeclaredModel model = call.model();
    Schema given = input.node().schema();
    int label = scan.call().label();
    Expression predicted =
        expressions.predict(model, call.features(), given, call.position()).getFirst();
    Type compared = scan.call().evaluation().compared(predicted.type()).orElseThrow();
    Expression score = expressions.cast(predicted, compared);
    Expression labelled =
        expressions.cast(new Expression.Input(label, given.type(label)), compared);
    Schema pair = Schema.builder().add("label", labelled.type()).add("score", score.type()).build();
    return aggregates.grouped(
        new Relation(
            Nodes.project(input.node(), List.of(labelled, score), pair),
            ColumnRole.plain(pair.size()),
            false),
        List.of(),
        List.of(scan.call().evaluation().call(pair.types(), model.model().version())),
        Types.schema(scan.getRowType()));
  }

  private DriftTables.Scored scored(
      DeclaredModel model, PlanNode scores, PredictScan.Call call, Relation input) {
    int time = 0;
    while (time < input.roles().size() && !input.roles().get(time).isEventTime()) {
      time++;
    }
    if (time == input.roles().size()) {
      throw new UnsupportedException(
          "model %s: '%s' needs a time attribute among the columns of the rows that are scored"
              .formatted(model.name(), DriftOptions.TABLE),
          "WATERMARK FOR ts AS ts - INTERVAL '5' SECOND in CREATE TABLE",
          call.position());
    }
    List<Integer> columns = new ArrayList<>(call.features());
    for (int i = input.node().schema().size(); i < scores.schema().size(); i++) {
      columns.add(i);
    }
    return new DriftTables.Scored(
        model, scores, columns, time, context.zone(scores.schema().type(time)), call.position());
  }

  private Relation union(LogicalUnion union) {
    List<Relation> inputs =
        union.getInputs().stream().map(this::lower).map(this::resolved).toList();
    Schema schema = Types.schema(union.getRowType());
    List<PlanNode> nodes = new ArrayList<>();
    for (Relation input : inputs) {
      List<Expression> columns = new ArrayList<>();
      for (int i = 0; i < schema.size(); i++) {
        Expression column = new Expression.Input(i, input.node().schema().type(i));
        columns.add(expressions.cast(column, schema.type(i)));
      }
      nodes.add(Nodes.project(input.node(), columns, schema));
    }
    List<ColumnRole> roles = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      roles.add(commonRole(inputs, i));
    }
    boolean updating = inputs.stream().anyMatch(Relation::updating);
    Relation all = new Relation(new PlanNode.Union(nodes), roles, updating);
    return union.all ? all : aggregates.distinct(all);
  }

  /** Event time stays so where it is event time in every input. */
  private static ColumnRole commonRole(List<Relation> inputs, int column) {
    ColumnRole first = inputs.getFirst().roles().get(column);
    if (inputs.stream().allMatch(input -> input.roles().get(column).equals(first))) {
      return first;
    }
    return inputs.stream().allMatch(input -> input.roles().get(column).isEventTime())
        ? ColumnRole.ROW_TIME
        : ColumnRole.PLAIN;
  }

  /** A relation whose numbering, if it has one, is given up as a column. */
  private Relation resolved(Relation relation) {
    return rankings.unbounded(relation);
  }
}
