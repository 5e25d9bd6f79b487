package io.sedge.center.store;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * How far a version of a job is at a site.
 *
 * @param wave that the site is of; 0 before the waves are known
 * @param before the version that the site had; 0 for none
 * @param detail why it is in its state; may be empty
 * @param order the order that was given last for it
 * @param tries how often an order has failed, one after the other
 * @param gateAt since when the site is watched
 * @param malformed what could not be read when watching began; -1 if not known
 * @param failures of tasks when watching began; -1 if not known
 */
public record Rollout(
    String job,
    long version,
    String site,
    int wave,
    long before,
    State state,
    String detail,
    Instant stateAt,
    Optional<UUID> order,
    int tries,
    Optional<Instant> gateAt,
    long malformed,
    long failures) {

  /**
   * A site's way:
   *
   * <pre>
   *   WAITING ─> CHECKING ─> CHECKED ─> SENT ─> GATED ─> HEALTHY
   *      ▲          │                    │        │         │
   *      │          └─> REFUSED          └────────┴─────────┴─> FAILED, or ROLLING_BACK
   *      └─ AWAY <─ any of them before HEALTHY                  ─> ROLLED_BACK
   *   REMOVING ─> REMOVED
   * </pre>
   */
  public enum State {
    /** Nothing was asked of the site. */
    WAITING(true),
    /** It was asked whether it can run the script. */
    CHECKING(true),
    /** It can. */
    CHECKED(true),
    /** It was told to run it. */
    SENT(true),
    /** It does, and is watched. */
    GATED(true),
    /** It does not answer; it is given the version when it does. */
    AWAY(true),
    /** It has the version before, or is about to. */
    ROLLING_BACK(true),
    /** It is told to remove the job. */
    REMOVING(true),
    /** It was well for long enough. */
    HEALTHY(false),
    /** It cannot run the script; nothing was changed there. */
    REFUSED(false),
    /** It could not run it, or was not well. */
    FAILED(false),
    ROLLED_BACK(false),
    REMOVED(false),
    /** The version ended, or a later one came, before anything was changed there. */
    UNTOUCHED(false);

    private final boolean open;

    State(boolean open) {
      this.open = open;
    }

    /** Whether something is still to be done. */
    public boolean isOpen() {
      return open;
    }
  }

  /** One of which nothing was asked. */
  static Rollout first(
      String job, long version, String site, long before, State state, Instant now) {
    return unwatched(job, version, site, 0, before, state, "", now, Optional.empty(), 0);
  }

  private static Rollout unwatched(
      String job,
      long version,
      String site,
      int wave,
      long before,
      State state,
      String detail,
      Instant stateAt,
      Optional<UUID> order,
      int tries) {
    return new Rollout(
        job,
        version,
        site,
        wave,
        before,
        state,
        detail,
        stateAt,
        order,
        tries,
        Optional.empty(),
        -1,
        -1);
  }

  private Rollout unwatched(
      State next, String why, Instant at, Optional<UUID> given, int triesSoFar) {
    return unwatched(job, version, site, wave, before, next, why, at, given, triesSoFar);
  }

  /** The same in another state, with nothing known of orders and the gate. */
  public Rollout in(State next, String why, Instant at) {
    return unwatched(next, why, at, Optional.empty(), 0);
  }

  /** The same with an order. */
  public Rollout withOrder(State next, UUID given, Instant at) {
    return unwatched(next, detail, at, Optional.of(given), tries);
  }

  /** The same, whose order has failed and is to be given again. */
  public Rollout failed(String why, Instant at) {
    return unwatched(state, why, at, Optional.empty(), tries + 1);
  }

  /** The same, of a site that does not answer; its order may be done when it does. */
  public Rollout away(Instant at) {
    boolean mayBeDone = state == State.SENT || state == State.GATED;
    return unwatched(State.AWAY, "", at, mayBeDone ? order : Optional.empty(), 0);
  }

  /** The same, watched from now on. */
  public Rollout watched(Instant at, long malformedNow, long failuresNow) {
    return new Rollout(
        job,
        version,
        site,
        wave,
        before,
        state,
        detail,
        stateAt,
        order,
        tries,
        Optional.of(at),
        malformedNow,
        failuresNow);
  }

  /** The same in a wave. */
  public Rollout ofWave(int number) {
    return new Rollout(
        job, version, site, number, before, state, detail, stateAt, order, tries, gateAt, malformed,
        failures);
  }
}
