package io.sedge.center.internal.people;

import io.sedge.identity.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Who is logged in. Kept in memory: all sessions end when the center stops. A session ends {@link
 * #LIFE} after its beginning, {@link #IDLE} after its last use, when it is ended, or when the
 * person, or all people together, have begun too many others. Of its token the SHA-256 is kept. Any
 * thread.
 */
public final class Sessions {
  public static final Duration LIFE = Duration.ofHours(12);
  public static final Duration IDLE = Duration.ofHours(2);

  static final int MAX_OF_PERSON = 5;
  static final int MAX = 1_000;
  private static final int SECRET_BYTES = 32;

  private final SecureRandom random = new SecureRandom();
  private final LongSupplier nanoClock;
  private final Map<String, Kept> byHash = new HashMap<>();

  public Sessions(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * A session.
   *
   * @param hash of its token, by which it is known here
   * @param csrf what each request has to say that changes something: a page of another origin
   *     cannot read it
   */
  public record Session(String hash, String person, String csrf) {
    /** Without its secrets. */
    @Override
    public String toString() {
      return "Session[person=%s]".formatted(person);
    }
  }

  /**
   * A session that has begun.
   *
   * @param token for the cookie; it is not kept
   */
  public record Begun(String token, Session session) {
    /** Without the token. */
    @Override
    public String toString() {
      return session.toString();
    }
  }

  private static final class Kept {
    private final Session session;
    private final long begunNanos;
    private long usedNanos;

    Kept(Session session, long nowNanos) {
      this.session = session;
      this.begunNanos = nowNanos;
      this.usedNanos = nowNanos;
    }
  }

  /** Begins one, with a token that nobody has seen before. */
  public synchronized Begun begin(String person) {
    String token = secret();
    Session session = new Session(hash(token), person, secret());
    makeRoom(MAX_OF_PERSON, kept -> kept.session.person().equals(person));
    makeRoom(MAX, _ -> true);
    byHash.put(session.hash(), new Kept(session, nanoClock.getAsLong()));
    return new Begun(token, session);
  }

  /** The ones that were not used for longest end. */
  private void makeRoom(int most, Predicate<Kept> which) {
    long now = nanoClock.getAsLong();
    byHash.values().removeIf(kept -> hasEnded(kept, now));
    while (byHash.values().stream().filter(which).count() >= most) {
      byHash.values().stream()
          .filter(which)
          .max(Comparator.comparingLong(kept -> now - kept.usedNanos))
          .ifPresent(kept -> byHash.remove(kept.session.hash()));
    }
  }

  private static boolean hasEnded(Kept kept, long now) {
    return now - kept.begunNanos >= LIFE.toNanos() || now - kept.usedNanos >= IDLE.toNanos();
  }

  /** The session of a token. */
  public synchronized Optional<Session> find(String token) {
    return kept(token).map(kept -> kept.session);
  }

  /** The session of a token, which was used with that. */
  public synchronized Optional<Session> use(String token) {
    Optional<Kept> kept = kept(token);
    kept.ifPresent(found -> found.usedNanos = nanoClock.getAsLong());
    return kept.map(found -> found.session);
  }

  private Optional<Kept> kept(String token) {
    return Optional.ofNullable(byHash.get(hash(token)))
        .filter(kept -> !hasEnded(kept, nanoClock.getAsLong()));
  }

  public synchronized void end(Session session) {
    byHash.remove(session.hash());
  }

  /** Ends all of a person's. */
  public synchronized void endAll(String person) {
    byHash.values().removeIf(kept -> kept.session.person().equals(person));
  }

  private String secret() {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  private static String hash(String token) {
    return Fingerprint.of(token.getBytes(StandardCharsets.UTF_8));
  }
}
