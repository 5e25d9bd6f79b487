package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.state.StateWriter;
import java.nio.ByteBuffer;
import java.util.Map;

/** The greatest watermark of a row so far, as Flink's WATERMARK FOR. */
final class GreatestSoFar implements WatermarkGenerator {
  private static final byte[] KEY = {};

  private long watermark = Long.MIN_VALUE;
  private long written = Long.MIN_VALUE;

  @Override
  public Batch mark(Batch batch, LongColumn own) {
    Batch marked = batch.withWatermarksAfter(watermark, own);
    watermark = marked.lastWatermark();
    return marked;
  }

  @Override
  public long current() {
    return watermark;
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
      written = watermark;
    }
  }
}
