package io.sedge.connector.http.internal;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests and takes their answers, within bounds of time and size. Redirections are not
 * followed: what goes along with a request, a login above all, is for the server that was named.
 * Any thread; blocks.
 */
final class Exchange implements AutoCloseable {
  private final HttpClient client;
  private final Duration timeout;

  /** The last that was skimmed; it may not have ended. */
  private final AtomicReference<@Nullable SkimmedBody> skimmed = new AtomicReference<>();

  /**
   * Opens one; reads the server's files for TLS.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if one cannot be used
   */
  Exchange(Server server) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(server.connectTimeout())
            .executor(
                Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("http-" + server.table() + "-", 0).factory()));
    server.tls().map(TlsFiles::context).ifPresent(builder::sslContext);
    this.client = builder.build();
    this.timeout = server.timeout();
  }

  /**
   * Sends a request and waits for its whole answer, which is unpacked where the server has packed
   * it.
   *
   * @param maxBytes a larger one, packed or not, is broken off: that is a {@link StatusException}
   */
  Answer send(HttpRequest request, int maxBytes) throws IOException, InterruptedException {
    Answer answer =
        send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes), maxBytes);
    return Packing.unpacked(answer, maxBytes);
  }

  /**
   * Sends a request and waits for the status and, if that is no success, what the answer begins
   * with. A server that has taken the request may keep its answer open, until the next one comes.
   */
  Answer sendAndSkim(HttpRequest request, int mostBytes) throws IOException, InterruptedException {
    return send(
        request,
        info -> {
          boolean isSuccess = info.statusCode() >= 200 && info.statusCode() < 300;
          SkimmedBody next = new SkimmedBody(mostBytes, !isSuccess);
          SkimmedBody previous = skimmed.getAndSet(next);
          if (previous != null) {
            previous.breakOff();
          }
          return next;
        },
        mostBytes);
  }

  private Answer send(HttpRequest request, BodyHandler<byte[]> body, long maxBytes)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer = client.sendAsync(request, body);
    try {
      HttpResponse<byte[]> got = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return new Answer(got.statusCode(), got.headers(), got.body());
    } catch (TimeoutException e) {
      var _ = answer.cancel(true);
      throw new HttpTimeoutException("it has not answered within %s".formatted(text(timeout)));
    } catch (InterruptedException e) {
      var _ = answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw cause(e, maxBytes);
    }
  }

  private static IOException cause(ExecutionException thrown, long maxBytes) {
    Throwable cause = thrown.getCause();
    if (cause instanceof IOException known) {
      return String.valueOf(known.getMessage()).contains("body exceeds capacity")
          ? tooLarge(maxBytes)
          : known;
    }
    return new IOException(cause);
  }

  static StatusException tooLarge(long maxBytes) {
    return new StatusException(
        "its answer is larger than %d bytes".formatted(maxBytes), false, Duration.ZERO);
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + " s"
        : duration.toMillis() + " ms";
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    client.shutdownNow();
  }
}
