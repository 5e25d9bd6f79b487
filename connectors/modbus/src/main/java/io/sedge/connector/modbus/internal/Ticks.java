package io.sedge.connector.modbus.internal;

import io.sedge.connector.Reports;
import io.sedge.connector.Tenfold;
import java.time.Duration;

/**
 * Numbers the times to poll: the multiples of the interval since polling began. Those that pass
 * while the process stands still, or is busy, are counted and said. Belongs to the loop's thread.
 */
final class Ticks {
  /** A pause so long is said each time; of shorter ones the first and each tenfold. */
  private static final long LONG_NANOS = 1_000_000_000;

  private final long interval;
  private final Reports reports;
  private final Tenfold missed = new Tenfold();
  private long last = -1;
  private long lastMicros;

  Ticks(Duration interval, Reports reports) {
    this.interval = interval.toNanos();
    this.reports = reports;
  }

  /**
   * How many ticks there were since the last call: 1 as a rule, more if some were missed, 0 if it
   * is too early.
   *
   * @param elapsedNanos since polling began
   */
  long passed(long elapsedNanos) {
    long number = elapsedNanos / interval;
    if (last < 0) {
      last = number - 1;
    }
    long passed = number - last;
    if (passed <= 0) {
      return 0;
    }
    long now = reports.nowMicros();
    if (passed > 1) {
      miss(passed - 1, now);
    }
    last = number;
    lastMicros = now;
    return passed;
  }

  private void miss(long count, long nowMicros) {
    if (missed.add(count) || count * interval >= LONG_NANOS) {
      reports.warn(
          ("nothing was asked from %s to %s, as the process stood still or was busy: %d %s missed,"
                  + " %d so far")
              .formatted(
                  Reports.time(lastMicros),
                  Reports.time(nowMicros),
                  count,
                  count == 1 ? "poll was" : "polls were",
                  missed.count()));
    }
  }

  /** For how long there is none. */
  long untilNext(long elapsedNanos) {
    return interval - elapsedNanos % interval;
  }
}
