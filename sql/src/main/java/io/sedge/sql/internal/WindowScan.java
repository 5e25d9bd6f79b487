package io.sedge.sql.internal;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * A window table function in a relational tree: its input's columns and the three of the window.
 */
final class WindowScan extends SingleRel {
  private final WindowCall call;

  WindowScan(RelNode input, WindowCall call, RelDataType rowType) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.call = call;
    this.rowType = rowType;
  }

  WindowCall call() {
    return call;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new WindowScan(inputs.getFirst(), call, getRowType());
  }
}
