package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedLogTest {
  private final List<String> reports = new ArrayList<>();
  private final MalformedLog log =
      new MalformedLog((_, message) -> reports.add(message), Map.of("kept", "rejected"));

  private void add(String table, String payload, String reason) {
    log.add(table, "plant/1", payload.getBytes(StandardCharsets.UTF_8), reason);
  }

  /** A sensor that sends nonsense sends other nonsense each time; that is one complaint. */
  @Test
  void reasonsThatDifferInTheirValuesAreOneComplaint() {
    for (int i = 0; i < 1_000; i++) {
      add(
          "pumps",
          "{" + i,
          "column reading: 'x%d' is not a number, at character %d".formatted(i, i));
    }
    add("pumps", "", "the payload is empty");
    log.reportRepeats();
    assertThat(reports)
        .containsExactly(
            "table pumps: malformed payload from plant/1: column reading: 'x0' is not a number, at"
                + " character 0: {0",
            "table pumps: malformed payload from plant/1: the payload is empty: ",
            "table pumps: 999 more payloads malformed, such as: column reading: 'x0' is not a"
                + " number, at character 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          'abc' is not a number          | … is not a number
          at character 123, not 4        | at character #, not #
          "a" and `b 1` are not 'c       | … and … are not 'c
          it's the end                   | it's the end
          """)
  void aKindIsAReasonWithoutItsValues(String reason, String kind) {
    assertThat(MalformedLog.kind(reason)).isEqualTo(kind);
  }

  @Test
  void moreComplaintsThanCanBeToldApartAreCountedTogether() {
    for (int i = 0; i < MalformedLog.MAX_COMPLAINTS + 50; i++) {
      add("pumps", "x", "reason " + "z".repeat(i));
    }
    log.reportRepeats();
    assertThat(reports).hasSize(MalformedLog.MAX_COMPLAINTS + 2);
    assertThat(reports.getLast())
        .isEqualTo("table pumps: 49 more payloads malformed, such as: various other reasons");
  }

  @Test
  void readersAreToldToStopLongBeforeOneIsLost() {
    String payload = "x".repeat(1_000);
    int count = 0;
    while (log.hasRoom()) {
      add("kept", payload, "bad");
      count++;
    }
    assertThat(count).isBetween(500, 1_100);
    for (int i = 0; i < 10 * count; i++) {
      add("kept", payload, "bad");
    }
    int taken = 0;
    while (log.take() != null) {
      taken++;
    }
    assertThat(taken).isEqualTo(11 * count);
    assertThat(log.hasRoom()).isTrue();
    assertThat(log.isEmpty()).isTrue();
  }

  /** A reader that does not stop costs payloads, not the heap; and that is said. */
  @Test
  void whatIsBeyondTheBoundIsCountedAndSaid() {
    String payload = "x".repeat(MalformedLog.MAX_PAYLOAD_BYTES);
    int count = MalformedLog.MAX_WAITING_BYTES / payload.length();
    for (int i = 0; i < count; i++) {
      add("kept", payload, "bad");
    }
    log.reportRepeats();
    assertThat(log.total()).isEqualTo(count);
    assertThat(reports.getLast()).contains("were counted but not kept");
  }
}
