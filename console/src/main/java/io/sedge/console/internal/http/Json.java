package io.sedge.console.internal.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.sedge.console.internal.http.Refusal.Reason;
import java.io.IOException;
import java.util.Locale;

/** JSON as the console writes and reads it: what is absent is left out. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .addModule(new SimpleModule().addSerializer(new LowerCase()))
          .build();

  /** Reads fractions as they are written. */
  public static final ObjectMapper EXACT =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private Json() {}

  /** Enums as the page names them. */
  private static final class LowerCase extends StdSerializer<Enum<?>> {
    private static final long serialVersionUID = 1;

    LowerCase() {
      super(Enum.class, false);
    }

    @Override
    public void serialize(Enum<?> value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(value.name().toLowerCase(Locale.ROOT));
    }
  }

  public static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }

  /**
   * Reads a body.
   *
   * @throws Refusal MALFORMED
   */
  static <T> T read(byte[] body, Class<T> type) throws Refusal {
    try {
      T value = MAPPER.readValue(body, type);
      if (value != null) {
        return value;
      }
    } catch (IOException e) {
      // Said below: what the parser says names classes.
    }
    throw new Refusal(Reason.MALFORMED, "the body is not the JSON object that is expected here");
  }
}
