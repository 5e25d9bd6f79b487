package io.sedge.sql.internal;

import org.apache.calcite.plan.AbstractRelOptPlanner;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/**
 * A planner that plans nothing: Calcite wants one to make relational trees, and real ones take time
 * to load. Constants are left for the engine to fold.
 */
final class InertPlanner extends AbstractRelOptPlanner {
  private @Nullable RelNode root;

  @SuppressWarnings("this-escape")
  InertPlanner() {
    super(RelOptCostImpl.FACTORY, Contexts.empty());
    setExecutor((rexBuilder, constants, reduced) -> reduced.addAll(constants));
  }

  @Override
  public void setRoot(RelNode newRoot) {
    root = newRoot;
  }

  @Override
  public @Nullable RelNode getRoot() {
    return root;
  }

  @Override
  public RelNode findBestExp() {
    throw new UnsupportedOperationException("this planner plans nothing");
  }

  @Override
  public RelNode changeTraits(RelNode node, RelTraitSet traits) {
    return node;
  }

  @Override
  public RelNode ensureRegistered(RelNode node, @Nullable RelNode equivalent) {
    return node;
  }

  @Override
  public RelNode register(RelNode node, @Nullable RelNode equivalent) {
    return node;
  }

  @Override
  public boolean isRegistered(RelNode node) {
    return true;
  }
}
