package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;

/** Passes everything on: sources, sinks, unions, side outputs. */
final class PassOperator implements Operator {
  @Override
  public boolean process(int input, Batch batch, Output output) {
    return output.offer(batch);
  }
}
