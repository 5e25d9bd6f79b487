package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.helidon.http.SetCookie;
import io.helidon.webserver.http.ServerRequest;
import io.sedge.center.internal.oidc.SingleSignOn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cookie with something that nobody guesses. Its prefix {@code __Host-} makes browsers take it
 * from this host alone, over TLS alone. Cookies are the same for all ports of a host, so the port
 * that the browser asks is in the name: two centers on a host have two cookies.
 *
 * <p>The header is read as RFC 6265, 5.4, has browsers write it. Whoever may set other cookies of
 * the host, such as a sub-domain, can put commas and {@code $Version} into their values. A looser
 * reading would find a session in there.
 */
final class HostCookie {
  /** The token of a session, until the browser is closed. */
  static final HostCookie SESSION = new HostCookie("__Host-sedge-session", Optional.empty());

  /** Which browser has begun a login at the provider. */
  static final HostCookie LOGIN =
      new HostCookie("__Host-sedge-login", Optional.of(SingleSignOn.LIFE));

  private static final Pattern PORT = Pattern.compile(":(\\d{1,5})$");
  private static final int MAX_TOKEN = 64;

  private final String prefix;
  private final Optional<Duration> life;

  /**
   * @param life for how long a browser keeps it; empty until it is closed
   */
  private HostCookie(String prefix, Optional<Duration> life) {
    this.prefix = prefix;
    this.life = life;
  }

  /** What the cookie is called for who asks here, {@code HOST:PORT}. */
  String name(String authority) {
    Matcher port = PORT.matcher(authority);
    return port.find() ? prefix + "-" + port.group(1) : prefix;
  }

  /** What a browser sends; empty too if it sends two, of which one was planted. */
  Optional<String> of(ServerRequest request) {
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

  /** Lets the browser keep it. */
  void set(Call call, String token) {
    SetCookie.Builder cookie = cookie(call.request(), token);
    life.ifPresent(cookie::maxAge);
    call.response().headers().addCookie(cookie.build());
  }

  /** Lets the browser forget it. */
  void clear(Call call) {
    call.response().headers().addCookie(cookie(call.request(), "").expires(Instant.EPOCH).build());
  }

  private SetCookie.Builder cookie(ServerRequest request, String token) {
    return SetCookie.builder(name(request.authority()), token)
        .path("/")
        .secure(true)
        .httpOnly(true)
        .sameSite(SetCookie.SameSite.STRICT);
  }
}
