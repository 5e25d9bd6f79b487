package io.sedge.center.store.internal;

import java.util.concurrent.atomic.LongAdder;

/**
 * Values that no database can hold, and what is stored instead, so that one of them does not stop a
 * stream. Each is counted.
 *
 * <pre>
 *   value                              stored as
 *   the character NUL in a string      U+FFFD
 *   a time before year 1 or after 9999 the first or last microsecond of these years
 *   NaN, on SQLite                     NULL
 * </pre>
 */
final class Repairs {
  private static final char REPLACEMENT = '\ufffd';

  private final LongAdder count = new LongAdder();

  long count() {
    return count.sum();
  }

  /** One value is stored as another. */
  void repaired() {
    count.increment();
  }

  /** A string that every database takes. */
  String string(String value) {
    if (value.indexOf('\0') < 0) {
      return value;
    }
    repaired();
    return value.replace('\0', REPLACEMENT);
  }

  /** A number within bounds. */
  long clamp(long value, long least, long greatest) {
    if (value >= least && value <= greatest) {
      return value;
    }
    repaired();
    return value < least ? least : greatest;
  }
}
