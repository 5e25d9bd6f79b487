package io.sedge.connector.modbus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Backoff;
import io.sedge.connector.Reports;
import io.sedge.connector.testkit.TestContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said after restarts of what was not read; a gap that is forgotten is a silent one. */
final class LastRowsTest {
  private static final long SECOND = 1_000_000;
  private static final long BEGIN = 1_767_225_600L * SECOND; // 2026-01-01T00:00:00Z
  private static final String UNIT_2 = "plc-1:502 unit 2";

  private final TestContext context = new TestContext(Path.of(""));

  private LastRows rows() {
    Duration second = Duration.ofSeconds(1);
    ReadPlan plan = new ReadPlan(List.of());
    return new LastRows(
        new PollSettings(
            List.of(new Endpoint.Tcp("plc-1", 502, false)),
            List.of(1, 2),
            second,
            plan,
            plan,
            new LinkSettings(second, second, Backoff.steady(second, second))),
        new Reports("readings", context));
  }

  private LastRows resumed(LastRows before) {
    LastRows rows = rows();
    rows.resume(ReaderPosition.parse(before.position().bytes()));
    return rows;
  }

  @Test
  void aUnitThatStaysSilentOverTwoRestartsKeepsTheBeginningOfItsGap() {
    LastRows first = rows();
    first.gave(0, BEGIN);
    first.gave(1, BEGIN);
    LastRows second = resumed(first);
    second.gave(0, BEGIN + 60 * SECOND);
    LastRows third = resumed(second);
    third.gave(0, BEGIN + 61 * SECOND);
    third.gave(1, BEGIN + 62 * SECOND);
    assertThat(context.reports())
        .containsExactly(
            "WARNING table readings: nothing was read from 2026-01-01T00:00:00Z to"
                + " 2026-01-01T00:01:00Z, while the job was away; Modbus devices keep no past",
            "WARNING table readings: plc-1:502 unit 2 gave nothing from 2026-01-01T00:00:00Z to"
                + " 2026-01-01T00:01:02Z; it had none before the job was away");
    assertThat(third.position().lagging()).isEmpty();
  }

  @Test
  void aGapIsKeptWhereNothingWasReadBetweenTwoRestarts() {
    LastRows first = rows();
    first.gave(1, BEGIN);
    first.gave(0, BEGIN + 60 * SECOND);
    assertThat(resumed(resumed(first)).position())
        .isEqualTo(new ReaderPosition(BEGIN + 60 * SECOND, Map.of(UNIT_2, BEGIN)));
  }

  @Test
  void aClockThatIsSetBackMakesNoUnitLag() {
    LastRows rows = rows();
    rows.gave(0, BEGIN + 3_600 * SECOND);
    rows.gave(1, BEGIN + 3_600 * SECOND);
    rows.gave(0, BEGIN);
    rows.gave(1, BEGIN);
    rows.gave(0, BEGIN + SECOND);
    assertThat(rows.position()).isEqualTo(new ReaderPosition(BEGIN + SECOND, Map.of()));
    resumed(rows).gave(0, BEGIN + 2 * SECOND);
    assertThat(context.reports()).isEmpty();
  }
}
