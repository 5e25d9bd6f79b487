package io.sedge.sql.internal;

import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ML_PREDICT in a relational tree: its input's columns and those of the model's output. */
final class PredictScan extends SingleRel {
  private final Call call;

  /**
   * A call.
   *
   * @param model that scores
   * @param features the columns of the input that the model is given
   * @param position where it stands in the script
   */
  record Call(DeclaredModel model, List<Integer> features, SqlParserPos position) {
    Call {
      features = List.copyOf(features);
    }
  }

  PredictScan(RelNode input, Call call, RelDataType rowType) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.call = call;
    this.rowType = rowType;
  }

  Call call() {
    return call;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new PredictScan(inputs.getFirst(), call, getRowType());
  }
}
