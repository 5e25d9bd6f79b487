package io.sedge.engine.column;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one column in a batch, immutable once built.
 *
 * <p>A column is a primitive array and a mask of nulls with one entry per row; the mask is absent
 * where no row is null, and kernels test for that once per batch. The value slot of a null row
 * holds the default of its array and means nothing. Arrays may be longer than {@link #size()} and
 * may be shared between columns; whoever reads one through {@code values()} must not write to it.
 */
public abstract sealed class Column
    permits BooleanColumn,
        IntColumn,
        LongColumn,
        FloatColumn,
        DoubleColumn,
        DecimalColumn,
        StringColumn,
        ArrayColumn,
        RowColumn {

  private final int size;
  private final boolean @Nullable [] nulls;

  Column(int size, boolean @Nullable [] nulls) {
    if (nulls != null && nulls.length < size) {
      throw new IllegalArgumentException(
          "the null mask has %d entries for %d rows".formatted(nulls.length, size));
    }
    this.size = size;
    this.nulls = nulls;
  }

  /** The number of rows. */
  public final int size() {
    return size;
  }

  /** Which rows are null, or null where none is. */
  public final boolean @Nullable [] nulls() {
    return nulls;
  }

  public final boolean isNull(int row) {
    return nulls != null && nulls[row];
  }

  /** A column of the rows named, in that order; rows may repeat. */
  public abstract Column gather(int[] rows, int count);

  /** A column of the rows {@code from} to {@code to - 1}; may share this column's arrays. */
  public abstract Column slice(int from, int to);

  /**
   * The value of a row as an object: Boolean, Integer, Long, Float, Double, BigDecimal, String,
   * {@code List<Object>} for ARRAY and ROW, or null. For edges, rare operators and tests; not for
   * hot loops.
   */
  public abstract @Nullable Object value(int row);

  /** The null mask of {@link #gather}. */
  final boolean @Nullable [] gatherNulls(int[] rows, int count) {
    if (nulls == null) {
      return null;
    }
    boolean[] gathered = new boolean[count];
    boolean any = false;
    for (int i = 0; i < count; i++) {
      gathered[i] = nulls[rows[i]];
      any |= gathered[i];
    }
    return any ? gathered : null;
  }

  /** The null mask of {@link #slice}. */
  final boolean @Nullable [] sliceNulls(int from, int to) {
    return nulls == null ? null : Arrays.copyOfRange(nulls, from, to);
  }
}
