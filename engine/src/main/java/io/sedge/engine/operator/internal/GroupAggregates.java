package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.plan.PlanNode;

/** Makes the operators of aggregation without windows. */
public final class GroupAggregates {
  private GroupAggregates() {}

  /**
   * An operator for a node of a plan.
   *
   * @throws IllegalArgumentException if the registry lacks an aggregate
   */
  public static Operator operator(PlanNode.GroupAggregate node, AggregateRegistry registry) {
    return new GroupOperator(node, GroupAccumulators.factory(node.aggregates(), registry));
  }
}
