package io.sedge.console.internal.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.sedge.console.internal.http.Refusal.Reason;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Refuses what pages of other sites make a browser ask on this machine. Their names may be made to
 * lead here, but {@code Host} still has the name (DNS rebinding); else {@code Origin} or {@code
 * Sec-Fetch-Site} says where the request comes from.
 */
final class SameSite implements Filter {
  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");
  private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "::1");
  private static final Set<String> OWN = Set.of("same-origin", "none");

  private final String own;
  private final IntSupplier port;

  /**
   * @param own the address of this machine at which it is listened to
   * @param port at which this machine is listened to
   */
  SameSite(String own, IntSupplier port) {
    this.own = own;
    this.port = port;
  }

  @Override
  public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
    Optional<String> refused = refused(request);
    if (refused.isEmpty()) {
      chain.proceed();
      return;
    }
    // The body, if there is one, is not read.
    response.header(HeaderNames.CONNECTION, "close");
    ApiRoutes.refuse(new Call(request, response), new Refusal(Reason.NOT_PERMITTED, refused.get()));
  }

  private Optional<String> refused(RoutingRequest request) {
    String host = request.headers().first(HeaderNames.HOST).orElse("").toLowerCase(Locale.ROOT);
    if (!isOwn(host)) {
      return Optional.of(
          "the console is asked as '%s': open it as http://127.0.0.1:%d/"
              .formatted(host, port.getAsInt()));
    }
    Optional<String> origin = request.headers().first(HeaderNames.ORIGIN);
    if (origin.isPresent() && !isOwnOrigin(origin.get())) {
      return Optional.of("a page of %s may not ask the console".formatted(origin.get()));
    }
    Optional<String> site = request.headers().first(FETCH_SITE);
    if (site.isPresent() && !OWN.contains(site.get()) && isApi(request.prologue())) {
      return Optional.of("a page of another site may not ask the console");
    }
    return Optional.empty();
  }

  private static boolean isApi(HttpPrologue prologue) {
    return prologue.uriPath().path().startsWith("/api");
  }

  private boolean isOwnOrigin(String origin) {
    String scheme = "http://";
    return origin.startsWith(scheme) && isOwn(origin.substring(scheme.length()));
  }

  private boolean isOwn(String host) {
    String end = ":" + port.getAsInt();
    if (!host.endsWith(end)) {
      return false;
    }
    String name = host.substring(0, host.length() - end.length());
    String plain =
        name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    return NAMES.contains(plain) || plain.equals(own);
  }
}
