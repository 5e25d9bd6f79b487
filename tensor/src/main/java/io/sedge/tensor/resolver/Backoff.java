package io.sedge.tensor.resolver;

import java.time.Duration;

/**
 * How often, and how long after each other, something is tried. Each pause is twice the one before.
 *
 * @param attempts how often, the first included
 * @param first the pause after the first attempt
 * @param most the longest pause
 */
public record Backoff(int attempts, Duration first, Duration most) {
  /** Checks that there is an attempt, and that pauses are not negative. */
  public Backoff {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts=" + attempts + " is not 1 or more");
    }
    if (first.isNegative() || most.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "pauses from " + first + " to " + most + " are not from 0 upwards");
    }
  }

  /** The pause after an attempt, counted from 1. */
  Duration after(int attempt) {
    Duration pause = first;
    for (int doubled = 1; doubled < attempt && pause.compareTo(most) < 0; doubled++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(most) < 0 ? pause : most;
  }
}
