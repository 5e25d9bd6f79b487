package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of {@code boolean} values: BOOLEAN. */
public final class BooleanColumn extends Column {
  private final boolean[] values;

  /**
   * Wraps arrays without a copy; the caller gives them up.
   *
   * @param nulls which rows are null, or null where none is
   */
  public BooleanColumn(boolean[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  public boolean[] values() {
    return values;
  }

  @Override
  public BooleanColumn gather(int[] rows, int count) {
    boolean[] gathered = new boolean[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new BooleanColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public BooleanColumn slice(int from, int to) {
    return new BooleanColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable Boolean value(int row) {
    return isNull(row) ? null : values[row];
  }
}
