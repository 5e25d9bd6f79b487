package io.sedge.center.internal.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.people.Sessions;
import io.sedge.center.internal.people.Sessions.Session;
import io.sedge.center.store.AccessTokens;
import io.sedge.center.store.People;
import io.sedge.center.store.Person;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Rates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Says who asks, and whether he may. Tokens are looked up by their SHA-256, so how long it takes
 * tells nothing of a token. An address from which wrong ones come is told to wait; a token that the
 * center knows is accepted all the same, so nobody shuts out who shares his address. Who sends a
 * token and a cookie is known by the token. Any thread.
 */
final class Gate {
  private static final String BEARER = "bearer ";
  private static final int MAX_TOKEN = 512;

  /** With {@code true}, on what a page asks by a timer. */
  private static final HeaderName IDLE = HeaderNames.create("X-Sedge-Idle");

  /** A request that has one of them came by a proxy, and from who knows where. */
  private static final List<HeaderName> OF_PROXIES =
      List.of(HeaderNames.FORWARDED, HeaderNames.X_FORWARDED_FOR, HeaderNames.create("Via"));

  private final AccessTokens tokens;
  private final People people;
  private final Sessions sessions;
  private final Rates rates;
  private final ApiCounts counts;

  Gate(Store store, Sessions sessions, Rates rates, ApiCounts counts) {
    this.tokens = store.tokens();
    this.people = store.people();
    this.sessions = sessions;
    this.rates = rates;
    this.counts = counts;
  }

  /**
   * Lets a request pass. It is a use of the session, unless nobody has done anything for it.
   *
   * @throws ApiException TOKEN_REFUSED; SESSION_ENDED; CSRF_REFUSED; NOT_PERMITTED;
   *     TOO_MANY_ATTEMPTS
   */
  Caller admit(Route route, ServerRequest request) throws ApiException, StoreException {
    Access access = route.access();
    String address = address(request);
    Optional<String> token = token(request);
    Optional<String> cookie = HostCookie.SESSION.of(request);
    if (access.role().isEmpty()) {
      if (token.isEmpty()) {
        Origin.check(request);
      }
      return Caller.unknown(address);
    }
    if (access == Access.LOOPBACK && token.isEmpty() && cookie.isEmpty() && isLocal(request)) {
      return Caller.unknown(address);
    }
    Caller caller;
    if (token.isPresent()) {
      caller = ofToken(token.get(), address);
    } else if (cookie.isPresent()) {
      boolean idle =
          route.idle() || request.headers().first(IDLE).filter("true"::equals).isPresent();
      caller = ofSession(cookie.get(), idle, request, address);
    } else {
      throw new ApiException(
          Reason.TOKEN_REFUSED,
          "this needs a token: send the header 'Authorization: Bearer TOKEN'; `sedge center access"
              + " add` makes one. People log in with POST %s/session".formatted(ApiService.ROOT));
    }
    check(access, caller);
    route.reach().check(request, caller.permission().orElseThrow());
    return caller;
  }

  private static void check(Access access, Caller caller) throws ApiException {
    if (access == Access.PERSON && caller.session().isEmpty()) {
      throw new ApiException(
          Reason.NOT_PERMITTED, "this is for people who have logged in, and not for tokens");
    }
    if (!caller.may(access.role().orElseThrow())) {
      throw new ApiException(
          Reason.NOT_PERMITTED,
          "'%s' has the role %s, and this needs %s"
              .formatted(
                  caller.name(),
                  Access.name(caller.permission().orElseThrow().role()),
                  Access.name(access.role().get())));
    }
  }

  /**
   * Who asks, if that is known. A session is not used with that: who only listens is idle.
   *
   * @return empty too for who was known and is not any more
   */
  Optional<Caller> known(ServerRequest request) throws StoreException {
    String address = address(request);
    Optional<String> token = token(request);
    if (token.isPresent()) {
      Optional<Caller> caller = find(token.get()).map(access -> caller(access, address));
      if (caller.isEmpty()) {
        counts.refusedToken();
      }
      return caller;
    }
    Optional<Session> session = HostCookie.SESSION.of(request).flatMap(sessions::find);
    return session.isEmpty()
        ? Optional.empty()
        : people
            .asking(session.get().person())
            .map(person -> caller(person, address, session.get()));
  }

  private Caller ofToken(String token, String address) throws ApiException, StoreException {
    Optional<AccessTokens.Access> known = find(token);
    if (known.isPresent()) {
      tokens.used(known.get().name());
      return caller(known.get(), address);
    }
    refused(address);
    throw new ApiException(
        Reason.TOKEN_REFUSED,
        "the center does not know this token, or it has ended or was removed");
  }

  private Optional<AccessTokens.Access> find(String token) throws StoreException {
    return token.length() > MAX_TOKEN ? Optional.empty() : tokens.find(token);
  }

  private static Caller caller(AccessTokens.Access access, String address) {
    return new Caller(access.name(), Optional.of(access.permission()), address, Optional.empty());
  }

  private Caller ofSession(String token, boolean idle, ServerRequest request, String address)
      throws ApiException, StoreException {
    Session session =
        (idle ? sessions.find(token) : sessions.use(token)).orElseThrow(Gate::sessionEnded);
    Person person = people.asking(session.person()).orElseThrow(Gate::sessionEnded);
    Origin.check(request, session);
    if (!idle) {
      people.seen(person.name());
    }
    return caller(person, address, session);
  }

  private static Caller caller(Person person, String address, Session session) {
    return new Caller(
        person.name(), Optional.of(person.permission()), address, Optional.of(session));
  }

  private static ApiException sessionEnded() {
    return new ApiException(
        Reason.SESSION_ENDED,
        "the session has ended: log in again. It ends after %d hours, or %d hours without a request"
            .formatted(Sessions.LIFE.toHours(), Sessions.IDLE.toHours()));
  }

  /** Counts a wrong code, and says so. */
  ApiException wrongCode(String address) throws ApiException {
    refused(address);
    return new ApiException(
        Reason.TOKEN_REFUSED,
        "the code was used, has ended, or was not made by this center: ask an admin for another"
            + " link");
  }

  /**
   * Counts an attempt that failed.
   *
   * @throws ApiException TOO_MANY_ATTEMPTS
   */
  void refused(String address) throws ApiException {
    counts.refusedToken();
    boolean mayTry = rates.mayTry(address);
    rates.refused(address);
    if (!mayTry) {
      throw new ApiException(
          Reason.TOO_MANY_ATTEMPTS,
          "too many wrong tokens came from %s: try again later".formatted(address));
    }
  }

  private static Optional<String> token(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.AUTHORIZATION)
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  static String address(ServerRequest request) {
    return inet(request).map(InetAddress::getHostAddress).orElse("unknown");
  }

  private static boolean isLocal(ServerRequest request) {
    return OF_PROXIES.stream().noneMatch(header -> request.headers().contains(header))
        && inet(request).filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static Optional<InetAddress> inet(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress socket
        ? Optional.ofNullable(socket.getAddress())
        : Optional.empty();
  }
}
