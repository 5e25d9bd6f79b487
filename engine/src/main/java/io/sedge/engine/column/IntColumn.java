package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of {@code int} values: TINYINT, SMALLINT, INT, DATE, TIME, INTERVAL YEAR TO MONTH. */
public final class IntColumn extends Column {
  private final int[] values;

  /**
   * Wraps arrays without a copy; the caller gives them up.
   *
   * @param nulls which rows are null, or null where none is
   */
  public IntColumn(int[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  public int[] values() {
    return values;
  }

  @Override
  public IntColumn gather(int[] rows, int count) {
    int[] gathered = new int[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new IntColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public IntColumn slice(int from, int to) {
    return new IntColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable Integer value(int row) {
    return isNull(row) ? null : values[row];
  }
}
