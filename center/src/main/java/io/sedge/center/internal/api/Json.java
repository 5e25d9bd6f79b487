package io.sedge.center.internal.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.internal.api.ApiException.Reason;
import java.io.IOException;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** JSON as the API writes and reads it: what is absent is left out, what is unknown is refused. */
final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private Json() {}

  static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }

  /**
   * Reads a body.
   *
   * @throws ApiException MALFORMED
   */
  static <T> T read(byte[] body, Class<T> type) throws ApiException {
    return read(() -> MAPPER.readValue(body, type));
  }

  /**
   * Reads a body.
   *
   * @throws ApiException MALFORMED
   */
  static <T> T read(byte[] body, TypeReference<T> type) throws ApiException {
    return read(() -> MAPPER.readValue(body, type));
  }

  /** Something to read. */
  @FunctionalInterface
  private interface Reading<T> {
    @Nullable T read() throws IOException;
  }

  private static <T> T read(Reading<T> reading) throws ApiException {
    try {
      T value = reading.read();
      if (value == null) {
        throw new ApiException(Reason.MALFORMED, "the body is null: give a JSON object");
      }
      return value;
    } catch (UnrecognizedPropertyException e) {
      throw new ApiException(
          Reason.MALFORMED,
          "the body has a field '%s', which is not known: it may have %s"
              .formatted(
                  e.getPropertyName(),
                  Objects.requireNonNull(e.getKnownPropertyIds()).stream()
                      .map(String::valueOf)
                      .sorted()
                      .collect(Collectors.joining(", "))),
          e);
    } catch (JsonProcessingException e) {
      throw new ApiException(
          Reason.MALFORMED,
          "the body is not the JSON that is expected here: %s".formatted(reason(e)),
          e);
    } catch (IOException e) {
      throw new ApiException(Reason.MALFORMED, "the body cannot be read", e);
    }
  }

  /** Without the names of classes. */
  private static String reason(JsonProcessingException e) {
    if (!(e instanceof MismatchedInputException mismatch)) {
      return e.getOriginalMessage();
    }
    return mismatch.getPath().isEmpty()
        ? "give one object with the fields that openapi.yaml describes"
        : "the field '%s' has a value of another type"
            .formatted(mismatch.getPath().getFirst().getFieldName());
  }
}
