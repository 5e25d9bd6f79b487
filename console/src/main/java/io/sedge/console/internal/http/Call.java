package io.sedge.console.internal.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.HttpMediaType;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.console.internal.http.Refusal.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request and what answers it. One thread. */
public final class Call {
  /** How large a body may be. */
  public static final int MAX_BODY_BYTES = 1 << 20;

  private static final String JSON = "application/json";

  private final ServerRequest request;
  private final ServerResponse response;

  Call(ServerRequest request, ServerResponse response) {
    this.request = request;
    this.response = response;
  }

  public ServerRequest request() {
    return request;
  }

  public ServerResponse response() {
    return response;
  }

  /** A part of the path. */
  public String path(String name) {
    return request.path().pathParameters().get(name);
  }

  /** What stands after {@code ?}; empty if it is not there, or blank. */
  public Optional<String> parameter(String name) {
    return request.query().contains(name)
        ? Optional.of(request.query().get(name)).filter(value -> !value.isBlank())
        : Optional.empty();
  }

  /**
   * A whole number after {@code ?}.
   *
   * @throws Refusal MALFORMED
   */
  public long number(String name, long otherwise, long least, long most) throws Refusal {
    Optional<String> text = parameter(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new Refusal(
        Reason.MALFORMED,
        "%s=%s: a whole number from %d to %d is allowed".formatted(name, text.get(), least, most));
  }

  /** A header's first value. */
  public Optional<String> header(String name) {
    return request.headers().first(HeaderNames.create(name));
  }

  /**
   * The texts of the object that is the body, by their fields.
   *
   * @throws Refusal as {@link #body}
   */
  public Map<String, String> texts() throws Refusal {
    return Json.texts(body());
  }

  /** One of {@link #texts}. */
  public static String required(String name, @Nullable String value) throws Refusal {
    if (value == null || value.isBlank()) {
      throw new Refusal(Reason.MALFORMED, name + " is missing");
    }
    return value;
  }

  /**
   * Waits for the body and reads it. Only a page of this console can send JSON with a cookie: a
   * browser asks first whether another may, and is not answered.
   *
   * @throws Refusal UNSUPPORTED_TYPE; TOO_LARGE; MALFORMED
   */
  public byte[] body() throws Refusal {
    String given = request.headers().contentType().map(HttpMediaType::text).orElse("");
    if (!given.toLowerCase(Locale.ROOT).startsWith(JSON)) {
      throw new Refusal(
          Reason.UNSUPPORTED_TYPE, "the body has the type '%s': send %s".formatted(given, JSON));
    }
    return bytes();
  }

  private byte[] bytes() throws Refusal {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    if (request.headers().contentLength().orElse(0) > MAX_BODY_BYTES) {
      throw tooLarge();
    }
    try (InputStream input = request.content().inputStream()) {
      byte[] body = input.readNBytes(MAX_BODY_BYTES + 1);
      if (body.length > MAX_BODY_BYTES) {
        throw tooLarge();
      }
      return body;
    } catch (IOException | UncheckedIOException e) {
      throw new Refusal(Reason.MALFORMED, "the body does not end");
    }
  }

  private Refusal tooLarge() {
    // What is left of the body is not read.
    response.header(HeaderNames.CONNECTION, "close");
    return new Refusal(
        Reason.TOO_LARGE, "the body has more than %,d bytes".formatted(MAX_BODY_BYTES));
  }

  /** Answers with JSON. */
  public void answer(Json.Value value) {
    answer(200, value);
  }

  void answer(int status, Json.Value value) {
    send(status, JSON, Json.write(value));
  }

  /** Answers with text. */
  public void answer(String type, String text) {
    send(200, type, text.getBytes(StandardCharsets.UTF_8));
  }

  private void send(int status, String type, byte[] body) {
    response.status(status).header(HeaderNames.CONTENT_TYPE, type).send(body);
  }

  /** It was done, and there is nothing to say. */
  public void done() {
    response.status(204).send();
  }
}
