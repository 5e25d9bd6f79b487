package io.sedge.mqtt;

import io.sedge.connector.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * What is done and said about a connection that was lost or cannot be made: how long to wait before
 * the next attempt, and which reports are worth it. Not thread-safe.
 *
 * <p>A connection that was lost sooner than the delay before it took counts as one more failure, so
 * a broker that takes connections and drops them at once is tried ever more rarely too. Reports are
 * bounded by {@link Repetition}, which begins anew when a connection has held for {@link #HELD}.
 */
final class Outage {
  /** A connection that held so long ends an outage. */
  static final Duration HELD = Duration.ofMinutes(1);

  /** So many failures are said before the gaps begin. */
  static final int SAID_AT_ONCE = 8;

  private static final long LEAST_MILLIS = 1000;

  private final Backoff backoff;
  private final Repetition repetition = new Repetition(SAID_AT_ONCE);
  private int failures;
  private int attempts;
  private long delayMillis;
  private long connectedMillis;
  private boolean lossSaid;

  Outage(Backoff backoff) {
    this.backoff = backoff;
  }

  /**
   * What to do about a failure.
   *
   * @param shortLived whether connections are made and soon lost, again and again
   */
  record Step(Duration delay, boolean said, boolean shortLived) {}

  /**
   * A connection was lost, or an attempt failed.
   *
   * @param lost whether it had been connected
   */
  Step failed(boolean lost, long nowMillis) {
    if (lost) {
      long held = nowMillis - connectedMillis;
      if (held >= Math.max(LEAST_MILLIS, delayMillis)) {
        failures = 0;
      }
      if (held >= HELD.toMillis()) {
        repetition.reset();
      }
    } else {
      attempts++;
    }
    failures++;
    Duration delay = backoff.delay(failures);
    delayMillis = delay.toMillis();
    boolean said = repetition.isDue(nowMillis);
    lossSaid |= said;
    return new Step(delay, said, lost && failures > 2);
  }

  /**
   * It is connected.
   *
   * @return the failed attempts before, if that is to be said: it is where a failure was
   */
  Optional<Integer> connected(long nowMillis) {
    Optional<Integer> before = lossSaid ? Optional.of(attempts) : Optional.empty();
    connectedMillis = nowMillis;
    attempts = 0;
    lossSaid = false;
    return before;
  }
}
