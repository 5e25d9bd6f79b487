package io.sedge.sql;

/** A user's aggregate: the difference of the greatest and the least value. */
public class Spread {
  /** What is kept of a group. */
  public static class Range {
    public double least = Double.POSITIVE_INFINITY;
    public double greatest = Double.NEGATIVE_INFINITY;
    public long count;
  }

  public Range createAccumulator() {
    return new Range();
  }

  public void accumulate(Range range, double value) {
    range.least = Math.min(range.least, value);
    range.greatest = Math.max(range.greatest, value);
    range.count++;
  }

  public Double getValue(Range range) {
    return range.count == 0 ? null : range.greatest - range.least;
  }

  public void merge(Range range, Iterable<Range> others) {
    for (Range other : others) {
      range.least = Math.min(range.least, other.least);
      range.greatest = Math.max(range.greatest, other.greatest);
      range.count += other.count;
    }
  }
}
