package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes watermarks. A row's own counts from the row after it on: each batch carries, per row, the
 * greatest so far before it, and after the batch the greatest is announced. A watermark that is
 * null changes nothing. Watermarks from before this operator are of no interest, but for the end of
 * the input, as in Flink.
 */
final class WatermarkOperator implements Operator {
  private static final byte[] KEY = {};

  private final Evaluator expression;
  private final Sieve sieve;
  private final EventTimeCheck times;

  private long watermark = Long.MIN_VALUE;
  private long announced = Long.MIN_VALUE;
  private long written = Long.MIN_VALUE;
  private @Nullable Batch pending;
  private boolean offered;

  WatermarkOperator(
      PlanNode.Watermark plan, FunctionRegistry functions, Sieve sieve, EventTimeCheck times) {
    this.expression = Evaluator.compile(plan.watermark(), functions);
    this.sieve = sieve;
    this.times = times;
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    Batch result = pending == null ? apply(batch) : pending;
    pending = result;
    offered = offered || result.rows() == 0 || output.offer(result);
    if (!offered || (watermark > announced && !output.advance(watermark))) {
      return false;
    }
    announced = watermark;
    offered = false;
    pending = null;
    return true;
  }

  private Batch apply(Batch batch) {
    Batch marked = sieve.apply(times.apply(batch), this::marked);
    if (marked.rows() > 0) {
      watermark = marked.lastWatermark();
    }
    return marked;
  }

  private Batch marked(Batch timed) {
    return timed.withWatermarksAfter(watermark, (LongColumn) expression.evaluate(timed));
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
  public void writeSnapshot(StateWriter writer) {
    if (watermark != Long.MIN_VALUE) {
      writer.put(KEY, encoded());
    }
  }

  @Override
  public void writeChanges(StateWriter writer) {
    if (watermark != written) {
      written = watermark;
      writer.put(KEY, encoded());
    }
  }

  private byte[] encoded() {
    return ByteBuffer.allocate(Long.BYTES).putLong(watermark).array();
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      watermark = ByteBuffer.wrap(entry.getValue()).getLong();
      announced = watermark;
      written = watermark;
    }
  }
}
