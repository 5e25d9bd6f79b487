package io.sedge.tensor.resolver;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests by the JDK's HTTP client, with a limit to time and to the size of answers. */
public final class JdkHttpCalls implements HttpCalls {
  private static final long MOST_BYTES = 16 << 20;

  private final HttpClient client;
  private final Duration timeout;

  /**
   * Requests by a client that the caller made and closes.
   *
   * @param timeout for each request
   */
  public JdkHttpCalls(HttpClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  @Override
  public Answer send(URI uri, Map<String, String> headers, @Nullable String body)
      throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(timeout);
    headers.forEach(request::header);
    if (body != null) {
      request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), BodyHandlers.limiting(BodyHandlers.ofString(), MOST_BYTES));
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted while waiting for " + uri).initCause(e);
    }
  }
}
