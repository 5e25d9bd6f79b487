package io.sedge.sql.internal.sketch;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import java.lang.foreign.MemorySegment;
import org.apache.datasketches.tdigest.TDigestDouble;

/**
 * APPROX_QUANTILE: a t-digest with a compression of 200; most exact at both ends, about 0.5 % of
 * the rank in the middle, 4 KiB at most. NaN is passed over.
 */
final class Quantiles extends SketchAccumulators<TDigestDouble> {
  private static final short COMPRESSION = 200;

  private final double fraction;

  Quantiles(double fraction) {
    this.fraction = fraction;
  }

  @Override
  TDigestDouble create() {
    return new TDigestDouble(COMPRESSION);
  }

  @Override
  void update(TDigestDouble sketch, Column column, int row) {
    double value =
        switch (column) {
          case DoubleColumn doubles -> doubles.values()[row];
          case FloatColumn floats -> floats.values()[row];
          case LongColumn longs -> longs.values()[row];
          case IntColumn ints -> ints.values()[row];
          default -> column.value(row) instanceof Number number ? number.doubleValue() : Double.NaN;
        };
    if (!Double.isNaN(value)) {
      sketch.update(value);
    }
  }

  @Override
  TDigestDouble merged(TDigestDouble sketch, TDigestDouble other) {
    sketch.merge(other);
    return sketch;
  }

  @Override
  byte[] toBytes(TDigestDouble sketch) {
    return sketch.toByteArray();
  }

  @Override
  TDigestDouble fromBytes(byte[] bytes) {
    return TDigestDouble.heapify(MemorySegment.ofArray(bytes));
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    TDigestDouble sketch = sketch(slot);
    if (sketch == null || sketch.isEmpty()) {
      output.addNull();
    } else {
      output.addDouble(sketch.getQuantile(fraction));
    }
  }
}
