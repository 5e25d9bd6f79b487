package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.state.StateWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The first rows, then the end; what comes later is taken and forgotten. */
final class LimitOperator implements Operator {
  private static final byte[] KEY = {};

  private final long count;
  private long passed;
  private long written;
  private boolean ended;
  private boolean offered;
  private @Nullable Batch pending;

  LimitOperator(long count) {
    this.count = count;
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    if (ended) {
      return true;
    }
    if (pending == null) {
      pending = batch.slice(0, (int) Math.min(batch.rows(), count - passed));
      passed += pending.rows();
    }
    offered = offered || pending.rows() == 0 || output.offer(pending);
    if (!offered || (passed == count && !output.advance(Long.MAX_VALUE))) {
      return false;
    }
    ended = passed == count;
    offered = false;
    pending = null;
    return true;
  }

  @Override
  public boolean advance(long watermark, Output output) {
    return ended || output.advance(watermark);
  }

  @Override
  public long announced(long advanced) {
    return ended ? Long.MAX_VALUE : advanced;
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
    return ByteBuffer.allocate(Long.BYTES).putLong(passed).array();
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      passed = ByteBuffer.wrap(entry.getValue()).getLong();
      written = passed;
      ended = passed == count;
    }
  }
}
