package io.sedge.site.internal.operation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Answers four questions of programs on this machine, in plain HTTP on a loopback address: {@code
 * /metrics}, {@code /health/live}, {@code /health/member}, {@code /health/ready}. It reads and
 * changes nothing.
 *
 * <p>Bounds, by the JDK's server: {@value #MAX_CONNECTIONS} connections at once, {@value
 * #MAX_SECONDS} s for a request and for taking its answer, {@value #MAX_HEADER_BYTES} bytes of
 * headers. Metrics are gathered at most once a second, however often they are asked for.
 */
public final class OperationServer implements AutoCloseable {
  static final int MAX_CONNECTIONS = 32;
  static final int MAX_SECONDS = 5;
  static final int MAX_HEADER_BYTES = 16 << 10;

  /** How often the JDK's server looks who is late. */
  private static final int LOOK_MILLIS = 1_000;

  private static final int MAX_HEADERS = 64;
  private static final int BACKLOG = 64;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int FAULT = 500;
  private static final int UNAVAILABLE = 503;
  private static final long FRESH_NANOS = 1_000_000_000;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String JSON = "application/json";

  private final HttpServer server;
  private final ExecutorService executor;
  private final Metrics metrics;
  private final JobListener listener;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Supplier<Answer>> routes;

  /** The metrics that were gathered last; guarded by this. */
  private byte[] gathered = new byte[0];

  private long gatheredNanos = Long.MIN_VALUE;

  private static final class Answer {
    final int status;
    final String type;
    final byte[] body;

    Answer(int status, String type, byte[] body) {
      this.status = status;
      this.type = type;
      this.body = body;
    }
  }

  private OperationServer(
      HttpServer server, ExecutorService executor, Probe probe, JobListener listener) {
    this.server = server;
    this.executor = executor;
    this.metrics = new Metrics(probe);
    this.listener = listener;
    Health health = new Health(probe);
    this.routes =
        Map.of(
            "/metrics", this::metrics,
            "/health/live", () -> report(health.live()),
            "/health/member", () -> report(health.member()),
            "/health/ready", () -> report(health.ready()));
  }

  /** Listens. */
  public static OperationServer start(LoopbackAddress address, Probe probe, JobListener listener)
      throws SiteException {
    bound();
    try {
      HttpServer http = HttpServer.create(address.socketAddress(), BACKLOG);
      ExecutorService executor =
          Executors.newThreadPerTaskExecutor(
              Thread.ofVirtual().name("sedge-operation-", 0).factory());
      OperationServer server = new OperationServer(http, executor, probe, listener);
      http.setExecutor(executor);
      http.createContext("/", server::handle);
      http.start();
      return server;
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.CONNECTION_FAILED,
          "cannot listen for metrics at %s: %s; name another port with --metrics"
              .formatted(address, e.getMessage()),
          e);
    }
  }

  /** The JDK's server reads its bounds when it is first used; what a person has set stays. */
  private static void bound() {
    Map.of(
            "jdk.httpserver.maxConnections", MAX_CONNECTIONS,
            "sun.net.httpserver.maxReqTime", MAX_SECONDS,
            "sun.net.httpserver.maxRspTime", MAX_SECONDS,
            "sun.net.httpserver.idleInterval", MAX_SECONDS,
            "sun.net.httpserver.clockTick", LOOK_MILLIS,
            "sun.net.httpserver.maxReqHeaders", MAX_HEADERS,
            "sun.net.httpserver.maxReqHeaderSize", MAX_HEADER_BYTES)
        .forEach(
            (name, value) -> {
              if (System.getProperty(name) == null) {
                System.setProperty(name, value.toString());
              }
            });
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Supplier<Answer> route = routes.get(String.valueOf(exchange.getRequestURI().getPath()));
      String method = exchange.getRequestMethod();
      boolean head = method.equals("HEAD");
      if (route == null) {
        send(exchange, head, text(NOT_FOUND, "there are: " + String.join(" ", routes.keySet())));
      } else if (!head && !method.equals("GET")) {
        exchange.getResponseHeaders().set("Allow", "GET, HEAD");
        send(exchange, false, text(NOT_ALLOWED, "only GET and HEAD"));
      } else {
        send(exchange, head, answer(route));
      }
    }
  }

  /** The boundary of the request: the JDK's server itself would say nothing of a fault. */
  private Answer answer(Supplier<Answer> route) {
    try {
      return route.get();
    } catch (RuntimeException | Error e) {
      listener.report(Severity.ERROR, "a fault in Sedge while answering an HTTP request: " + e);
      return text(FAULT, "a fault in Sedge; the device's log says which");
    }
  }

  private static Answer text(int status, String line) {
    return new Answer(status, TEXT, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Each connection is for one request: whoever keeps many open shuts nobody else out for long. */
  private static void send(HttpExchange exchange, boolean head, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type);
    exchange.getResponseHeaders().set("Connection", "close");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    if (head) {
      exchange.sendResponseHeaders(answer.status, -1);
    } else {
      exchange.sendResponseHeaders(answer.status, answer.body.length);
      exchange.getResponseBody().write(answer.body);
    }
  }

  private Answer report(Health.Report report) {
    try {
      byte[] body = (json.writeValueAsString(report) + "\n").getBytes(StandardCharsets.UTF_8);
      return new Answer(report.ok() ? OK : UNAVAILABLE, JSON, body);
    } catch (IOException e) {
      throw new IllegalStateException("a report that JSON cannot hold", e);
    }
  }

  private synchronized Answer metrics() {
    long now = System.nanoTime();
    if (gatheredNanos == Long.MIN_VALUE || now - gatheredNanos >= FRESH_NANOS) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        writer.write(bytes, metrics.snapshots(), EscapingScheme.DEFAULT);
      } catch (IOException e) {
        throw new IllegalStateException("writing to memory", e);
      }
      gathered = bytes.toByteArray();
      gatheredNanos = now;
    }
    return new Answer(OK, writer.getContentType(), gathered);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}
