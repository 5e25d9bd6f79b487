package io.sedge.connector;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What a table says to people, so that a log stays readable however a far end behaves: some reports
 * at once, then one a minute. What is left out is counted in the next one. Any thread.
 */
public final class Reports {
  /** So many are said at once. */
  public static final int AT_ONCE = 16;

  private static final long EVERY_NANOS = 60_000_000_000L;

  private final String table;
  private final ConnectorContext context;
  private long allowed = AT_ONCE;
  private long sinceNanos;
  private long leftOut;

  public Reports(String table, ConnectorContext context) {
    this.table = table;
    this.context = context;
    this.sinceNanos = context.nanoTime();
  }

  /** Says what an operator has to know. */
  public void warn(String message) {
    String text;
    synchronized (this) {
      long now = context.nanoTime();
      long earned = (now - sinceNanos) / EVERY_NANOS;
      sinceNanos += earned * EVERY_NANOS;
      allowed = Math.min(AT_ONCE, allowed + earned);
      if (allowed == 0) {
        leftOut++;
        return;
      }
      allowed--;
      text =
          leftOut == 0
              ? message
              : "%s (%d reports before were left out)".formatted(message, leftOut);
      leftOut = 0;
    }
    context.report(ConnectorContext.Severity.WARNING, prefixed(text));
  }

  /** Says what is worth knowing, and is said once. */
  public void inform(String message) {
    context.report(ConnectorContext.Severity.INFO, prefixed(message));
  }

  private String prefixed(String message) {
    return "table " + table + ": " + message;
  }

  /** The time by the wall clock, in microseconds. */
  public long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, context.clock().instant());
  }

  /** A time for people, to the second: {@code 2026-01-31T10:02:13Z}. */
  public static String time(long micros) {
    return Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)).toString();
  }
}
