package io.sedge.center.internal.api;

import com.fasterxml.jackson.core.type.TypeReference;
import io.helidon.common.parameters.Parameters;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.center.internal.api.ApiException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A request that is permitted, whose body has arrived, and what answers it. One thread. */
final class Call {
  /** How large a body may be. */
  static final int MAX_BODY_BYTES = 1 << 20;

  static final String JSON = "application/json";

  private static final byte[] EMPTY = {'{', '}'};

  private final Caller caller;
  private final ServerRequest request;
  private final ServerResponse response;
  private final byte[] body;

  private Call(Caller caller, ServerRequest request, ServerResponse response, byte[] body) {
    this.caller = caller;
    this.request = request;
    this.response = response;
    this.body = body;
  }

  /**
   * Waits for the body.
   *
   * @throws ApiException TOO_LARGE; MALFORMED
   */
  static Call read(Caller caller, ServerRequest request, ServerResponse response)
      throws ApiException {
    return new Call(caller, request, response, body(request, response));
  }

  Caller caller() {
    return caller;
  }

  ServerRequest request() {
    return request;
  }

  ServerResponse response() {
    return response;
  }

  /** A part of the path. */
  String path(String name) {
    return request.path().pathParameters().get(name);
  }

  /** Refuses what stands after {@code ?} under other names: it was mistyped. */
  void allow(Set<String> names) throws ApiException {
    for (String name : request.query().names()) {
      if (!names.contains(name)) {
        throw new ApiException(
            Reason.MALFORMED,
            "%s is not known here: there may be %s"
                .formatted(name, String.join(", ", new TreeSet<>(names))));
      }
    }
  }

  /** What stands after {@code ?}; it may be there once. */
  Optional<String> parameter(String name) throws ApiException {
    List<String> values = parameters(name);
    if (values.size() > 1) {
      throw new ApiException(Reason.MALFORMED, "%s is given twice".formatted(name));
    }
    return values.stream().findFirst();
  }

  List<String> parameters(String name) {
    Parameters query = request.query();
    return query.contains(name) ? query.all(name) : List.of();
  }

  String required(String name) throws ApiException {
    return required(name, parameter(name).orElse(null));
  }

  /** A whole number after {@code ?}. */
  Optional<Long> number(String name, long least, long most) throws ApiException {
    Optional<String> text = parameter(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return Optional.of(value);
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new ApiException(
        Reason.MALFORMED,
        "%s=%s: a whole number from %d to %,d is allowed".formatted(name, text.get(), least, most));
  }

  /** A value that a request must have. */
  static String required(String name, @Nullable String value) throws ApiException {
    if (value == null || value.isBlank()) {
      throw new ApiException(Reason.MALFORMED, "%s is missing".formatted(name));
    }
    return value;
  }

  /** The body; {@code {}} if there is none. */
  <T> T body(Class<T> type) throws ApiException {
    return Json.read(body.length == 0 ? EMPTY : body, type);
  }

  /** The body; {@code {}} if there is none. */
  <T> T body(TypeReference<T> type) throws ApiException {
    return Json.read(body.length == 0 ? EMPTY : body, type);
  }

  private static byte[] body(ServerRequest request, ServerResponse response) throws ApiException {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    if (request.headers().contentLength().orElse(0) > MAX_BODY_BYTES) {
      throw tooLarge(response);
    }
    try (InputStream input = request.content().inputStream()) {
      byte[] body = input.readNBytes(MAX_BODY_BYTES + 1);
      if (body.length > MAX_BODY_BYTES) {
        throw tooLarge(response);
      }
      return body;
    } catch (IOException | UncheckedIOException e) {
      throw new ApiException(Reason.MALFORMED, "the body does not end", e);
    }
  }

  private static ApiException tooLarge(ServerResponse response) {
    // What is left of the body is not read.
    response.header(HeaderNames.CONNECTION, "close");
    return new ApiException(
        Reason.TOO_LARGE, "the body has more than %,d bytes".formatted(MAX_BODY_BYTES));
  }

  void answer(Object value) {
    answer(200, value);
  }

  void answer(int status, Object value) {
    response.status(status).header(HeaderNames.CONTENT_TYPE, JSON).send(Json.write(value));
  }

  /** It was done, and there is nothing to say. */
  void done() {
    response.status(204).send();
  }
}
