package io.sedge.connector.host;

/**
 * What a counter was a little while ago.
 *
 * <p>Kernels count processor time in steps of 10 ms and others in bursts, so a difference over one
 * short period would be noise (at 100 Hz a processor is 0 % or 100 % busy). A rate or share is
 * therefore taken over the last {@link #SPAN_NANOS} or the sampling period, whichever is longer: as
 * many readings as one asks for, each over a tenth of a second at least. Bounded by the samples of
 * one span at the highest rate.
 */
final class History {
  /** A tenth of a second less what a thread may wake up early or late. */
  static final long SPAN_NANOS = 95_000_000;

  private final long[] times;
  private final double[] raws;
  private final double[] wholes;
  private int oldest;
  private int size;

  History(double maxRateHz) {
    int capacity = (int) Math.ceil(maxRateHz * SPAN_NANOS / 1e9) + 2;
    times = new long[capacity];
    raws = new double[capacity];
    wholes = new double[capacity];
  }

  void clear() {
    size = 0;
  }

  /**
   * Takes a sample and gives the measure since the newest one that is a span old; NaN if there is
   * none yet, if the counter has been reset, or if the whole has not grown.
   */
  double add(Measure measure, long nanos, double raw, double whole) {
    while (size > 1 && nanos - times[at(1)] >= SPAN_NANOS) {
      drop();
    }
    double result = Double.NaN;
    if (size > 0 && (raw < raws[oldest] || whole < wholes[oldest])) {
      clear();
    } else if (size > 0 && nanos - times[oldest] >= SPAN_NANOS) {
      double growth = raw - raws[oldest];
      result =
          switch (measure) {
            case GAUGE -> raw;
            case RATE -> growth / ((nanos - times[oldest]) / 1e9);
            case SHARE -> growth / (whole - wholes[oldest]);
          };
    }
    if (size < times.length) {
      int slot = at(size++);
      times[slot] = nanos;
      raws[slot] = raw;
      wholes[slot] = whole;
    }
    return result;
  }

  private void drop() {
    oldest = at(1);
    size--;
  }

  private int at(int index) {
    return (oldest + index) % times.length;
  }
}
