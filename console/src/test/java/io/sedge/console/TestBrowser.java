package io.sedge.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Predicate;

/** Asks a console as a browser does. */
final class TestBrowser implements AutoCloseable {
  static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String API = "api/v1";

  private final URI address;
  private final HttpClient client = HttpClient.newHttpClient();

  TestBrowser(String address) {
    this.address = URI.create(address);
  }

  HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address.resolve(path))
            .timeout(Duration.ofSeconds(20))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, "", headers);
  }

  JsonNode json(String route) throws IOException, InterruptedException {
    return MAPPER.readTree(get(API + route).body());
  }

  HttpResponse<String> check(String json) throws IOException, InterruptedException {
    return send("POST", API + "/check", json, "Content-Type", "application/json");
  }

  /** The first line of the answer to a request that is sent as it is. */
  String raw(String request) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  Events events(String query) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        client.send(
            HttpRequest.newBuilder(address.resolve(API + "/events" + query)).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    return new Events(response);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  record Event(String name, JsonNode data) {}

  /** A stream of events. */
  static final class Events implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader reader;

    Events(HttpResponse<InputStream> response) {
      this.response = response;
      this.reader =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    int status() {
      return response.statusCode();
    }

    /** The next event that is of interest. */
    Event next(Predicate<Event> wanted) throws IOException {
      String name = "";
      while (true) {
        String line = reader.readLine();
        if (line == null) {
          throw new AssertionError("the events have ended");
        }
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("data: ")) {
          Event event = new Event(name, MAPPER.readTree(line.substring(6)));
          if (wanted.test(event)) {
            return event;
          }
        }
      }
    }

    Event next(String name) throws IOException {
      return next(event -> event.name().equals(name));
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }
}
