package io.sedge.connector;

/**
 * How large the parts of an input are to be. They begin large, so that there are few of them, and
 * get smaller, so that devices of any speed end at about the same time: each is a fraction of what
 * is left (guided self-scheduling, Polychronopoulos and Kuck 1987), and none is less than the
 * smallest.
 *
 * @param shares the part of what is left that the next one is: 64 for a 64th
 * @param atMost how many parts there may be
 * @param leastBytes what is not worth a part of its own
 */
public record PartSizes(int shares, int atMost, long leastBytes) {
  /**
   * @throws IllegalArgumentException if one of them is not positive
   */
  public PartSizes {
    if (shares < 1 || atMost < 1 || leastBytes < 1) {
      throw new IllegalArgumentException(
          "shares=%d, atMost=%d, leastBytes=%d: none may be less than 1"
              .formatted(shares, atMost, leastBytes));
    }
  }

  /** For each of several inputs, so that all of them together have as many parts as this allows. */
  public PartSizes among(int inputs) {
    return new PartSizes(Math.max(1, shares / inputs), Math.max(1, atMost / inputs), leastBytes);
  }

  /**
   * How many bytes the next part is to have; who cuts may take a few more, never less, but for the
   * last part.
   *
   * @param total of the whole input
   * @param left of it that is in no part yet
   */
  public long next(long total, long left) {
    long least = Math.max(leastBytes, total / atMost + 1);
    return Math.max(least, left / shares);
  }
}
