package io.sedge.engine.column;

import org.jspecify.annotations.Nullable;

/**
 * The watermark in force just before each row of a batch, worked out when somebody asks for it:
 * where none of them reaches the end of a window, which is nearly always, {@link #bound} answers.
 *
 * <p>A row's own watermark counts from the row after it on, so what is in force before row i is the
 * greatest of those of the rows before i and of what was in force before the batch. Of a batch
 * whose rows are a selection, they are picked after that.
 */
final class Watermarks {
  private final long before;
  private final LongColumn own;
  private final long bound;

  /** Which rows of {@link #own} they are for; null for all, in order. */
  private final int @Nullable [] rows;

  private final int count;

  private long @Nullable [] perRow;

  private Watermarks(long before, LongColumn own, long bound, int @Nullable [] rows, int count) {
    this.before = before;
    this.own = own;
    this.bound = bound;
    this.rows = rows;
    this.count = count;
  }

  /**
   * From the rows' own watermarks.
   *
   * @param before what is in force before the first row
   */
  static Watermarks after(long before, LongColumn own) {
    return new Watermarks(before, own, Math.max(before, own.greatest()), null, own.size());
  }

  /** Those given. */
  static Watermarks of(long[] perRow, int count) {
    LongColumn column = new LongColumn(perRow, null, count);
    Watermarks given = new Watermarks(Long.MIN_VALUE, column, column.greatest(), null, count);
    given.perRow = perRow;
    return given;
  }

  /** None of them is greater; nor is what is in force after the batch that they were made for. */
  long bound() {
    return bound;
  }

  /** One entry per row, at least. */
  long[] perRow() {
    long[] known = perRow;
    if (known == null) {
      known = rows == null ? running() : pick(running(), rows, count);
      perRow = known;
    }
    return known;
  }

  private long[] running() {
    long[] values = own.values();
    long[] running = new long[own.size()];
    long greatest = before;
    for (int i = 0; i < running.length; i++) {
      running[i] = greatest;
      if (!own.isNull(i) && values[i] > greatest) {
        greatest = values[i];
      }
    }
    return running;
  }

  private static long[] pick(long[] all, int[] rows, int count) {
    long[] picked = new long[count];
    for (int i = 0; i < picked.length; i++) {
      picked[i] = all[rows[i]];
    }
    return picked;
  }

  /**
   * Those of some rows.
   *
   * @param selected the rows, which must not change from now on
   */
  Watermarks gather(int[] selected, int count) {
    long[] known = perRow;
    if (known != null) {
      return of(pick(known, selected, count), count);
    }
    int[] composed = selected;
    if (rows != null) {
      composed = new int[count];
      for (int i = 0; i < count; i++) {
        composed[i] = rows[selected[i]];
      }
    }
    return new Watermarks(before, own, bound, composed, count);
  }
}
