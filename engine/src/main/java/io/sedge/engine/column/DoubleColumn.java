package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of {@code double} values: DOUBLE. */
public final class DoubleColumn extends Column {
  private final double[] values;

  /**
   * Wraps arrays without a copy; the caller gives them up.
   *
   * @param nulls which rows are null, or null where none is
   */
  public DoubleColumn(double[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  public double[] values() {
    return values;
  }

  @Override
  public DoubleColumn gather(int[] rows, int count) {
    double[] gathered = new double[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new DoubleColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public DoubleColumn slice(int from, int to) {
    return new DoubleColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable Double value(int row) {
    return isNull(row) ? null : values[row];
  }
}
