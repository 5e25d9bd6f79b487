package io.sedge.connector.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SamplingRateTest {
  @ParameterizedTest
  @CsvSource({"10 Hz, 10", "0.5hz, 0.5", "100 ms, 10", "100ms, 10", "2 s, 0.5", "1 min, 0.016666"})
  void ratesAndPeriodsAreBothRead(String text, double hertz) {
    assertThat(SamplingRate.parse(text).orElseThrow())
        .isCloseTo(hertz, org.assertj.core.api.Assertions.within(1e-6));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "fast", "-1 Hz", "0 Hz", "0 ms", "10 kHz", "1 h", "1e3 Hz"})
  void whatIsNeitherIsRefused(String text) {
    assertThat(SamplingRate.parse(text)).isEmpty();
  }

  @Test
  void ratesAreShownWithoutNeedlessDigits() {
    assertThat(SamplingRate.show(100)).isEqualTo("100 Hz");
    assertThat(SamplingRate.show(12.5)).isEqualTo("12.5 Hz");
    assertThat(SamplingRate.show(1 / 3.0)).isEqualTo("0.333 Hz");
  }
}
