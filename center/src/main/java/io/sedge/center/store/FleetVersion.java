package io.sedge.center.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A version of a job over many sites: a script that is given to sites, or that the job is removed.
 *
 * @param version of the job, from 1 on
 * @param script empty for a removal
 * @param merged whether the center merges the windows of the sites
 * @param sites how they were chosen, for people
 * @param waves how many sites are given it at once, in their order, as {@code 1}, {@code 25%} or
 *     {@code rest}
 * @param gate for how long a site must be well before the next wave
 * @param maxLag how far its results may be behind the clock then
 * @param wave the wave that is under way; 0 before the first
 * @param detail why it is in its state; may be empty
 */
public record FleetVersion(
    String job,
    long version,
    Action action,
    String script,
    boolean merged,
    String sites,
    List<String> waves,
    Duration gate,
    Duration maxLag,
    String givenBy,
    Instant givenAt,
    int wave,
    State state,
    String detail,
    Instant stateAt) {
  public FleetVersion {
    waves = List.copyOf(waves);
  }

  /** What is done with it. */
  public enum Action {
    /** Sites are to run it. */
    DEPLOY,
    /** Sites say whether they could run it. */
    CHECK,
    /** Sites are to run the job no more. */
    REMOVE
  }

  /**
   * How far it is:
   *
   * <pre>
   *   CHECKING ─> ROLLING ─> DONE          sites that were away are given it still
   *      │  │        │         │
   *      │  │        └─────────┴─> ROLLING_BACK ─> ROLLED_BACK
   *      │  └─> CHECKED                    where no more was asked
   *      └─> REFUSED                       nothing was changed anywhere
   *   A CHECK that is taken back goes to ROLLING_BACK too; no site was changed.
   *   REMOVING ─> REMOVED
   * </pre>
   */
  public enum State {
    CHECKING,
    ROLLING,
    ROLLING_BACK,
    REMOVING,
    CHECKED,
    REFUSED,
    DONE,
    ROLLED_BACK,
    REMOVED;

    /** Whether it is at its end, but for sites that were away. */
    public boolean isFinal() {
      return compareTo(CHECKED) >= 0;
    }
  }

  /** Whether it was given to sites, or may be. */
  boolean changesSites() {
    return action != Action.CHECK && state != State.REFUSED;
  }

  /** The wave of sites that could not be asked before the first one. */
  public int lateWave() {
    return waves.size() + 2; // Waves may leave some sites over, which are of one more.
  }

  /** The same in another state. */
  public FleetVersion in(State next, String why, Instant at) {
    return new FleetVersion(
        job, version, action, script, merged, sites, waves, gate, maxLag, givenBy, givenAt, wave,
        next, why, at);
  }

  /** The same in another wave. */
  public FleetVersion inWave(int next) {
    return new FleetVersion(
        job, version, action, script, merged, sites, waves, gate, maxLag, givenBy, givenAt, next,
        state, detail, stateAt);
  }
}
