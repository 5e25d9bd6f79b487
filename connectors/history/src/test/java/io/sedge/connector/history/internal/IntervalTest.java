package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Options;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be said of an interval, and what is said of what may not. */
class IntervalTest {
  private static Interval interval(Map<String, String> options) {
    return Interval.of(
        Options.of("past", Interval.OPTIONS, options), new TestContext(Path.of("unused")));
  }

  @Test
  void anIntervalIsInUtcUnlessItHasAnOffsetAndWithoutItsEnd() {
    assertThat(
            interval(
                Map.of("scan.from", "2026-01-01 00:00:00", "scan.to", "2026-01-01T01:00:01+01:00")))
        .isEqualTo(new Interval(Simulation.BEGIN_MICROS, Simulation.BEGIN_MICROS + 1_000_000 - 1));
    assertThat(interval(Map.of("scan.last", "1 s")))
        .isEqualTo(new Interval(Simulation.BEGIN_MICROS - 1_000_000, Long.MAX_VALUE));
  }

  /** A script must be told what is wrong with it, whatever is written there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scan.from | +999999999-01-01            | is no instant; write it as",
        "scan.to   | -999999999-01-01 00:00:00   | is no instant; write it as",
        "scan.from | +999999-01-01T00:00:00Z     | is no instant; write it as",
        "scan.from | yesterday                   | is no instant; write it as",
        "scan.last | 999999999 d                 | is not a duration",
        "scan.last | -1 d                        | is not a duration",
      })
  void anInstantThatIsNoneIsRefused(String key, String value, String why) {
    assertThatThrownBy(() -> interval(Map.of(key, value)))
        .isInstanceOf(ConnectorException.class)
        .hasMessageStartingWith("table past: '%s' = '%s' %s".formatted(key, value, why));
  }
}
