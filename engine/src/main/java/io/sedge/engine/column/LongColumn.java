package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A column of {@code long} values: BIGINT, TIMESTAMP, TIMESTAMP_LTZ, INTERVAL DAY TO SECOND. */
public final class LongColumn extends Column {
  private final long[] values;

  /**
   * Wraps arrays without a copy; the caller gives them up.
   *
   * @param nulls which rows are null, or null where none is
   */
  public LongColumn(long[] values, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.values = values;
  }

  /** The values; entries at and beyond {@link #size()} mean nothing. */
  public long[] values() {
    return values;
  }

  @Override
  public LongColumn gather(int[] rows, int count) {
    long[] gathered = new long[count];
    for (int i = 0; i < count; i++) {
      gathered[i] = values[rows[i]];
    }
    return new LongColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public LongColumn slice(int from, int to) {
    return new LongColumn(Arrays.copyOfRange(values, from, to), sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable Long value(int row) {
    return isNull(row) ? null : values[row];
  }
}
