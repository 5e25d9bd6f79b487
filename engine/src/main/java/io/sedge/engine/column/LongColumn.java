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

  /** The greatest of its values, {@link Long#MIN_VALUE} if there are none. */
  public long greatest() {
    boolean[] nulls = nulls();
    if (nulls == null) {
      return greatest(values, size());
    }
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < size(); i++) {
      greatest = nulls[i] ? greatest : Math.max(greatest, values[i]);
    }
    return greatest;
  }

  /** Four at a time, since each step of a maximum waits for the one before. */
  private static long greatest(long[] values, int count) {
    long a = Long.MIN_VALUE;
    long b = Long.MIN_VALUE;
    long c = Long.MIN_VALUE;
    long d = Long.MIN_VALUE;
    int i = 0;
    for (; i + 3 < count; i += 4) {
      a = Math.max(a, values[i]);
      b = Math.max(b, values[i + 1]);
      c = Math.max(c, values[i + 2]);
      d = Math.max(d, values[i + 3]);
    }
    for (; i < count; i++) {
      a = Math.max(a, values[i]);
    }
    return Math.max(Math.max(a, b), Math.max(c, d));
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
