package io.sedge.connector.modbus.internal;

import java.time.Duration;

/**
 * How long to wait before something that has failed is tried again: each time twice as long, from
 * the least to the most.
 */
record Pauses(Duration least, Duration most) {
  /**
   * The pause before the next attempt, in nanoseconds.
   *
   * @param failures in a row so far; at least 1
   */
  long nanos(int failures) {
    long pause = least.toNanos();
    for (int i = 1; i < failures && pause < most.toNanos(); i++) {
      pause *= 2;
    }
    return Math.min(pause, most.toNanos());
  }
}
