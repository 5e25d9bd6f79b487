package io.sedge.cli.internal.output;

import io.sedge.task.JobCounters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * The last line of a live table: readings and their rate over the last {@link #RATE_SPAN_NANOS},
 * rows, what was lost, how far the result is behind, memory.
 */
final class StatusLine {
  static final long RATE_SPAN_NANOS = 3_000_000_000L;

  /** A watermark further away than this is that of a replay, not a delay. */
  private static final Duration LIVE = Duration.ofHours(1);

  private final InstantSource clock;
  private final Cells cells;
  private final LongSupplier memoryBytes;
  private final Deque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, long readings) {}

  StatusLine(InstantSource clock, Cells cells, LongSupplier memoryBytes) {
    this.clock = clock;
    this.cells = cells;
    this.memoryBytes = memoryBytes;
  }

  String text(JobCounters counters) {
    StringBuilder line = new StringBuilder();
    line.append(
        "%s  %,d readings  %s/s  %,d rows"
            .formatted(
                Quantities.clock(counters.elapsed()),
                counters.readings(),
                rate(counters),
                counters.rowsOut()));
    append(line, counters.commands(), "commands");
    line.append("  %,d late".formatted(counters.late()));
    append(line, counters.malformed(), "malformed");
    append(line, counters.dropped(), "dropped");
    line.append(behind(counters.watermarkMicros()));
    line.append("  ").append(Quantities.bytes(memoryBytes.getAsLong()));
    return line.toString();
  }

  private static void append(StringBuilder line, long count, String what) {
    if (count > 0) {
      line.append("  %,d %s".formatted(count, what));
    }
  }

  private String rate(JobCounters counters) {
    long now = counters.elapsed().toNanos();
    samples.add(new Sample(now, counters.readings()));
    while (samples.size() > 2 && now - samples.getFirst().nanos > RATE_SPAN_NANOS) {
      samples.removeFirst();
    }
    Sample oldest = samples.getFirst();
    double seconds = (now - oldest.nanos) / 1e9;
    double rate = seconds <= 0 ? 0 : (counters.readings() - oldest.readings) / seconds;
    return String.format(Locale.ROOT, rate < 10 ? "%,.1f" : "%,.0f", rate);
  }

  private String behind(long watermarkMicros) {
    if (watermarkMicros == Long.MIN_VALUE || watermarkMicros == Long.MAX_VALUE) {
      return "";
    }
    Instant watermark =
        Instant.ofEpochSecond(
            Math.floorDiv(watermarkMicros, 1_000_000L),
            Math.floorMod(watermarkMicros, 1_000_000L) * 1000);
    Duration lag = Duration.between(watermark, clock.instant());
    return lag.abs().compareTo(LIVE) > 0
        ? "  at " + cells.clockTime(watermark)
        : String.format(Locale.ROOT, "  lag %.1f s", Math.max(0, lag.toMillis()) / 1000.0);
  }
}
