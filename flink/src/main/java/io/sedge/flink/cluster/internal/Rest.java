package io.sedge.flink.cluster.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Requests to a JobManager, one at a time, each with a bound in time and size. */
public final class Rest implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final int MAX_ANSWER = 4 << 20;
  private static final int MAX_TEXT = 300;
  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int PROXY_LOGIN = 407;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String address;
  private final Optional<String> authorization;
  private final HttpClient http;

  /**
   * An answer.
   *
   * @param body what came, as JSON; a missing node if it is none
   */
  public record Answer(int status, String text, JsonNode body) {
    /** Whether it is what was asked for, and JSON. */
    public boolean isGood() {
      return status >= OK && status < MULTIPLE_CHOICES && body.isObject();
    }
  }

  /**
   * @param address without a slash at its end
   * @param trusted whose certificates are trusted; empty for what this machine trusts
   * @param authorization the value of that header
   */
  public Rest(String address, Optional<SSLContext> trusted, Optional<String> authorization) {
    this.address = address;
    this.authorization = authorization;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT);
    trusted.ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** As it was given. */
  String address() {
    return address;
  }

  /** Where Flink's own page shows a job. */
  public String page(String job) {
    return "%s/#/job/running/%s/overview".formatted(address, job);
  }

  /** A name as a part of a path. */
  public static String part(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Asks for something. */
  public Answer get(String path, Duration patience) throws JobException, InterruptedException {
    return send(request(path).GET(), patience);
  }

  /** Sends JSON. */
  public Answer post(String path, Object body, Duration patience)
      throws JobException, InterruptedException {
    try {
      return send(
          request(path)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))),
          patience);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a request that JSON cannot hold", e);
    }
  }

  /** Sends a body of several parts. */
  public Answer post(String path, String boundary, BodyPublisher parts, Duration patience)
      throws JobException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
            .POST(parts),
        patience);
  }

  /** Deletes something. */
  public Answer delete(String path, Duration patience) throws JobException, InterruptedException {
    return send(request(path).DELETE(), patience);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
    authorization.ifPresent(value -> request.header("Authorization", value));
    return request;
  }

  /**
   * The client's own time-out ends with the headers, so the whole is waited for here. A thread that
   * is interrupted sends nothing, and cancels what it has sent.
   */
  private Answer send(HttpRequest.Builder request, Duration patience)
      throws JobException, InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    CompletableFuture<HttpResponse<byte[]>> exchange =
        http.sendAsync(
            request.build(), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
    try {
      HttpResponse<byte[]> response = exchange.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return checked(response);
    } catch (TimeoutException e) {
      throw failed("does not answer within %d s".formatted(patience.toSeconds()), e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw switch (cause) {
        case SSLException tls ->
            failed(
                "cannot be trusted or speaks no TLS (%s): give the certificate of its authority with --ca, or an address that the certificate names"
                    .formatted(tls.getMessage()),
                tls);
        case IOException io ->
            failed(
                "cannot be reached: "
                    + (io.getMessage() == null ? io.getClass().getSimpleName() : io.getMessage()),
                io);
        default -> failed("cannot be asked: " + cause, cause);
      };
    } finally {
      exchange.cancel(true);
    }
  }

  /** The answer, unless whoever answers wants a login or is somewhere else. */
  private Answer checked(HttpResponse<byte[]> response) throws JobException {
    int status = response.statusCode();
    String text = new String(response.body(), StandardCharsets.UTF_8);
    if (status == UNAUTHORIZED || status == FORBIDDEN || status == PROXY_LOGIN) {
      throw new JobException(
          FailureCode.JOIN_REFUSED,
          "%s does not let this login in (HTTP %d): give one with --token-file or --login-file"
              .formatted(address, status));
    }
    if (status >= MULTIPLE_CHOICES && status < BAD_REQUEST) {
      throw new JobException(
          FailureCode.USAGE,
          "%s sends on to %s (HTTP %d), perhaps to log in: give the address of the REST itself"
              .formatted(address, response.headers().firstValue("Location").orElse("?"), status));
    }
    return new Answer(status, text, json(text));
  }

  private static JsonNode json(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return node == null ? JSON.missingNode() : node;
    } catch (JsonProcessingException e) {
      return JSON.missingNode();
    }
  }

  private JobException failed(String what, Throwable cause) {
    return new JobException(
        FailureCode.CONNECTION_FAILED, "the JobManager at %s %s".formatted(address, what), cause);
  }

  /** A failure for an answer that was not expected. */
  public JobException unexpected(String what, Answer answer) {
    String errors = answer.body().path("errors").path(0).asText(answer.text()).strip();
    String first = errors.lines().findFirst().orElse("");
    return new JobException(
        FailureCode.CONNECTION_FAILED,
        "the JobManager at %s answers %s with HTTP %d: %s"
            .formatted(
                address,
                what,
                answer.status(),
                first.length() <= MAX_TEXT ? first : first.substring(0, MAX_TEXT)));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
