package io.sedge.sql.internal;

import io.sedge.learning.Evaluation;
import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/** ML_EVALUATE in a relational tree: one row, of what a model's scores are worth. */
final class EvaluateScan extends SingleRel {
  private final Call call;

  /**
   * A call.
   *
   * @param scores of which rows
   * @param label the column of the input that scores are compared with
   */
  record Call(PredictScan.Call scores, int label, Evaluation evaluation) {}

  EvaluateScan(RelNode input, Call call, RelDataType rowType) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.call = call;
    this.rowType = rowType;
  }

  Call call() {
    return call;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new EvaluateScan(inputs.getFirst(), call, getRowType());
  }
}
