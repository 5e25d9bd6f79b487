package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import java.util.Arrays;

/**
 * The groups of one slice of time, and the rows of the batch at hand that belong to it. Rows that
 * follow each other are held as a span; only a second span makes them a list.
 */
final class Slice {
  /** The end, in local microseconds. */
  final long end;

  final Groups groups;

  /** The instants that fall into the slice, or some of them where a clock changes within it. */
  long from;

  long until;

  /** From this watermark on the slice's first window is over. */
  final long overAt;

  private int spanFrom;
  private int spanTo;
  private int[] rows = {};
  private int count;

  Slice(long end, long overAt, Groups groups) {
    this.end = end;
    this.overAt = overAt;
    this.groups = groups;
  }

  boolean holds(long instant) {
    return instant >= from && instant < until;
  }

  boolean hasRows() {
    return count > 0 || spanTo > spanFrom;
  }

  /** Takes the rows {@code first} to {@code end - 1} of the batch at hand. */
  void take(int first, int endRow) {
    if (!hasRows()) {
      spanFrom = first;
      spanTo = endRow;
    } else if (count == 0 && spanTo == first) {
      spanTo = endRow;
    } else {
      if (count == 0) {
        appendSpan(spanFrom, spanTo);
      }
      appendSpan(first, endRow);
    }
  }

  private void appendSpan(int first, int endRow) {
    int needed = count + endRow - first;
    if (needed > rows.length) {
      rows = Arrays.copyOf(rows, Math.max(needed, rows.length * 2));
    }
    for (int row = first; row < endRow; row++) {
      rows[count++] = row;
    }
  }

  /**
   * Accumulates the rows taken.
   *
   * @param order where each row of the batch at hand is in {@code source}
   */
  void accumulate(Batch source, int[] order, int mark) {
    if (count > 0) {
      for (int i = 0; i < count; i++) {
        rows[i] = order[rows[i]];
      }
      groups.add(source, rows, count, mark);
    } else if (spanFrom == 0) {
      groups.add(source, order, spanTo, mark);
    } else if (spanTo > spanFrom) {
      groups.add(source, Arrays.copyOfRange(order, spanFrom, spanTo), spanTo - spanFrom, mark);
    }
    count = 0;
    spanFrom = 0;
    spanTo = 0;
  }
}
