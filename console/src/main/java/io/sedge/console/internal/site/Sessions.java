package io.sedge.console.internal.site;

import io.sedge.identity.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Who is logged in: in memory alone, for {@value #LIFE_HOURS} hours, or until nothing was asked for
 * {@value #IDLE_HOURS}. Tokens are known by their SHA-256, so how long a look takes tells nothing
 * of them. Of more than {@value #MOST} the one that was not used for the longest time ends. Any
 * thread.
 */
final class Sessions {
  static final int LIFE_HOURS = 12;
  static final int IDLE_HOURS = 2;
  static final int MOST = 100;

  private static final long LIFE_NANOS = Duration.ofHours(LIFE_HOURS).toNanos();
  private static final long IDLE_NANOS = Duration.ofHours(IDLE_HOURS).toNanos();

  private final LongSupplier nanoClock;
  private final Map<String, Session> sessions = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A session.
   *
   * @param csrf what its page sends with each change, and no other page knows
   */
  record Session(String csrf, long beganNanos, long usedNanos) {
    private boolean hasEnded(long now) {
      return now - beganNanos > LIFE_NANOS || now - usedNanos > IDLE_NANOS;
    }

    boolean isFromItsPage(Optional<String> given) {
      return MessageDigest.isEqual(
          given.orElse("").getBytes(StandardCharsets.UTF_8), csrf.getBytes(StandardCharsets.UTF_8));
    }
  }

  Sessions(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Begins one; returns its token. */
  synchronized String begin() {
    long now = nanoClock.getAsLong();
    sessions.values().removeIf(session -> session.hasEnded(now));
    if (sessions.size() == MOST) {
      sessions.remove(sessions.keySet().iterator().next());
    }
    String token = LoginCodes.secret();
    sessions.put(key(token), new Session(LoginCodes.secret(), now, now));
    return token;
  }

  /** The session of a token, which is used now. */
  synchronized Optional<Session> find(Optional<String> token) {
    if (token.isEmpty()) {
      return Optional.empty();
    }
    String key = key(token.get());
    long now = nanoClock.getAsLong();
    Session session = sessions.get(key);
    if (session == null || session.hasEnded(now)) {
      sessions.remove(key);
      return Optional.empty();
    }
    Session used = new Session(session.csrf(), session.beganNanos(), now);
    sessions.put(key, used);
    return Optional.of(used);
  }

  synchronized void end(String token) {
    sessions.remove(key(token));
  }

  private static String key(String token) {
    return Fingerprint.of(token.getBytes(StandardCharsets.UTF_8));
  }
}
