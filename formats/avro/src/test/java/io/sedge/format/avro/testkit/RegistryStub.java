package io.sedge.format.avro.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A registry that answers as Confluent's does, and fails as it is told. */
public final class RegistryStub implements AutoCloseable {
  private record Failure(int status, String body) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NOT_FOUND = "{\"error_code\":40403,\"message\":\"Schema not found\"}";

  private final HttpServer server;
  private final String scheme;
  private final List<String> schemas = new ArrayList<>();
  private final List<String> extras = new ArrayList<>();
  private final Map<String, String> versions = new HashMap<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<Failure> failures = new ArrayList<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile CountDownLatch held = new CountDownLatch(0);
  private @Nullable String demanded;

  /** One over HTTP. */
  public RegistryStub() throws IOException {
    this(HttpServer.create(loopback(), 0), "http");
  }

  private RegistryStub(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /** One over TLS. */
  public static RegistryStub over(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create(loopback(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return new RegistryStub(server, "https");
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** Where it is. */
  public String url() {
    return "%s://127.0.0.1:%d".formatted(scheme, server.getAddress().getPort());
  }

  /** Adds a schema; its number. */
  public int add(String schema) {
    return add(schema, "");
  }

  /** Adds a schema, with more of what the answer has; its number. */
  public synchronized int add(String schema, String more) {
    schemas.add(schema);
    extras.add(more);
    return schemas.size();
  }

  /** Adds a version of a subject. */
  public synchronized void version(String subject, int version, String schema) {
    versions.put("/subjects/%s/versions/%d".formatted(subject, version), schema);
  }

  /** Those that it has, in the order of their numbers from 1. */
  public synchronized List<String> schemas() {
    return List.copyOf(schemas);
  }

  /** Method and path of each request. */
  public List<String> asked() {
    return asked;
  }

  /** Answers the next requests so. */
  public synchronized void fail(int times, int status, String body) {
    for (int i = 0; i < times; i++) {
      failures.add(new Failure(status, body));
    }
  }

  /** Answers those alone who have this login. */
  public synchronized void demand(String authorization) {
    demanded = authorization;
  }

  /** No request is answered until the latch is counted down. */
  public CountDownLatch holdAnswers() {
    held = new CountDownLatch(1);
    return held;
  }

  /** How many requests are not answered yet. */
  public int waiting() {
    return waiting.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      waiting.incrementAndGet();
      held.await();
      waiting.decrementAndGet();
      byte[] body = exchange.getRequestBody().readAllBytes();
      Failure answer = answer(exchange, body);
      byte[] bytes = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Failure answer(HttpExchange exchange, byte[] body) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(exchange.getRequestMethod() + " " + path);
    if (demanded != null
        && !demanded.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      return new Failure(401, "{\"error_code\":401,\"message\":\"Unauthorized\"}");
    }
    if (!failures.isEmpty()) {
      return failures.removeFirst();
    }
    if (exchange.getRequestMethod().equals("POST")) {
      return posted(path, JSON.readTree(body).path("schema").asText());
    }
    if (path.startsWith("/schemas/ids/")) {
      int id = Integer.parseInt(path.substring("/schemas/ids/".length()));
      return id > schemas.size()
          ? new Failure(404, NOT_FOUND)
          : schema(schemas.get(id - 1), extras.get(id - 1));
    }
    String version = versions.get(path);
    return version == null ? new Failure(404, NOT_FOUND) : schema(version, "");
  }

  private Failure posted(String path, String schema) {
    if (!schemas.contains(schema)) {
      if (!path.endsWith("/versions")) {
        return new Failure(404, NOT_FOUND);
      }
      var _ = add(schema);
    }
    return new Failure(200, "{\"id\":%d}".formatted(schemas.indexOf(schema) + 1));
  }

  private static Failure schema(String schema, String more) throws IOException {
    return new Failure(200, "{\"schema\":%s%s}".formatted(JSON.writeValueAsString(schema), more));
  }

  @Override
  public void close() {
    held.countDown();
    server.stop(0);
  }
}
