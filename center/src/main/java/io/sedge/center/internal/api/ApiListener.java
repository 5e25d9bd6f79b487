package io.sedge.center.internal.api;

import io.helidon.common.tls.Tls;
import io.helidon.webserver.ListenerConfig;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;

/** How people and programs are listened to: what a stranger may take is bounded. */
public final class ApiListener {
  private static final int MAX_CONNECTIONS = 256;
  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  private ApiListener() {}

  /**
   * Sets a listener up for the API.
   *
   * @param tls with the center's certificate and key
   */
  public static void configure(
      ListenerConfig.BuilderBase<?, ?> listener, SSLContext tls, ApiService service) {
    listener
        .tls(Tls.builder().sslContext(tls).enabledProtocols(List.of("TLSv1.3", "TLSv1.2")).build())
        // The API says itself that a body is too large; this is for those that are by far.
        .maxPayloadSize(2L * Call.MAX_BODY_BYTES)
        .maxTcpConnections(MAX_CONNECTIONS)
        .idleConnectionTimeout(IDLE)
        .shutdownGracePeriod(GRACE)
        .connectionOptions(options -> options.readTimeout(SILENCE).tcpNoDelay(true))
        .routing(routing -> routing.register(ApiService.ROOT, service));
  }
}
