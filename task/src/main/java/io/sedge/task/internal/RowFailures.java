package io.sedge.task.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.operator.FailedRows;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import io.sedge.sql.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What becomes of rows that an expression fails for, or that have no event time: they are left out,
 * or end the job. Rows that are too far ahead of the clock are left out whatever the job says of
 * the others, as malformed payloads are.
 */
public final class RowFailures implements FailedRows {
  /**
   * A device whose clock shows less was started without a battery and has not asked anybody yet.
   */
  private static final Instant EARLIEST = Instant.parse("2026-01-01T00:00:00Z");

  private final MalformedLog log;
  private final boolean skips;
  private final InstantSource clock;
  private final ZoneId zone;
  private final Map<String, Duration> maxAhead = new HashMap<>();

  /**
   * @param job which rows it leaves out
   * @param clock the device's
   */
  public RowFailures(Job job, MalformedLog log, InstantSource clock) {
    this.log = log;
    this.skips = job.skipsFailedRows();
    this.clock = clock;
    this.zone = job.zone();
    job.sources()
        .forEach(
            (table, source) -> source.maxAhead().ifPresent(ahead -> maxAhead.put(table, ahead)));
  }

  @Override
  public void take(FailedRow row) {
    refuseUnlessSkipped(row);
    log.addRow(row);
  }

  @Override
  public void takeTimeless(FailedRow row, List<Integer> madeOf) {
    refuseUnlessSkipped(row);
    log.addTimeless(row, () -> TimeHint.of(row, madeOf));
  }

  @Override
  public long latestTime(String table, Type type) {
    Duration ahead = maxAhead.get(table);
    Instant now = ahead == null ? Instant.MIN : clock.instant();
    if (ahead == null || now.isBefore(EARLIEST)) {
      return Long.MAX_VALUE;
    }
    Instant shown =
        type.kind() == Kind.TIMESTAMP_LTZ
            ? now
            : now.atZone(zone).toLocalDateTime().toInstant(ZoneOffset.UTC);
    return ChronoUnit.MICROS.between(Instant.EPOCH, shown.plus(ahead));
  }

  @Override
  public void takeEarly(FailedRow row) {
    log.addEarly(row);
  }

  private void refuseUnlessSkipped(FailedRow row) {
    if (!skips) {
      throw new EvaluationException(
          "table %s: %s: %s; SET '%s' = '%s' leaves such rows out"
              .formatted(
                  MalformedLog.tables(row),
                  MalformedLog.reason(row),
                  MalformedLog.values(row),
                  Job.ON_ROW_FAILURE,
                  Job.SKIP),
          row.failure());
    }
  }
}
