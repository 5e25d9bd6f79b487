package io.sedge.site.internal.device;

import io.sedge.ledger.Limits;

/**
 * For how long a device that is silent is waited for: the same on every device, since it follows
 * from the site's limits alone.
 *
 * @param goneNanos after so long without a report a device is gone
 */
record Silence(long goneNanos) {
  private static final long SHORTEST_REPORT_NANOS = 250_000_000L;
  private static final long LONGEST_REPORT_NANOS = 1_000_000_000L;
  private static final long MILLI = 1_000_000;
  private static final long SHORTEST_LEASE_NANOS = 4_000_000_000L;

  static Silence of(Limits limits) {
    return new Silence(limits.silenceMillis() * MILLI);
  }

  /**
   * Between two reports of a device that is well: three may be lost. No more often than a device at
   * rest should wake up for, nor more seldom than what is measured goes with them.
   */
  long reportNanos() {
    return Math.clamp(goneNanos / 4, SHORTEST_REPORT_NANOS, LONGEST_REPORT_NANOS);
  }

  /**
   * After so long a device is suspect: half of the silence, but no less than two reports take, or a
   * device would be suspect between any two of them.
   */
  long suspectNanos() {
    return Math.max(goneNanos / 2, 2 * reportNanos());
  }

  /** After so long a device that is starting is gone; its lease is no shorter. */
  long startNanos() {
    return 2 * goneNanos;
  }

  /** Gaps between reports from here on are no lateness. */
  long outageNanos() {
    return 3 * goneNanos;
  }

  /**
   * After so long without an answer a device ends its tasks itself. That must be more than the
   * silence, with time for the others to give its tasks away and start them: else a site whose
   * ledger stands still for a moment, in an election for example, would lose tasks that nobody has
   * taken over. Twice the silence leaves as much time for that as passed before; four seconds are
   * some elections long. More would only prolong the fight of a device that is cut off with the new
   * owners of its sources.
   */
  long leaseNanos() {
    return Math.max(SHORTEST_LEASE_NANOS, 2 * goneNanos);
  }
}
