package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import org.jspecify.annotations.Nullable;

/** An operator that makes one batch of each, and keeps it only for as long as it is refused. */
abstract class StatelessOperator implements Operator {
  private @Nullable Batch pending;

  /** The result; may have no rows. Called once per batch. */
  abstract Batch apply(Batch batch);

  @Override
  public final boolean process(int input, Batch batch, Output output) {
    Batch result = pending == null ? apply(batch) : pending;
    if (result.rows() == 0 || output.offer(result)) {
      pending = null;
      return true;
    }
    pending = result;
    return false;
  }
}
