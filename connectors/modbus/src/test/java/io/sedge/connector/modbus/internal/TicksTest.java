package io.sedge.connector.modbus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Reports;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A process that is stopped, or a machine that is paused, misses polls: they are not hidden. */
final class TicksTest {
  private static final long MILLI = 1_000_000;

  private final TestContext context = new TestContext(Path.of(""));
  private final Ticks ticks = new Ticks(Duration.ofMillis(100), new Reports("readings", context));

  private long passed(long elapsedMillis) {
    return ticks.passed(elapsedMillis * MILLI);
  }

  @Test
  void eachTickIsCountedOnceHoweverLateOrEarlyTheThreadIs() {
    assertThat(passed(0)).isEqualTo(1);
    assertThat(passed(199)).isEqualTo(1);
    assertThat(passed(199)).isZero();
    assertThat(ticks.untilNext(199 * MILLI)).isEqualTo(MILLI);
    assertThat(passed(200)).isEqualTo(1);
    assertThat(context.reports()).isEmpty();
  }

  @Test
  void whatIsMissedWhileTheProcessStandsStillIsSaidWithItsTimes() {
    assertThat(passed(0)).isEqualTo(1);
    context.pass(60_000);
    assertThat(passed(60_050)).isEqualTo(600);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: nothing was asked from 2026-01-01T00:00:00Z to"
                + " 2026-01-01T00:01:00Z, as the process stood still or was busy: 599 polls were"
                + " missed, 599 so far");
  }

  @Test
  void ofShortPausesTheFirstIsSaidAndThenEachTenfold() {
    assertThat(passed(0)).isEqualTo(1);
    for (int i = 1; i <= 12; i++) {
      assertThat(passed(i * 200L)).isEqualTo(2);
    }
    assertThat(context.reports()).hasSize(2);
    assertThat(context.reports().getLast()).endsWith("1 poll was missed, 10 so far");
  }
}
