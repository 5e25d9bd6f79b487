package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Constant rows: offers them to its own input, so that they take the way that all rows take. */
final class ValuesOperator implements Operator {
  private static final byte[] KEY = {};

  private final PlanNode.Values plan;
  private int passed;
  private int written;
  private boolean ended;
  private @Nullable Batch pending;

  ValuesOperator(PlanNode.Values plan) {
    this.plan = plan;
  }

  /**
   * Offers what is left of the rows, then the end.
   *
   * @return false if it is refused: call again
   */
  boolean run(Output input) {
    while (passed < plan.rows().size()) {
      pending = pending == null ? next() : pending;
      if (!input.offer(pending)) {
        return false;
      }
      pending = null;
    }
    ended = ended || input.advance(Long.MAX_VALUE);
    return ended;
  }

  private Batch next() {
    BatchBuilder builder = new BatchBuilder(plan.schema());
    int to = Math.min(plan.rows().size(), passed + Batch.TARGET_ROWS);
    for (List<Expression.Literal> row : plan.rows().subList(passed, to)) {
      for (int i = 0; i < row.size(); i++) {
        builder.column(i).add(row.get(i).value());
      }
      builder.endRow();
    }
    return builder.build();
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    if (!output.offer(batch)) {
      return false;
    }
    passed += batch.rows();
    return true;
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    if (passed > 0) {
      writer.put(KEY, encoded());
    }
  }

  @Override
  public void writeChanges(StateWriter writer) {
    if (passed != written) {
      written = passed;
      writer.put(KEY, encoded());
    }
  }

  private byte[] encoded() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(passed).array();
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      passed = ByteBuffer.wrap(entry.getValue()).getInt();
      written = passed;
    }
  }
}
