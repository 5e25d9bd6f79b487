package io.sedge.connector.mqtt.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether a job keeps up with its broker. It is behind when a message has waited for it for {@link
 * #PATIENCE}, and has caught up when for as long none has waited for {@link #CALM}: a job that is
 * behind takes what waits in bursts, from commit to commit, and those that come in between do not
 * wait at all. Not thread-safe.
 */
final class Backlog {
  static final Duration PATIENCE = Duration.ofSeconds(3);
  static final Duration CALM = Duration.ofMillis(500);

  private final Repetition repetition = new Repetition(1);
  private boolean said;
  private boolean calm;
  private long calmSinceNanos;

  /** What is to be said. */
  enum Change {
    BEHIND,
    CAUGHT_UP
  }

  /**
   * Tells of a poll.
   *
   * @param waited for how long the first message of it had waited; nothing if there was none
   */
  Optional<Change> polled(long nowNanos, Duration waited) {
    if (waited.compareTo(CALM) >= 0) {
      calm = false;
      boolean behind = waited.compareTo(PATIENCE) >= 0;
      if (behind && repetition.isDue(nowNanos / 1_000_000)) {
        said = true;
        return Optional.of(Change.BEHIND);
      }
      return Optional.empty();
    }
    if (!calm) {
      calm = true;
      calmSinceNanos = nowNanos;
    }
    boolean over = said && nowNanos - calmSinceNanos >= PATIENCE.toNanos();
    said &= !over;
    return over ? Optional.of(Change.CAUGHT_UP) : Optional.empty();
  }
}
