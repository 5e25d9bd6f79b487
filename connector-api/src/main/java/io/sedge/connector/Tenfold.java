package io.sedge.connector;

/** Counts what may happen again and again, and tells when to say it: first, then each tenfold. */
public final class Tenfold {
  private long count;

  /**
   * Adds to the count.
   *
   * @param more at least 1
   * @return whether it was zero before, or has a digit more now
   */
  public boolean add(long more) {
    boolean due = count == 0 || digits(count + more) > digits(count);
    count += more;
    return due;
  }

  public long count() {
    return count;
  }

  private static int digits(long number) {
    return Long.toString(number).length();
  }
}
