package io.sedge.engine.operator;

import io.sedge.engine.column.Batch;

/** Takes all and counts. */
final class CountingSink implements Output {
  private long rows;
  private long watermark = Long.MIN_VALUE;

  long rows() {
    return rows;
  }

  long watermark() {
    return watermark;
  }

  @Override
  public boolean offer(Batch batch) {
    rows += batch.rows();
    return true;
  }

  @Override
  public boolean advance(long newWatermark) {
    watermark = newWatermark;
    return true;
  }
}
