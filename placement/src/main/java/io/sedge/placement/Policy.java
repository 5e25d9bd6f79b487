package io.sedge.placement;

/**
 * When moving is worth its price. Between {@code trigger} and {@code settle} lies the hysteresis: a
 * site that was brought to within {@code settle} of the bound is left alone until it is beyond
 * {@code trigger}. Shards that must move (their device is gone, their memory does not fit) move in
 * any case.
 *
 * @param trigger how far the makespan may be above the lower bound before shards move; 0.10 is 10 %
 * @param settle how near to the bound a change of places goes; at most {@code trigger}
 * @param calm the makespan up to which shards stay where they are: every device has time enough, so
 *     nobody gains by a move, and what is measured of devices that do little is least certain
 * @param leastGain the part of the makespan that a change of places must at least save
 * @param horizonSeconds a change must save more busy time of the fullest device in this time than
 *     its moves take, devices moving side by side
 * @param bytesPerSecond how fast state is sent when a shard moves
 */
public record Policy(
    double trigger,
    double settle,
    double calm,
    double leastGain,
    double horizonSeconds,
    double bytesPerSecond) {

  /** Refuses a settle beyond the trigger, which would let a site oscillate. */
  public Policy {
    Checks.atLeast(0, trigger, "trigger");
    Checks.atLeast(0, settle, "settle");
    Checks.atLeast(0, calm, "calm");
    Checks.atLeast(0, leastGain, "leastGain");
    Checks.atLeast(0, horizonSeconds, "horizonSeconds");
    Checks.atLeast(1, bytesPerSecond, "bytesPerSecond");
    if (settle > trigger) {
      throw new IllegalArgumentException(
          "settle=" + settle + " is above trigger=" + trigger + "; a plan would undo itself");
    }
  }

  /**
   * For streams: moves beyond 10 %, to within 2 %, if the fullest device is over a quarter busy, if
   * it saves 5 % and pays within a minute.
   */
  public static Policy forStreams() {
    return new Policy(0.10, 0.02, 0.25, 0.05, 60, 10e6);
  }

  /** The same with no makespan at which shards stay: for when a device has come to share them. */
  public Policy eager() {
    return new Policy(trigger, settle, 0, leastGain, horizonSeconds, bytesPerSecond);
  }

  /** The same without moves for balance: only what has to move does, and what makes room for it. */
  public Policy still() {
    return new Policy(trigger, settle, Double.MAX_VALUE, leastGain, horizonSeconds, bytesPerSecond);
  }

  /** What the move of a shard costs, in seconds. */
  public double price(Shard shard) {
    return shard.moveSeconds() + shard.stateBytes() / bytesPerSecond;
  }
}
