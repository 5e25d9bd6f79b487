package io.sedge.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlannedFaultTest {
  @Test
  void aFaultMayHaveATargetAndAnEnd() {
    assertThat(PlannedFault.parse("bearing-wear@30s"))
        .isEqualTo(
            new PlannedFault(
                Fault.BEARING_WEAR, Optional.empty(), Duration.ofSeconds(30), Optional.empty()));
    assertThat(PlannedFault.parse("sensor-frozen:storage/tank-2/level@1m..2h"))
        .isEqualTo(
            new PlannedFault(
                Fault.SENSOR_FROZEN,
                Optional.of("storage/tank-2/level"),
                Duration.ofMinutes(1),
                Optional.of(Duration.ofHours(2))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          leak          | 'leak' is not a planned fault; write it as NAME@30s, NAME@1m..3m or NAME:ZONE/MACHINE@30s
          flood@30s     | there is no fault 'flood'; each simulation's help lists its own
          leak@1.2.3s   | '1.2.3s' is not a time; write it as 30s, 5m or 1h
          leak@3m..1m   | 'leak@3m..1m' ends before it begins
          """)
  void whatIsNotUnderstoodIsToldWithWhatIs(String text, String message) {
    assertThatThrownBy(() -> PlannedFault.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
