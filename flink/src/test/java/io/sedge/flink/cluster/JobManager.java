package io.sedge.flink.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Answers as a JobManager does, or as a test wants, and keeps what was asked. */
final class JobManager implements AutoCloseable {
  private static final long LOOK_MILLIS = 10;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Of one path. */
  private record Answer(int status, String type, String body, Fault fault) {}

  /** What was asked. */
  record Request(String line, String authorization, String body) {}

  private enum Fault {
    NONE,
    SILENT,
    STOPS,
    CUT
  }

  JobManager() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
    json("GET /config", 200, "{\"flink-version\":\"2.3.0\",\"features\":{\"web-submit\":true}}");
    json("POST /jars/upload", 200, "{\"filename\":\"/tmp/up/1_job.jar\",\"status\":\"success\"}");
    json("POST /jars/1_job.jar/run", 200, "{\"jobid\":\"abc\"}");
    json("DELETE /jars/1_job.jar", 200, "{}");
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  JobManager json(String request, int status, String body) {
    answers.put(request, new Answer(status, "application/json", body, Fault.NONE));
    return this;
  }

  JobManager html(String request, int status, String body) {
    answers.put(request, new Answer(status, "text/html", body, Fault.NONE));
    return this;
  }

  /** Says nothing. */
  JobManager silent(String request) {
    answers.put(request, new Answer(200, "", "", Fault.SILENT));
    return this;
  }

  /** Begins an answer and says no more. */
  JobManager stopping(String request) {
    answers.put(request, new Answer(200, "", "", Fault.STOPS));
    return this;
  }

  /** Takes the request and closes the connection. */
  JobManager cutting(String request) {
    answers.put(request, new Answer(200, "", "", Fault.CUT));
    return this;
  }

  List<Request> requests() {
    return requests;
  }

  /** Waits until something is asked. */
  void await(String request) throws InterruptedException {
    while (!lines().contains(request)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // The test's own time-out bounds it.
    }
  }

  List<String> lines() {
    return requests.stream().map(Request::line).toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String line = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
    String login = exchange.getRequestHeaders().getFirst("Authorization");
    requests.add(new Request(line, login == null ? "" : login, body));
    String known = line.startsWith("GET /jobs/") && !answers.containsKey(line) ? "GET /jobs" : line;
    Answer answer =
        answers.getOrDefault(
            known,
            new Answer(404, "application/json", "{\"errors\":[\"Not found.\"]}", Fault.NONE));
    switch (answer.fault()) {
      case SILENT -> awaitClose();
      case STOPS -> {
        exchange.sendResponseHeaders(200, 1_000);
        exchange.getResponseBody().write('{');
        exchange.getResponseBody().flush();
        awaitClose();
      }
      case CUT -> {}
      case NONE -> {
        byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.getResponseHeaders().set("Location", "https://login.plant/");
        exchange.sendResponseHeaders(answer.status(), bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
    exchange.close();
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
