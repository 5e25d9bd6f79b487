package io.sedge.console.internal.site;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.sedge.console.internal.http.Json;
import io.sedge.console.internal.http.Refusal;
import java.io.IOException;
import java.util.Locale;

/** The records of a site as JSON, by the names that they have; a device binds objects anyway. */
final class SiteJson {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .addModule(new SimpleModule().addSerializer(new LowerCase()))
          .build();

  private SiteJson() {}

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

  static Json.Value of(Object value) {
    return json -> MAPPER.writeValue(json, value);
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
    throw Json.malformed();
  }
}
