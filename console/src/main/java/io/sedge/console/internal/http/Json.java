package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.sedge.console.internal.http.Refusal.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as the console writes and reads it, piece by piece: binding objects would take a run twenty
 * megabytes. What is absent is left out.
 */
public final class Json {
  public static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Json() {}

  /** Something that writes itself as one value. */
  @FunctionalInterface
  public interface Value {
    void write(JsonGenerator json) throws IOException;
  }

  public static byte[] write(Value value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      value.write(json);
    } catch (IOException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
    return bytes.toByteArray();
  }

  /** Writes a field with a list of texts. */
  public static void texts(JsonGenerator json, String field, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  /** Writes a field with a list of values. */
  public static void values(JsonGenerator json, String field, List<? extends Value> values)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (Value value : values) {
      value.write(json);
    }
    json.writeEndArray();
  }

  /**
   * The texts of an object, by their fields; what else it has is passed over.
   *
   * @throws Refusal MALFORMED
   */
  static Map<String, String> texts(byte[] body) throws Refusal {
    Map<String, String> texts = new HashMap<>();
    try (JsonParser json = FACTORY.createParser(body)) {
      boolean object = json.nextToken() == JsonToken.START_OBJECT;
      while (object && json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING) {
          texts.put(field, json.getText());
        } else {
          json.skipChildren();
        }
      }
      if (object && json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null) {
        return texts;
      }
    } catch (IOException e) {
      // Said below.
    }
    throw malformed();
  }

  /** A body that cannot be read. */
  public static Refusal malformed() {
    return new Refusal(Reason.MALFORMED, "the body is not the JSON object that is expected here");
  }
}
