package io.sedge.learning;

/**
 * How far values are from those that a model was trained from: the population stability index
 * (PSI), the sum over bins of {@code (p - q) ln(p / q)}, where p and q are the shares of the values
 * in a bin, now and then. It has no unit. Usual bounds: below 0.1 nothing has changed, above 0.25
 * much has (Siddiqi, "Credit Risk Scorecards", 2006).
 *
 * <p>A bin that is empty then and now is left out: it says nothing. A bin of the training has half
 * a row more than was counted (Krichevsky, Trofimov, IEEE Transactions on Information Theory 27,
 * 1981): an empty one would make the index infinite. To the scored rows as many rows are added, but
 * in the shares of the training: so equal shares stay equal, however few rows are scored.
 */
public final class StabilityIndex {
  private static final double MORE = 0.5;

  /** What one of a thousand normal values is above, in deviations. */
  private static final double ONE_OF_A_THOUSAND = 3.090232306167813;

  private StabilityIndex() {}

  /**
   * The index.
   *
   * @param then counts of bins
   * @param now counts of the same bins
   * @return 0 or more
   */
  public static double of(long[] then, long[] now) {
    double more = MORE * bins(then, now);
    double thenAll = sum(then) + more;
    double nowAll = sum(now) + more;
    double index = 0;
    for (int bin = 0; bin < then.length; bin++) {
      if (then[bin] + now[bin] > 0) {
        double q = (then[bin] + MORE) / thenAll;
        double p = (now[bin] + more * q) / nowAll;
        index += (p - q) * Math.log(p / q);
      }
    }
    return index;
  }

  /** How many have a row, then or now. */
  private static int bins(long[] then, long[] now) {
    int bins = 0;
    for (int bin = 0; bin < then.length; bin++) {
      bins += then[bin] + now[bin] > 0 ? 1 : 0;
    }
    return bins;
  }

  /**
   * What the index exceeds in one window of a thousand although nothing has changed, if rows are
   * independent of each other: (1/N + 1/M) times the quantile 0.999 of chi square with a degree of
   * freedom less than bins with a row (Yurdakul, Naranjo, Journal of Risk Model Validation 14,
   * 2020), by Wilson's and Hilferty's formula (PNAS 17, 1931).
   *
   * @param then counts of bins, some of them positive
   * @param now counts of the same bins, some of them positive
   */
  public static double byChance(long[] then, long[] now) {
    double freedom = Math.max(1, bins(then, now) - 1);
    double spread = 2 / (9 * freedom);
    double root = 1 - spread + ONE_OF_A_THOUSAND * Math.sqrt(spread);
    return (1.0 / sum(then) + 1.0 / sum(now)) * freedom * root * root * root;
  }

  private static long sum(long[] counts) {
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }
}
