package io.sedge.connector.http.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** Sends requests as a web service does that tells of what has happened. */
public final class Caller implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = 5_000_000;

  private final HttpClient client;
  private final URI address;

  /** One that sends to an address. */
  public Caller(String address) {
    this(address, HttpClient.newHttpClient());
  }

  /** One with a client that is set up. */
  public Caller(String address, HttpClient client) {
    this.address = URI.create(address);
    this.client = client;
  }

  /** A port that nobody listens at now. */
  public static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Sends once somebody listens; the answer, when it comes. */
  public CompletableFuture<HttpResponse<String>> send(String body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return CompletableFuture.supplyAsync(
        () -> {
          long deadline = System.nanoTime() + PATIENCE.toNanos();
          while (true) {
            try {
              return client.send(request.build(), BodyHandlers.ofString());
            } catch (IOException e) {
              assertThat(System.nanoTime()).as("nobody listens: %s", e).isLessThan(deadline);
              LockSupport.parkNanos(PAUSE_NANOS);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  /** The same without headers. */
  public CompletableFuture<HttpResponse<String>> send(String body) {
    return send(body, Map.of());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
