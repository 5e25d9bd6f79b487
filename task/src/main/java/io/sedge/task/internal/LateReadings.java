package io.sedge.task.internal;

import io.sedge.connector.format.RowText;
import io.sedge.engine.operator.Pipeline;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether a step finds nearly all that it gets too late for its windows, as after a sensor whose
 * clock is ahead, or where a source begins anew. Looked at every ten seconds. One thread.
 */
final class LateReadings {
  private static final long SPAN_NANOS = 10_000_000_000L;

  /** Of fewer rows nothing is said; they are counted on. */
  private static final long LEAST = 10;

  private static final double NEARLY_ALL = 0.9;

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Map<Integer, Pipeline.Counters> before = new HashMap<>();
  private boolean begun;
  private long lookedNanos;
  private @Nullable Finding finding;

  /**
   * A step that gets nearly nothing of use.
   *
   * @param rows that it has got in a while
   * @param watermark that they came after, in microseconds
   */
  record Finding(int step, long rows, long watermark) {
    /** What is said of it. */
    String text() {
      return "nearly all of the last %,d rows are too late for their windows: event time is at %s; is a clock ahead, or has the source begun anew?"
          .formatted(rows, TIME.format(RowText.instant(watermark)));
    }
  }

  boolean isDue(long nowNanos) {
    if (!begun) {
      begun = true;
      lookedNanos = nowNanos;
    }
    return nowNanos - lookedNanos >= SPAN_NANOS;
  }

  /**
   * Looks, when that {@link #isDue}.
   *
   * @return what it finds now; null if nothing, or nothing new
   */
  @Nullable Finding look(List<Pipeline.Counters> steps, long nowNanos) {
    lookedNanos = nowNanos;
    Finding found = null;
    for (Pipeline.Counters step : steps) {
      Pipeline.Counters last = before.get(step.id());
      long rows = step.rowsIn() - (last == null ? 0 : last.rowsIn());
      long late = step.lateRows() - (last == null ? 0 : last.lateRows());
      if (rows == 0 || rows >= LEAST) {
        before.put(step.id(), step);
        if (rows > 0 && late >= NEARLY_ALL * rows) {
          found = new Finding(step.id(), rows, step.watermark());
        } else if (finding != null && finding.step() == step.id()) {
          finding = null;
        }
      }
    }
    finding = found == null ? finding : found;
    return found;
  }

  /** What holds now; null if all is well. */
  @Nullable Finding finding() {
    return finding;
  }
}
