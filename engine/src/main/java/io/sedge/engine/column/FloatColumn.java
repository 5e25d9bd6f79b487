package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of {@code float} values: FLOAT. */
public final class FloatColumn extends Column {
  private final float[] values;

  /**
   * Wraps arrays without a copy; the caller gives them up.
   *
   * @param nulls which rows are null, or null where none is
   */
  public FloatColumn(float[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  public float[] values() {
    return values;
  }

  @Override
  public FloatColumn gather(int[] rows, int count) {
    float[] gathered = new float[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new FloatColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public FloatColumn slice(int from, int to) {
    return new FloatColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable Float value(int row) {
    return isNull(row) ? null : values[row];
  }
}
