package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import io.sedge.connector.format.MalformedPayloadException;
import java.nio.charset.Charset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON between systems is in UTF-8 (RFC 8259, section 8.1). */
final class BodiesTest {
  private static final String JSON = "[{\"machine\": \"ä\"}, 5]";

  private static List<String> elements(byte[] body) throws MalformedPayloadException {
    return Bodies.elements(body, JsonPointer.empty()).stream()
        .map(span -> new String(body, span.from(), span.to() - span.from(), UTF_8))
        .toList();
  }

  // Some servers send a BOM; a parser may pass over it.
  @ParameterizedTest
  @ValueSource(strings = {"", "\ufeff"})
  void rowsAreFoundInUtf8(String before) throws MalformedPayloadException {
    assertThat(elements((before + JSON).getBytes(UTF_8)))
        .containsExactly("{\"machine\": \"ä\"}", "5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
  void otherEncodingsAreMalformed(String charset) {
    assertThatThrownBy(() -> elements(JSON.getBytes(Charset.forName(charset))))
        .isInstanceOf(MalformedPayloadException.class)
        .hasMessage("the body is not in UTF-8");
  }

  @Test
  void anEmptyBodyHasNoRows() {
    assertThatThrownBy(() -> elements(new byte[0])).hasMessage("the body is empty");
  }
}
