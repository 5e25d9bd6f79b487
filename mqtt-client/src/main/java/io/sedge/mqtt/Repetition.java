package io.sedge.mqtt;

import java.time.Duration;

/**
 * When to say again what goes on being so: the first few times at once, then after gaps that double
 * from a minute to an hour, so that a log stays readable however long an outage lasts. Not
 * thread-safe.
 */
public final class Repetition {
  private static final long FIRST_GAP_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long LONGEST_GAP_MILLIS = Duration.ofHours(1).toMillis();

  private final int atOnce;
  private int said;
  private long gapMillis = FIRST_GAP_MILLIS;
  private long lastMillis;

  /**
   * @param atOnce how often it is said without a gap
   */
  public Repetition(int atOnce) {
    this.atOnce = atOnce;
  }

  /**
   * Whether to say it now; if so, it counts as said.
   *
   * @param nowMillis by any clock; one that is set back makes a gap longer
   */
  public boolean isDue(long nowMillis) {
    if (said >= atOnce) {
      if (nowMillis - lastMillis < gapMillis) {
        return false;
      }
      gapMillis = Math.min(2 * gapMillis, LONGEST_GAP_MILLIS);
    }
    said++;
    lastMillis = nowMillis;
    return true;
  }

  /** It is over; the next time is a first time. */
  public void reset() {
    said = 0;
    gapMillis = FIRST_GAP_MILLIS;
  }
}
