package io.sedge.center.store;

import java.time.Duration;

/**
 * How much a query may take.
 *
 * @param time how long it may run
 * @param rows how many rows it may return; the rest is left out
 * @param bytes how many bytes of values it may return; the rest is left out
 */
public record QueryLimits(Duration time, long rows, long bytes) {
  /** 30 seconds, 10,000 rows, 16 MB. */
  public static final QueryLimits DEFAULT =
      new QueryLimits(Duration.ofSeconds(30), 10_000, 16L << 20);

  public QueryLimits {
    if (time.isNegative() || time.isZero() || rows < 1 || bytes < 1) {
      throw new IllegalArgumentException(
          "a query limited to %s, %d rows and %d bytes: each is above 0"
              .formatted(time, rows, bytes));
    }
  }
}
