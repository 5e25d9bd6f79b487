package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.FailedRows;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import java.util.List;

/** Makes the operator of a plan node. */
public final class Operators {
  private final FunctionRegistry functions;
  private final AggregateRegistry aggregates;
  private final FailedRows failedRows;

  public Operators(
      FunctionRegistry functions, AggregateRegistry aggregates, FailedRows failedRows) {
    this.functions = functions;
    this.aggregates = aggregates;
    this.failedRows = failedRows;
  }

  /**
   * @param inputs the operators that feed it
   * @param late where rows go that are too late for a window aggregate; nobody may listen
   * @return a new operator, without state
   * @throws IllegalArgumentException if the plan names a function that is not registered, or has a
   *     node over an input that it cannot take
   */
  public Operator create(PlanNode plan, List<Operator> inputs, Output late) {
    PlanFacts.checkInputs(plan);
    return switch (plan) {
      case PlanNode.Scan _, PlanNode.Union _, PlanNode.LateRows _ -> new PassOperator();
      case PlanNode.Values values -> new ValuesOperator(values);
      case PlanNode.Filter filter ->
          new FilterOperator(filter, functions, sieve(filter, filter.schema()));
      case PlanNode.Project project ->
          new ProjectOperator(project, functions, sieve(project, project.input().schema()));
      case PlanNode.Watermark watermark ->
          new WatermarkOperator(
              watermark,
              functions,
              sieve(watermark, watermark.schema()),
              times(watermark, inputs.getFirst()));
      case PlanNode.Limit limit -> new LimitOperator(limit.count());
      case PlanNode.Unnest unnest -> new UnnestOperator(unnest);
      case PlanNode.WindowAssign assign -> new WindowAssignOperator(assign);
      case PlanNode.WindowAggregate window -> WindowAggregates.operator(window, aggregates, late);
      case PlanNode.GroupAggregate group -> GroupAggregates.operator(group, aggregates);
      case PlanNode.OverAggregate over -> new OverAggregateOperator(over, aggregates);
      case PlanNode.TopN top -> topN(top);
      case PlanNode.IntervalJoin join ->
          new IntervalJoinOperator(join, functions, sieve(join, join.schema()));
      case PlanNode.LookupJoin join ->
          new LookupJoinOperator(join, functions, sieve(join, join.schema()));
    };
  }

  private Sieve sieve(PlanNode plan, Schema evaluated) {
    return new Sieve(failedRows, List.copyOf(PlanFacts.scanned(plan)), evaluated);
  }

  private EventTimeCheck times(PlanNode.Watermark plan, Operator input) {
    List<String> tables = List.copyOf(PlanFacts.scanned(plan));
    return new EventTimeCheck(
        failedRows, tables, plan, input instanceof ProjectOperator maker ? maker : null);
  }

  private static Operator topN(PlanNode.TopN top) {
    if (top.windowEnd() >= 0) {
      return new WindowTopNOperator(top);
    }
    if (PlanFacts.isKeepFirst(top)) {
      return new KeepFirstOperator(top);
    }
    return PlanFacts.isKeepLast(top) ? new KeepLastOperator(top) : new TopNOperator(top);
  }
}
