package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.helidon.http.SetCookie;
import io.helidon.webserver.http.ServerRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cookie with a session's token. Its prefix {@code __Host-} makes browsers take it from this
 * host alone, over TLS alone. Cookies are the same for all ports of a host, so the port that the
 * browser asks is in the name: two centers on a host have two cookies.
 *
 * <p>The header is read as RFC 6265, 5.4, has browsers write it. Whoever may set other cookies of
 * the host, such as a sub-domain, can put commas and {@code $Version} into their values. A looser
 * reading would find a session in there.
 */
final class SessionCookie {
  private static final String NAME = "__Host-sedge-session";
  private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");
  private static final int MAX_TOKEN = 64;

  private SessionCookie() {}

  /** What the cookie is called for who asks here, {@code HOST:PORT}. */
  static String name(String authority) {
    Matcher port = PORT.matcher(authority);
    return port.find() ? NAME + "-" + port.group(1) : NAME;
  }

  /** The token that a browser sends; empty too if it sends two, of which one was planted. */
  static Optional<String> of(ServerRequest request) {
    String before = name(request.authority()) + "=";
    List<String> tokens =
        request.headers().all(HeaderNames.COOKIE, List::of).stream()
            .flatMap(header -> Pattern.compile(";").splitAsStream(header))
            .map(String::strip)
            .filter(cookie -> cookie.startsWith(before))
            .map(cookie -> cookie.substring(before.length()))
            .toList();
    return tokens.size() == 1
        ? Optional.of(tokens.getFirst()).filter(token -> token.length() <= MAX_TOKEN)
        : Optional.empty();
  }

  /** Lets the browser keep a token until it is closed. */
  static void set(Call call, String token) {
    call.response().headers().addCookie(cookie(call.request(), token).build());
  }

  /** Lets the browser forget it. */
  static void clear(Call call) {
    call.response().headers().addCookie(cookie(call.request(), "").expires(Instant.EPOCH).build());
  }

  private static SetCookie.Builder cookie(ServerRequest request, String token) {
    return SetCookie.builder(name(request.authority()), token)
        .path("/")
        .secure(true)
        .httpOnly(true)
        .sameSite(SetCookie.SameSite.STRICT);
  }
}
