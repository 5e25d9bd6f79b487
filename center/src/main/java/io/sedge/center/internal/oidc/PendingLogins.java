package io.sedge.center.internal.oidc;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Logins that wait for a browser to come back from the provider, by their state. Kept in memory:
 * one ends {@link #LIFE} after its beginning, when it is used, or when {@value #MOST} others have
 * begun. Any thread.
 */
final class PendingLogins {
  static final Duration LIFE = Duration.ofMinutes(10);
  static final int MOST = 1_000;

  private final LongSupplier nanoClock;

  /** The first one is the oldest. */
  private final Map<String, Kept> byState = new LinkedHashMap<>();

  PendingLogins(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * A login that has begun.
   *
   * @param browser what the browser's cookie says
   * @param nonce what the ID token must have
   * @param verifier of PKCE
   * @param redirect where the provider sends the browser
   */
  record Pending(
      String browser, String nonce, String verifier, String redirect, Provider provider) {
    /** Without its secrets. */
    @Override
    public String toString() {
      return "Pending[redirect=%s]".formatted(redirect);
    }
  }

  private record Kept(Pending pending, long begunNanos) {}

  synchronized void keep(String state, Pending pending) {
    long now = nanoClock.getAsLong();
    byState.values().removeIf(kept -> hasEnded(kept, now));
    if (byState.size() >= MOST) {
      byState.remove(byState.keySet().iterator().next());
    }
    byState.put(state, new Kept(pending, now));
  }

  /** Takes a login of a browser, once. */
  synchronized Optional<Pending> take(String state, String browser) {
    Kept kept = byState.get(state);
    if (kept == null || !Secrets.areEqual(kept.pending().browser(), browser)) {
      return Optional.empty();
    }
    byState.remove(state);
    return hasEnded(kept, nanoClock.getAsLong()) ? Optional.empty() : Optional.of(kept.pending());
  }

  /** Whether a browser has begun another one. */
  synchronized boolean hasOne(String browser) {
    long now = nanoClock.getAsLong();
    return byState.values().stream()
        .anyMatch(
            kept -> !hasEnded(kept, now) && Secrets.areEqual(kept.pending().browser(), browser));
  }

  private static boolean hasEnded(Kept kept, long now) {
    return now - kept.begunNanos() >= LIFE.toNanos();
  }
}
