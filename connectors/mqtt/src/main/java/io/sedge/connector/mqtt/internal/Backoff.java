package io.sedge.connector.mqtt.internal;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delays between attempts: each up to twice the one before, within bounds, of which a random part
 * of up to a half is taken off, so that clients that lost the same broker do not all come at once.
 */
final class Backoff {
  private final long minMillis;
  private final long maxMillis;
  private final RandomGenerator random;

  Backoff(Duration min, Duration max, RandomGenerator random) {
    this.minMillis = min.toMillis();
    this.maxMillis = max.toMillis();
    this.random = random;
  }

  /**
   * The delay before an attempt.
   *
   * @param failures in a row so far; at least 1
   */
  Duration delay(int failures) {
    long doubled = minMillis << Math.min(failures - 1, 30);
    long most = doubled < minMillis ? maxMillis : Math.min(doubled, maxMillis);
    return Duration.ofMillis(most - (long) (random.nextDouble() * (most / 2.0)));
  }
}
