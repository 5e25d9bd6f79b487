package io.sedge.console.internal.http;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpService;
import io.sedge.connector.Causes;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens on this machine, and for nobody else, for the page and an API. Any thread. */
public final class ConsoleServer implements AutoCloseable {
  /** How many browsers may listen to events at once. */
  public static final int MOST_LISTENERS = 100;

  private static final int TRIES = 20;

  /** A browser has up to six connections besides the one for events. */
  private static final int MOST_CONNECTIONS = 2 * MOST_LISTENERS;

  private static final Duration SILENCE = Duration.ofSeconds(60);
  private static final Duration IDLE = Duration.ofMinutes(2);
  private static final Duration GRACE = Duration.ofMillis(500);

  private final String host;
  private final WebServer server;

  private ConsoleServer(String host, WebServer server) {
    this.host = host;
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param host loopback
   * @param port 0 for any
   * @param named whether somebody asked for this port; else one of the next will do
   * @throws JobException ADDRESS_IN_USE
   */
  public static ConsoleServer start(
      String host, int port, boolean named, HttpService api, HttpService pages)
      throws JobException {
    int last = named ? port : port + TRIES - 1;
    for (int tried = port; tried < last; tried++) {
      try {
        return start(host, tried, api, pages);
      } catch (JobException _) {
        // The next one may be free.
      }
    }
    return start(host, last, api, pages);
  }

  private static ConsoleServer start(String host, int port, HttpService api, HttpService pages)
      throws JobException {
    AtomicInteger listened = new AtomicInteger(port);
    try {
      WebServer server =
          WebServer.builder()
              .shutdownHook(false)
              .host(host)
              .port(port)
              // The API says itself that a body is too large; this is for those that are by far.
              .maxPayloadSize(2L * Call.MAX_BODY_BYTES)
              .maxTcpConnections(MOST_CONNECTIONS)
              .idleConnectionTimeout(IDLE)
              .shutdownGracePeriod(GRACE)
              .connectionOptions(options -> options.readTimeout(SILENCE).tcpNoDelay(true))
              .routing(
                  routing ->
                      routing
                          .addFilter(new SameSite(host, listened::get))
                          .register(ApiRoutes.ROOT, api)
                          .register("/", pages))
              .build();
      server.start();
      if (server.isRunning()) {
        listened.set(server.port());
        return new ConsoleServer(host, server);
      }
      server.stop();
    } catch (RuntimeException e) {
      if (!(Causes.innermost(e) instanceof IOException)) {
        throw e;
      }
    }
    throw new JobException(
        FailureCode.ADDRESS_IN_USE,
        "the console cannot listen on %s, port %d: another program does; name a free port with --console"
            .formatted(host, port));
  }

  /** What to open in a browser. */
  public String address() {
    return "http://%s:%d/".formatted(host.contains(":") ? "[" + host + "]" : host, server.port());
  }

  @Override
  public void close() {
    server.stop();
  }
}
