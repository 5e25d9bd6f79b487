package io.sedge.tensor.runtime;

import java.time.Duration;

/**
 * When the process of a server that ended by itself is started again: after a pause that doubles
 * from one attempt to the next, a bounded number of times in a row. A process that has served for
 * {@code settled} starts the count anew.
 *
 * @param attempts how many times in a row; 0 for never
 * @param first the pause before the first attempt
 * @param longest the longest pause
 * @param settled how long a process must have served for its end to be a new one
 */
public record RestartPolicy(int attempts, Duration first, Duration longest, Duration settled) {
  /** The most attempts in a row. */
  public static final int MOST_ATTEMPTS = 1_000;

  private static final Duration MOST_PAUSE = Duration.ofHours(1);

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException for attempts outside of 0 to {@value #MOST_ATTEMPTS}, or
   *     pauses that are negative, in the wrong order or over an hour
   */
  public RestartPolicy {
    if (attempts < 0 || attempts > MOST_ATTEMPTS) {
      throw new IllegalArgumentException(
          "restart attempts " + attempts + " are not from 0 to " + MOST_ATTEMPTS);
    }
    if (first.isNegative() || longest.compareTo(first) < 0 || longest.compareTo(MOST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "restart pauses from " + first + " to " + longest + " are not from 0 up to an hour");
    }
    if (settled.isNegative()) {
      throw new IllegalArgumentException("settled " + settled + " is negative");
    }
  }

  /** A process that ended stays so. */
  public static RestartPolicy never() {
    return new RestartPolicy(0, Duration.ZERO, Duration.ZERO, Duration.ZERO);
  }

  /** Ten times in a row, from a tenth of a second to ten seconds; anew after half a minute. */
  public static RestartPolicy backingOff() {
    return new RestartPolicy(
        10, Duration.ofMillis(100), Duration.ofSeconds(10), Duration.ofSeconds(30));
  }

  /** The pause before an attempt, of which the first is number 0. */
  Duration pause(int attempt) {
    Duration pause = first;
    for (int i = 0; i < attempt && pause.compareTo(longest) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
