package io.sedge.replication.internal;

import io.sedge.replication.LedgerListener;
import io.sedge.replication.LedgerListener.Severity;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Says what happens, each kind of thing at most once a minute: repeats are counted, and the count
 * is said with the next one. Kinds are few and fixed; those of refusals are told apart by address
 * too, of which {@value #MAX_REFUSED} are remembered: whoever has more of them cannot fill the log,
 * since each keeps its place for a minute, and those that find none are said together. Any thread.
 */
final class Reports {
  static final long GAP_NANOS = 60_000_000_000L;
  static final int MAX_REFUSED = 256;

  private static final int MAX_REASON = 300;

  /** What is told apart for repeats. */
  enum Kind {
    LEADER,
    NO_LEADER,
    STUCK,
    HAND_OVER,
    SLOW_FOLLOWER,
    DISK,
    LOG,
    LOG_OPENED,
    SNAPSHOT,
    MEMBERSHIP,
    REFUSED,
    MANY_REFUSED,
    FAILURE
  }

  /** Why a connection is refused. */
  enum Why {
    NO_TLS,
    NO_CERTIFICATE,
    STRANGER,
    CERTIFICATE,
    OWN_CERTIFICATE,
    HANDSHAKE,
    LATE,
    CROWD,
    CALL
  }

  private record Refused(String address, Why why) {}

  private record Last(long nanos, long repeats) {}

  private final LedgerListener listener;
  private final LongSupplier nanoClock;
  private final Map<Kind, Last> last = new HashMap<>();

  /** Who was refused last comes last. */
  private final LinkedHashMap<Refused, Last> lastRefused = new LinkedHashMap<>(16, 0.75f, true);

  private long refusals;

  Reports(LedgerListener listener, LongSupplier nanoClock) {
    this.listener = listener;
    this.nanoClock = nanoClock;
  }

  /** Says it, or counts it if this kind has been said in the last minute. */
  void seldom(Kind kind, Severity severity, String message) {
    OptionalLong repeats;
    synchronized (this) {
      repeats = repeats(last, kind);
    }
    say(repeats, severity, message);
  }

  /**
   * Says who was refused, or counts it.
   *
   * @param reason may come from outside
   */
  void refused(String address, Why why, String reason) {
    Refused who = new Refused(address, why);
    OptionalLong repeats = OptionalLong.empty();
    boolean remembered;
    synchronized (this) {
      refusals++;
      remembered = lastRefused.containsKey(who) || makeRoom();
      if (remembered) {
        repeats = repeats(lastRefused, who);
      }
    }
    if (remembered) {
      String text = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + "…";
      say(repeats, Severity.WARNING, "refused %s: %s".formatted(address, text));
    } else {
      seldom(
          Kind.MANY_REFUSED,
          Severity.WARNING,
          "refused connections from more than %d addresses within a minute".formatted(MAX_REFUSED));
    }
  }

  /** Forgets the eldest for one more, unless that was said in the last minute. */
  private boolean makeRoom() {
    if (lastRefused.size() < MAX_REFUSED) {
      return true;
    }
    if (isRecent(lastRefused.firstEntry().getValue(), nanoClock.getAsLong())) {
      return false;
    }
    lastRefused.pollFirstEntry();
    return true;
  }

  /** How many were refused so far. */
  synchronized long refusals() {
    return refusals;
  }

  /** How often it has been since it was said; empty if that was in the last minute. */
  private <K> OptionalLong repeats(Map<K, Last> all, K what) {
    long now = nanoClock.getAsLong();
    Last before = all.get(what);
    if (before != null && isRecent(before, now)) {
      all.put(what, new Last(before.nanos(), before.repeats() + 1));
      return OptionalLong.empty();
    }
    all.put(what, new Last(now, 0));
    return OptionalLong.of(before == null ? 0 : before.repeats());
  }

  private static boolean isRecent(Last said, long now) {
    return now - said.nanos() < GAP_NANOS;
  }

  private void say(OptionalLong repeats, Severity severity, String message) {
    repeats.ifPresent(
        count ->
            always(
                severity,
                count == 0 ? message : "%s (and %d times before)".formatted(message, count)));
  }

  void always(Severity severity, String message) {
    listener.report(severity, "ledger: " + message);
  }
}
