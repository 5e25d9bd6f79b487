package io.sedge.replication.internal;

import io.sedge.replication.LedgerException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Changes who belongs to the ledger, within a time, in attempts of which each names all members
 * before it and after it. What Ratis (3.3.0) offers to add one leaves out the followers that there
 * are: LeaderStateImpl.startSetConfiguration takes those of the request alone. An attempt that
 * another change has overtaken, or whose answer was lost, is made again from what this member knows
 * by then. Of one thread.
 */
final class Reconfiguration {
  static final Duration PAUSE = Duration.ofMillis(100);

  /** The members, as one of them knows them and changes them. */
  interface Group {
    /** Who belongs, which may be behind; empty while that is being changed. */
    Optional<Roles> roles();

    /** Makes an attempt: who belongs changes if it is as said. */
    void set(Roles from, Roles to, String what, Duration timeout) throws LedgerException;

    /** Waits; false if the member has ended meanwhile. */
    boolean pause(Duration time);
  }

  /** What is to be changed; asked again for each attempt, so it must bear to be done already. */
  interface Change {
    /**
     * @throws LedgerException if it cannot be
     */
    Roles of(Roles now) throws LedgerException;
  }

  private final Group group;
  private final LongSupplier nanoClock;
  private final long endNanos;

  Reconfiguration(Group group, Duration timeout, LongSupplier nanoClock) {
    this.group = group;
    this.nanoClock = nanoClock;
    this.endNanos = nanoClock.getAsLong() + timeout.toNanos();
  }

  /** Does it from what this member knows. */
  Roles carryOut(String what, Change change) throws LedgerException {
    return carryOut(what, group.roles(), change);
  }

  /**
   * Does it from who is known to belong; returns who does then.
   *
   * @throws LedgerException if it cannot be, or was not done in time
   */
  Roles carryOut(String what, Optional<Roles> known, Change change) throws LedgerException {
    Optional<Roles> from = known;
    LedgerException last = new LedgerException(what + ": who belongs is being changed by another");
    while (true) {
      Duration left = Duration.ofNanos(endNanos - nanoClock.getAsLong());
      if (from.isPresent()) {
        Roles to = change.of(from.get());
        if (to.equals(from.get())) {
          return to;
        }
        if (left.isPositive()) {
          try {
            group.set(from.get(), to, what, left);
            return to;
          } catch (LedgerException e) {
            last = e;
          }
        }
      }
      if (!left.isPositive() || !group.pause(PAUSE)) {
        throw last;
      }
      from = group.roles();
    }
  }
}
