package io.sedge.sql.internal.sketch;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import java.math.BigDecimal;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.HllUnion;
import org.apache.datasketches.hll.TgtHllType;

/** APPROX_COUNT_DISTINCT: HyperLogLog with 4,096 buckets; standard error 1.6 %, 4 KiB at most. */
final class DistinctCounts extends SketchAccumulators<HllSketch> {
  private static final int LOG_BUCKETS = 12;

  @Override
  HllSketch create() {
    return new HllSketch(LOG_BUCKETS, TgtHllType.HLL_8);
  }

  @Override
  void update(HllSketch sketch, Column column, int row) {
    switch (column) {
      case IntColumn ints -> sketch.update((long) ints.values()[row]);
      case LongColumn longs -> sketch.update(longs.values()[row]);
      case FloatColumn floats -> sketch.update((double) floats.values()[row]);
      case DoubleColumn doubles -> sketch.update(doubles.values()[row]);
      case BooleanColumn booleans -> sketch.update(booleans.values()[row] ? 1L : 0L);
      case StringColumn strings -> {
        String string = strings.string(row);
        // A sketch passes over an empty string, which is a value like others here.
        sketch.update(string.isEmpty() ? "\u0000" : string);
      }
      default -> {
        Object value = column.value(row);
        sketch.update(
            value instanceof BigDecimal decimal
                ? decimal.stripTrailingZeros().toPlainString()
                : String.valueOf(value));
      }
    }
  }

  @Override
  HllSketch merged(HllSketch sketch, HllSketch other) {
    HllUnion union = new HllUnion(LOG_BUCKETS);
    union.update(sketch);
    union.update(other);
    return union.getResult(TgtHllType.HLL_8);
  }

  @Override
  byte[] toBytes(HllSketch sketch) {
    return sketch.toCompactByteArray();
  }

  @Override
  HllSketch fromBytes(byte[] bytes) {
    return HllSketch.heapify(bytes);
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    HllSketch sketch = sketch(slot);
    output.addLong(sketch == null ? 0 : Math.round(sketch.getEstimate()));
  }
}
