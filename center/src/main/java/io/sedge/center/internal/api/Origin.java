package io.sedge.center.internal.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.people.Sessions.Session;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pages of other origins from asking in the name of who is logged in. A request that changes
 * something comes from the console's own origin, as browsers say it, and has the session's secret
 * in a header, which a page of another origin can neither read nor send. The cookie's SameSite is
 * the third fence.
 */
final class Origin {
  /** The header with the session's secret. */
  static final HeaderName CSRF = HeaderNames.create("X-Sedge-Csrf");

  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
  private static final Set<Method> SAFE = Set.of(Method.GET, Method.HEAD, Method.OPTIONS);

  private Origin() {}

  /**
   * Refuses what a page of another origin has sent to change something. Programs say no origin.
   *
   * @throws ApiException CSRF_REFUSED
   */
  static void check(ServerRequest request) throws ApiException {
    if (SAFE.contains(request.prologue().method())) {
      return;
    }
    Optional<String> site = request.headers().first(FETCH_SITE);
    Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
    String own = "https://" + request.authority();
    if (site.filter(from -> !from.equals("same-origin")).isPresent()
        || origin.filter(from -> !from.equalsIgnoreCase(own)).isPresent()) {
      throw new ApiException(
          Reason.CSRF_REFUSED,
          "the request came from a page of another origin than %s: open the center's console there"
              .formatted(own));
    }
  }

  /**
   * The same for who has a session.
   *
   * @throws ApiException CSRF_REFUSED
   */
  static void check(ServerRequest request, Session session) throws ApiException {
    check(request);
    if (SAFE.contains(request.prologue().method())) {
      return;
    }
    boolean same =
        MessageDigest.isEqual(
            request.headers().first(CSRF).orElse("").getBytes(StandardCharsets.UTF_8),
            session.csrf().getBytes(StandardCharsets.UTF_8));
    if (!same) {
      throw new ApiException(
          Reason.CSRF_REFUSED,
          "the header %s is missing or of another session: GET %s/console says what it is"
              .formatted(CSRF.defaultCase(), ApiService.ROOT));
    }
  }
}
