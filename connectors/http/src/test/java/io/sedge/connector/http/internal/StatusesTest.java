package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110, sections 10.2.3 (Retry-After) and 15 (status codes). */
final class StatusesTest {
  private static final Instant NOW = Instant.parse("2026-01-31T10:00:00Z");

  private static Answer answer(int status, Map<String, String> headers, byte[] body) {
    Map<String, List<String>> all = new HashMap<>();
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    return new Answer(status, HttpHeaders.of(all, (_, _) -> true), body);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "'Sat, 31 Jan 2026 10:00:30 GMT', 30",
    "'Sat, 31 Jan 2026 09:00:00 GMT', 0",
    "999999999, 600",
    "99999999999, 0",
    "-5, 0",
    "soon, 0"
  })
  void aServerMayAskForAPauseUpToABound(String header, long seconds) {
    assertThat(Statuses.pause(answer(429, Map.of("Retry-After", header), new byte[0]), NOW))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 422})
  void theseRefuseWhatWasSent(int status) {
    assertThat(Statuses.isRefusal(status, true)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        301, 401, 402, 403, 406, 407, 408, 409, 411, 412, 415, 417, 418, 421, 423, 424, 425, 426,
        428, 429, 431, 451, 499, 500, 502, 503, 504
      })
  void othersDoNot(int status) {
    assertThat(Statuses.isRefusal(status, false)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 405, 410, 414})
  void anAddressIsTheRowsWhereItIsMadeOfIt(int status) {
    assertThat(Statuses.isRefusal(status, false)).isTrue();
    assertThat(Statuses.isRefusal(status, true)).isFalse();
  }

  @Test
  void whatAServerSaysIsShortAndOnOneLine() {
    byte[] text = ("a\n\u001b[31mb\r\n" + "c".repeat(1_000)).getBytes(UTF_8);
    String said =
        Statuses.failure(answer(500, Map.of("Content-Type", "text/plain"), text), NOW).getMessage();
    assertThat(said).startsWith("it answers 500: a [31mb c").hasSizeLessThan(250);
    assertThat(Statuses.failure(answer(500, Map.of("Content-Type", "text/html"), text), NOW))
        .hasMessage("it answers 500");
  }
}
