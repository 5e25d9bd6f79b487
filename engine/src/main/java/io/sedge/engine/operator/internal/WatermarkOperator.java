package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes watermarks. A row's own counts from the row after it on: each batch carries, per row, the
 * one in force before it, and after the batch the last one is announced. Watermarks from before
 * this operator are of no interest, but for the end of the input, as in Flink.
 */
final class WatermarkOperator implements Operator {
  private final Evaluator expression;
  private final Sieve sieve;
  private final EventTimeCheck times;
  private final WatermarkGenerator generator;

  private long announced = Long.MIN_VALUE;
  private @Nullable LongColumn own;
  private @Nullable Batch pending;
  private boolean offered;

  WatermarkOperator(
      PlanNode.Watermark plan, FunctionRegistry functions, Sieve sieve, EventTimeCheck times) {
    this.expression = Evaluator.compile(plan.watermark(), functions);
    this.sieve = sieve;
    this.times = times;
    this.generator =
        plan.perKey() == null ? new GreatestSoFar() : new LeastOfKeys(plan.perKey(), plan.schema());
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    Batch result = pending == null ? apply(batch) : pending;
    pending = result;
    offered = offered || result.rows() == 0 || output.offer(result);
    long watermark = generator.current();
    if (!offered || (watermark > announced && !output.advance(watermark))) {
      return false;
    }
    announced = watermark;
    offered = false;
    pending = null;
    return true;
  }

  private Batch apply(Batch batch) {
    own = null;
    Batch evaluated = sieve.apply(times.apply(batch), this::evaluated);
    return own == null || evaluated.rows() == 0 ? evaluated : generator.mark(evaluated, own);
  }

  /** The same rows; their watermarks are kept until they are counted. */
  private Batch evaluated(Batch timed) {
    own = (LongColumn) expression.evaluate(timed);
    return timed;
  }

  @Override
  public boolean advance(long newWatermark, Output output) {
    return newWatermark != Long.MAX_VALUE || output.advance(newWatermark);
  }

  @Override
  public long announced(long advanced) {
    return advanced == Long.MAX_VALUE ? advanced : announced;
  }

  @Override
  public long nullTimeRows() {
    return times.withoutTime();
  }

  @Override
  public long changedEntries() {
    return generator.changedEntries();
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    generator.writeSnapshot(writer);
  }

  @Override
  public void writeChanges(StateWriter writer) {
    generator.writeChanges(writer);
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    generator.restore(entries);
    announced = generator.current();
  }
}
