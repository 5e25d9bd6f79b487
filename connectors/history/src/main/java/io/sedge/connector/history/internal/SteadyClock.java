package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import java.time.Duration;

/**
 * The wall clock, watched: after it has jumped, forwards or backwards, it is not trusted for an
 * hour by who deletes what is old, so that somebody can see to it. A clock that is wrong for longer
 * is believed. One thread.
 */
final class SteadyClock {
  private static final long JUMP_MS = 60_000;
  private static final long DISTRUST_NANOS = Duration.ofHours(1).toNanos();

  private final ConnectorContext context;
  private final String table;
  private long lastMs;
  private long lastNanos;
  private long jumpedNanos;
  private boolean jumped;

  SteadyClock(ConnectorContext context, String table) {
    this.context = context;
    this.table = table;
    this.lastMs = context.clock().millis();
    this.lastNanos = context.nanoTime();
  }

  /** To be called every few seconds. */
  void tick() {
    long nowMs = context.clock().millis();
    long nowNanos = context.nanoTime();
    long jumpMs = nowMs - lastMs - (nowNanos - lastNanos) / 1_000_000;
    lastMs = nowMs;
    lastNanos = nowNanos;
    if (Math.abs(jumpMs) > JUMP_MS) {
      jumped = true;
      jumpedNanos = nowNanos;
      context.report(
          Severity.WARNING,
          "table %s: the clock jumped by %d s; for an hour nothing kept is deleted for its age"
              .formatted(table, jumpMs / 1000));
    } else if (jumped && nowNanos - jumpedNanos >= DISTRUST_NANOS) {
      jumped = false;
    }
  }

  /** Milliseconds since 1970, or {@link Long#MIN_VALUE} while it is not trusted. */
  long trustedMs() {
    return jumped ? Long.MIN_VALUE : lastMs;
  }

  long nowMs() {
    return lastMs;
  }
}
