package io.sedge.sql.internal;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a column of a relation is besides its type: a time attribute, or a bound of a window.
 *
 * @param window the window function whose bound it is, or null
 */
record ColumnRole(Kind kind, @Nullable WindowCall window) {
  /** The kinds of column that operators in event time care for. */
  enum Kind {
    PLAIN,
    /** Event time with watermarks. */
    ROW_TIME,
    /** The clock's time, PROCTIME(). */
    PROCESSING_TIME,
    WINDOW_START,
    WINDOW_END,
    /** Event time of a window's result: its end less 1 ms. */
    WINDOW_TIME
  }

  static final ColumnRole PLAIN = new ColumnRole(Kind.PLAIN, null);
  static final ColumnRole ROW_TIME = new ColumnRole(Kind.ROW_TIME, null);
  static final ColumnRole PROCESSING_TIME = new ColumnRole(Kind.PROCESSING_TIME, null);

  static List<ColumnRole> plain(int columns) {
    return Collections.nCopies(columns, PLAIN);
  }

  /** Whether windows and intervals may be laid over it. */
  boolean isEventTime() {
    return kind == Kind.ROW_TIME || kind == Kind.WINDOW_TIME;
  }

  /** Whether it is a bound of a window of that call. */
  boolean isBoundOf(@Nullable WindowCall call) {
    return window != null && window.equals(call);
  }
}
