package io.sedge.connector.http.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9110, section 8.8.2.2: when a time tells one version from the next. */
final class ValidatorsTest {
  private static final String MODIFIED = "Sat, 31 Jan 2026 10:00:00 GMT";

  private static Validators of(Map<String, String> headers) {
    Map<String, List<String>> all = new HashMap<>();
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    return Validators.of(HttpHeaders.of(all, (_, _) -> true));
  }

  @ParameterizedTest
  @CsvSource({
    "'Sat, 31 Jan 2026 10:00:01 GMT', true",
    "'Sat, 31 Jan 2026 10:00:00 GMT', false",
    "'Sat, 31 Jan 2026 09:59:59 GMT', false",
    "'today', false"
  })
  void aTimeIsKeptOnceItsSecondIsOver(String date, boolean kept) {
    assertThat(of(Map.of("Last-Modified", MODIFIED, "Date", date)).lastModified())
        .isEqualTo(kept ? MODIFIED : "");
  }

  @Test
  void withoutADateNobodyKnows() {
    assertThat(of(Map.of("Last-Modified", MODIFIED))).isEqualTo(Validators.NONE);
    assertThat(of(Map.of("Last-Modified", MODIFIED, "ETag", "\"7\"")))
        .isEqualTo(new Validators("\"7\"", ""));
  }
}
