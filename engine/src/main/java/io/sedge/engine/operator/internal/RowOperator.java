package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operator that works row by row and timer by timer, and appends its results to {@link #out}.
 * What is full is offered at once, what is left at the end of the call; where it is refused, the
 * row or timer to go on with is remembered.
 *
 * <p>It keeps the last watermark as an entry of state; the entries of subclasses have keys that
 * begin with a tag above 0.
 */
abstract class RowOperator implements Operator {
  private static final byte[] WATERMARK_KEY = {0};

  final BatchBuilder out;

  private @Nullable Batch pending;
  private int nextRow;
  private long watermark = Long.MIN_VALUE;
  private long writtenWatermark = Long.MIN_VALUE;

  RowOperator(Schema schema) {
    out = new BatchBuilder(schema);
  }

  /** Takes a row, before which {@code rowWatermark} was in force. */
  abstract void row(int input, Batch batch, int row, long rowWatermark);

  /** Goes on with the row taken last, which may give more than a batch; false if it is done. */
  boolean goOn() {
    return false;
  }

  /** Does the next thing that is due; false if nothing is. */
  abstract boolean fire(long newWatermark);

  /** The watermark to pass on. */
  long outgoing(long newWatermark) {
    return newWatermark;
  }

  abstract void snapshot(StateWriter writer);

  abstract void changes(StateWriter writer);

  abstract void restoreRows(List<Map.Entry<byte[], byte[]>> entries);

  @Override
  public final boolean process(int input, Batch batch, Output output) {
    if (!flush(output)) {
      return false;
    }
    long[] marks = batch.watermarks();
    while (true) {
      if (!goOn()) {
        if (nextRow == batch.rows()) {
          break;
        }
        row(input, batch, nextRow, marks == null ? watermark : marks[nextRow]);
        nextRow++;
      }
      if (out.isFull() && !flush(output)) {
        return false;
      }
    }
    if (!flush(output)) {
      return false;
    }
    nextRow = 0;
    return true;
  }

  @Override
  public final boolean advance(long newWatermark, Output output) {
    if (!flush(output)) {
      return false;
    }
    while (fire(newWatermark)) {
      if (out.isFull() && !flush(output)) {
        return false;
      }
    }
    if (!flush(output)) {
      return false;
    }
    watermark = newWatermark;
    long outgoing = outgoing(newWatermark);
    return outgoing == Long.MIN_VALUE || output.advance(outgoing);
  }

  @Override
  public final long announced(long advanced) {
    return advanced == Long.MIN_VALUE ? advanced : outgoing(advanced);
  }

  private boolean flush(Output output) {
    if (pending == null) {
      if (out.rows() == 0) {
        return true;
      }
      pending = out.build();
    }
    if (!output.offer(pending)) {
      return false;
    }
    pending = null;
    return true;
  }

  @Override
  public final void writeSnapshot(StateWriter writer) {
    if (watermark != Long.MIN_VALUE) {
      writer.put(WATERMARK_KEY.clone(), encodedWatermark());
    }
    snapshot(writer);
  }

  @Override
  public final void writeChanges(StateWriter writer) {
    if (watermark != writtenWatermark) {
      writtenWatermark = watermark;
      writer.put(WATERMARK_KEY.clone(), encodedWatermark());
    }
    changes(writer);
  }

  private byte[] encodedWatermark() {
    return ByteBuffer.allocate(Long.BYTES).putLong(watermark).array();
  }

  @Override
  public final void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    List<Map.Entry<byte[], byte[]>> others = new ArrayList<>();
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (entry.getKey()[0] == WATERMARK_KEY[0]) {
        watermark = ByteBuffer.wrap(entry.getValue()).getLong();
        writtenWatermark = watermark;
      } else {
        others.add(entry);
      }
    }
    restoreRows(others);
  }
}
