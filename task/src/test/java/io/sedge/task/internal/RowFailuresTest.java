package io.sedge.task.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.sql.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which event times are taken, by a clock that the test sets. */
class RowFailuresTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  private static RowFailures failures(Optional<Duration> maxAhead, Instant now) {
    TableDescriptor table =
        new TableDescriptor(
            "m",
            Schema.builder().add("ts", Type.timestamp(3)).build(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of(),
            "test.sql:1");
    Job.SourceTable source =
        new Job.SourceTable(
            table,
            "fake",
            Optional.empty(),
            Optional.empty(),
            maxAhead,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            List.of());
    Job job =
        new Job(
            "test",
            Map.of(Job.ZONE, "Asia/Tokyo"),
            List.of(),
            Map.of("m", source),
            Map.of(),
            new Plan(List.of()),
            (_, _, _) -> Optional.empty(),
            _ -> Optional.empty());
    MalformedLog log = new MalformedLog((_, _) -> {}, Map.of());
    return new RowFailures(job, log, InstantSource.fixed(now));
  }

  private static Instant latest(RowFailures failures, Type type) {
    return Instant.EPOCH.plus(failures.latestTime("m", type), ChronoUnit.MICROS);
  }

  /** A TIMESTAMP is what the clock of the session's zone shows. */
  @Test
  void theLatestTimeIsThatOfTheClockAndALittleMore() {
    RowFailures failures = failures(Optional.of(Duration.ofMinutes(5)), NOW);
    assertThat(latest(failures, Type.timestampLtz(3))).isEqualTo("2026-11-25T12:05:00Z");
    assertThat(latest(failures, Type.timestamp(3))).isEqualTo("2026-11-25T21:05:00Z");
  }

  @Test
  void anyTimeIsTakenWithoutALimit() {
    RowFailures failures = failures(Optional.empty(), NOW);
    assertThat(failures.latestTime("m", Type.timestampLtz(3))).isEqualTo(Long.MAX_VALUE);
  }

  /** A gateway without a battery begins in 1970; its sensors are right, and it is wrong. */
  @Test
  void aClockThatWasNeverSetRefusesNothing() {
    RowFailures failures = failures(Optional.of(Duration.ofHours(1)), Instant.EPOCH);
    assertThat(failures.latestTime("m", Type.timestampLtz(3))).isEqualTo(Long.MAX_VALUE);
  }
}
