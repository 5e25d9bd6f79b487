package io.sedge.center.internal.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.AccessTokens;
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
 * center knows is accepted all the same, so nobody shuts out who shares his address. Any thread.
 */
final class Gate {
  private static final String BEARER = "bearer ";
  private static final int MAX_TOKEN = 512;

  /** A request that has one of them came by a proxy, and from who knows where. */
  private static final List<HeaderName> OF_PROXIES =
      List.of(HeaderNames.FORWARDED, HeaderNames.X_FORWARDED_FOR, HeaderNames.create("Via"));

  private final AccessTokens tokens;
  private final Rates rates;
  private final ApiCounts counts;

  Gate(AccessTokens tokens, Rates rates, ApiCounts counts) {
    this.tokens = tokens;
    this.rates = rates;
    this.counts = counts;
  }

  /**
   * Lets a request pass.
   *
   * @throws ApiException TOKEN_REFUSED; NOT_PERMITTED; TOO_MANY_ATTEMPTS
   */
  Caller admit(Access access, ServerRequest request) throws ApiException, StoreException {
    String address = address(request);
    Optional<String> token = token(request);
    if (access.role().isEmpty()) {
      return Caller.unknown(address);
    }
    if (access == Access.LOOPBACK && token.isEmpty() && isLocal(request)) {
      return Caller.unknown(address);
    }
    if (token.isEmpty()) {
      throw new ApiException(
          Reason.TOKEN_REFUSED,
          "this needs a token: send the header 'Authorization: Bearer TOKEN'; `sedge center access"
              + " add` makes one");
    }
    AccessTokens.Access known = known(token.get(), address);
    if (!known.role().includes(access.role().get())) {
      throw new ApiException(
          Reason.NOT_PERMITTED,
          "'%s' has the role %s, and this needs %s"
              .formatted(
                  known.name(), Access.name(known.role()), Access.name(access.role().get())));
    }
    return new Caller(known.name(), Optional.of(known.role()), address);
  }

  private AccessTokens.Access known(String token, String address)
      throws ApiException, StoreException {
    Optional<AccessTokens.Access> known =
        token.length() > MAX_TOKEN ? Optional.empty() : tokens.find(token);
    if (known.isPresent()) {
      return known.get();
    }
    refused(address);
    throw new ApiException(
        Reason.TOKEN_REFUSED,
        "the center does not know this token, or it has ended or was removed");
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
