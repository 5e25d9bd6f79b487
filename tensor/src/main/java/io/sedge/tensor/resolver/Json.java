package io.sedge.tensor.resolver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import org.jspecify.annotations.Nullable;

/** Reads JSON strictly: one value, no key twice. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /**
   * The value that a text holds.
   *
   * @param whose what the message calls the text
   * @throws ClusterResolutionException of the given reason if it holds none, or more than one
   */
  static JsonNode read(String text, String whose, Reason reason) {
    try {
      JsonNode node = MAPPER.readTree(text);
      if (!node.isMissingNode()) {
        return node;
      }
      throw new ClusterResolutionException(reason, whose + " is empty, not JSON");
    } catch (JsonProcessingException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " (line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr()
                  + ")";
      throw new ClusterResolutionException(
          reason, whose + " is not JSON: " + e.getOriginalMessage() + where, e);
    }
  }

  /** The text of a field; null if the field is not there, or null, or not a text. */
  static @Nullable String text(JsonNode node, String field) {
    JsonNode value = node.path(field);
    return value.isTextual() ? value.textValue() : null;
  }
}
