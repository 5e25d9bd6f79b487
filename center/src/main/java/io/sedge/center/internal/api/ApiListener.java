package io.sedge.center.internal.api;

import io.helidon.common.tls.Tls;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpService;
import io.sedge.center.api.Failure;
import io.sedge.center.internal.api.ApiException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** How people and programs are listened to: what a stranger may take is bounded. */
public final class ApiListener {
  private static final int MAX_CONNECTIONS = 256;
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  /**
   * On each answer. There is no Strict-Transport-Security: this port speaks TLS alone, and the
   * header would bind all other ports of the host too.
   */
  private static final List<Header> SECURITY =
      List.of(
          HeaderValues.create("X-Content-Type-Options", "nosniff"),
          HeaderValues.create("X-Frame-Options", "DENY"),
          HeaderValues.create("Referrer-Policy", "no-referrer"),
          HeaderValues.create("Cross-Origin-Opener-Policy", "same-origin"),
          HeaderValues.create("Cross-Origin-Resource-Policy", "same-origin"),
          HeaderValues.create(
              "Permissions-Policy", "camera=(), geolocation=(), microphone=(), usb=()"));

  /** For a page that says none itself: its own files, and nothing of others. */
  private static final Header POLICY =
      HeaderValues.create(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'");

  private ApiListener() {}

  /**
   * Sets a listener up for the API.
   *
   * @param tls with the center's certificate and key
   * @param page answers all that is not below the API's root; empty for nothing
   */
  public static void configure(
      ListenerConfig.BuilderBase<?, ?> listener,
      SSLContext tls,
      ApiService service,
      Optional<HttpService> page) {
    listener
        .tls(Tls.builder().sslContext(tls).enabledProtocols(List.of("TLSv1.3", "TLSv1.2")).build())
        // The API says itself that a body is too large; this is for those that are by far.
        .maxPayloadSize(2L * Call.MAX_BODY_BYTES)
        .maxTcpConnections(MAX_CONNECTIONS)
        .idleConnectionTimeout(IDLE)
        .shutdownGracePeriod(GRACE)
        .connectionOptions(options -> options.readTimeout(SILENCE).tcpNoDelay(true))
        .routing(routing -> route(routing, service, page));
  }

  private static void route(
      HttpRouting.Builder routing, ApiService service, Optional<HttpService> page) {
    routing.addFilter(
        (chain, _, response) -> {
          SECURITY.forEach(response::header);
          response.header(POLICY);
          chain.proceed();
        });
    routing.register(ApiService.ROOT, service);
    page.ifPresent(routing::register);
    routing.any(
        (request, response) ->
            response
                .status(404)
                .header(HeaderNames.CONTENT_TYPE, Call.JSON)
                .send(
                    Json.write(
                        new Failure(
                            Reason.UNKNOWN_PATH.name(),
                            "there is nothing at %s; the API is below %s"
                                .formatted(request.path().absolute().path(), ApiService.ROOT)))));
  }
}
