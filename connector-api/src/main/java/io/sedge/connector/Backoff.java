package io.sedge.connector;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before something that has failed is tried again: each time up to twice as long,
 * within bounds. A random part of up to a half is taken off, so that clients that lost the same
 * server do not all come at once.
 *
 * @param random what is taken off
 */
public record Backoff(Duration least, Duration most, RandomGenerator random) {
  /** One that takes nothing off, for what no others come to. */
  public static Backoff steady(Duration least, Duration most) {
    return new Backoff(least, most, () -> 0);
  }

  /**
   * The delay before the next attempt.
   *
   * @param failures in a row so far; at least 1
   */
  public Duration delay(int failures) {
    long nanos = least.toNanos();
    for (int i = 1; i < failures && nanos < most.toNanos(); i++) {
      nanos *= 2;
    }
    long longest = Math.min(nanos, most.toNanos());
    return Duration.ofNanos(longest - (long) (random.nextDouble() * (longest / 2.0)));
  }
}
