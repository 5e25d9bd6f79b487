package io.sedge.task;

/**
 * Payloads or rows that a job has left out for one reason; reasons that differ only in numbers and
 * in what is quoted are one.
 *
 * @param table that they come from, or that they were for
 * @param reason of the first of them
 * @param sample what the first of them held, cut
 * @param count how many there were
 */
public record LeftOut(String table, What what, String reason, String sample, long count) {
  /** What was left out. */
  public enum What {
    /** Could not be decoded. */
    PAYLOAD("malformed payload", "payloads malformed"),
    /** An expression failed for it. */
    ROW("a row is left out", "rows left out"),
    /** Has no event time. */
    TIMELESS("a row is dropped", "rows dropped"),
    /** Has an event time too far ahead of the clock. */
    EARLY("a reading is ahead of the clock", "readings ahead of the clock"),
    /** The sink's format or target does not take it. */
    UNWRITTEN("a row is not written", "rows not written");

    private final String one;
    private final String many;

    What(String one, String many) {
      this.one = one;
      this.many = many;
    }

    /** One of them, in words. */
    public String one() {
      return one;
    }

    /** Several of them, in words. */
    public String many() {
      return many;
    }
  }
}
