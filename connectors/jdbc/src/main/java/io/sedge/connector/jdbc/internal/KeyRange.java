package io.sedge.connector.jdbc.internal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rows by the values of a column, both bounds within.
 *
 * @param column a whole number, by position in the table's schema
 */
record KeyRange(int column, long from, long to) {
  private static final Pattern TEXT = Pattern.compile("(-?\\d{1,19})\\.\\.(-?\\d{1,19})");

  KeyRange {
    if (from > to) {
      throw new IllegalArgumentException("%d is above %d".formatted(from, to));
    }
  }

  /** At most so many ranges of about the same width, in order. */
  List<KeyRange> cut(int parts) {
    BigInteger width =
        BigInteger.valueOf(to).subtract(BigInteger.valueOf(from)).add(BigInteger.ONE);
    int count = width.min(BigInteger.valueOf(parts)).intValueExact();
    List<KeyRange> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(new KeyRange(column, at(width, i, count), at(width, i + 1, count) - 1));
    }
    return ranges;
  }

  /** Where a range begins; past the last value of all it wraps, as its end does then. */
  private long at(BigInteger width, int range, int count) {
    return BigInteger.valueOf(from)
        .add(width.multiply(BigInteger.valueOf(range)).divide(BigInteger.valueOf(count)))
        .longValue();
  }

  /** Its bounds, {@code 1..100}, as {@link #parse} takes them. */
  String text() {
    return from + ".." + to;
  }

  /**
   * A range of the same column.
   *
   * @throws IllegalArgumentException if it is none, or not within this one
   */
  KeyRange parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      KeyRange range =
          new KeyRange(column, Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)));
      if (range.from >= from && range.to <= to) {
        return range;
      }
    }
    throw new IllegalArgumentException("there is no shard '%s' within %s".formatted(text, text()));
  }
}
