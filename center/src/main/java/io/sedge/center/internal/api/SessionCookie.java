package io.sedge.center.internal.api;

import io.helidon.common.parameters.Parameters;
import io.helidon.http.SetCookie;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.Instant;
import java.util.Optional;

/**
 * The cookie with a session's token. Its prefix {@code __Host-} makes browsers take it from this
 * host alone, over TLS alone.
 */
final class SessionCookie {
  static final String NAME = "__Host-sedge-session";
  private static final int MAX_TOKEN = 64;

  private SessionCookie() {}

  /** The token that a browser sends. */
  static Optional<String> of(ServerRequest request) {
    Parameters cookies = request.headers().cookies();
    return cookies.contains(NAME)
        ? Optional.of(cookies.get(NAME)).filter(token -> token.length() <= MAX_TOKEN)
        : Optional.empty();
  }

  /** Lets the browser keep a token until it is closed. */
  static void set(ServerResponse response, String token) {
    response.headers().addCookie(cookie(token).build());
  }

  /** Lets the browser forget it. */
  static void clear(ServerResponse response) {
    response.headers().addCookie(cookie("").expires(Instant.EPOCH).build());
  }

  private static SetCookie.Builder cookie(String token) {
    return SetCookie.builder(NAME, token)
        .path("/")
        .secure(true)
        .httpOnly(true)
        .sameSite(SetCookie.SameSite.STRICT);
  }
}
