package io.sedge.task;

import static java.util.Objects.requireNonNull;

import java.util.function.UnaryOperator;

/**
 * Payloads or rows that a job has left out for one reason; reasons that differ only in numbers and
 * in what is quoted are one.
 *
 * @param table that they come from, or that they were for
 * @param kind what is the same in all of them: the reason without what differs. It tells reasons
 *     apart, and is not for people
 * @param reason of the first of them, cut
 * @param sample what the first of them held, cut
 * @param count how many there were
 */
public record LeftOut(
    String table, What what, String kind, String reason, String sample, long count) {
  public LeftOut {
    requireNonNull(table, "no table");
    requireNonNull(what, "no kind of loss");
    requireNonNull(kind, "no kind of reason");
    requireNonNull(reason, "no reason");
    requireNonNull(sample, "no sample");
  }

  /** What tells a reason from others. */
  public record Key(String table, What what, String kind) {}

  /** What tells this reason from others, whichever task or device has met it. */
  public Key key() {
    return new Key(table, what, kind);
  }

  /** The same with other words for what may have secrets or cannot be printed. */
  public LeftOut with(UnaryOperator<String> words) {
    return new LeftOut(
        words.apply(table),
        what,
        words.apply(kind),
        words.apply(reason),
        words.apply(sample),
        count);
  }

  /** The same reason with as many more. */
  LeftOut plus(long more) {
    return new LeftOut(table, what, kind, reason, sample, count + more);
  }

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
