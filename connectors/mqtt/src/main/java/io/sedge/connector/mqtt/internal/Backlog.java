package io.sedge.connector.mqtt.internal;

import io.sedge.mqtt.Repetition;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a job keeps up with its broker. It is behind when messages have waited for it for {@link
 * #PATIENCE} at two polls and it has not caught up in between: a single one may follow a pause of
 * the whole process, in which nobody can tell when its message came. It has caught up when for as
 * long none has waited for {@link #CALM}: a job that is behind takes what waits in bursts, from
 * commit to commit, and those that come in between do not wait at all. Not thread-safe.
 */
final class Backlog {
  static final Duration PATIENCE = Duration.ofSeconds(3);
  static final Duration CALM = Duration.ofMillis(500);

  private final Repetition repetition = new Repetition(1);
  private boolean lateBefore;
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
      boolean late = waited.compareTo(PATIENCE) >= 0;
      boolean behind = late && lateBefore;
      lateBefore |= late;
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
    boolean over = nowNanos - calmSinceNanos >= PATIENCE.toNanos();
    boolean caughtUp = said && over;
    lateBefore &= !over;
    said &= !over;
    return caughtUp ? Optional.of(Change.CAUGHT_UP) : Optional.empty();
  }
}
