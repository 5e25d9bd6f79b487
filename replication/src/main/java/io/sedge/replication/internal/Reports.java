package io.sedge.replication.internal;

import io.sedge.replication.LedgerListener;
import io.sedge.replication.LedgerListener.Severity;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Says what happens, each kind of thing at most once a minute: repeats are counted, and the count
 * is said with the next one. Kinds are few and fixed. Any thread.
 */
final class Reports {
  static final long GAP_NANOS = 60_000_000_000L;

  /** What is told apart for repeats. */
  enum Kind {
    LEADER,
    NO_LEADER,
    SLOW_FOLLOWER,
    DISK,
    LOG,
    LOG_OPENED,
    SNAPSHOT,
    MEMBERSHIP,
    REFUSED,
    FAILURE
  }

  private record Last(long nanos, long repeats) {}

  private final LedgerListener listener;
  private final LongSupplier nanoClock;
  private final Map<Kind, Last> last = new HashMap<>();

  Reports(LedgerListener listener, LongSupplier nanoClock) {
    this.listener = listener;
    this.nanoClock = nanoClock;
  }

  /** Says it, or counts it if this kind has been said in the last minute. */
  void seldom(Kind kind, Severity severity, String message) {
    long repeats;
    synchronized (this) {
      long now = nanoClock.getAsLong();
      Last before = last.get(kind);
      if (before != null && now - before.nanos() < GAP_NANOS) {
        last.put(kind, new Last(before.nanos(), before.repeats() + 1));
        return;
      }
      repeats = before == null ? 0 : before.repeats();
      last.put(kind, new Last(now, 0));
    }
    always(
        severity, repeats == 0 ? message : "%s (and %d times before)".formatted(message, repeats));
  }

  void always(Severity severity, String message) {
    listener.report(severity, "ledger: " + message);
  }
}
