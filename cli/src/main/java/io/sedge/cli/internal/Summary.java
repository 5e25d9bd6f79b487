package io.sedge.cli.internal;

import io.sedge.cli.internal.output.Quantities;
import io.sedge.task.JobCounters;
import java.time.Duration;
import java.util.Locale;

/** What is said at the end of a job. */
final class Summary {
  private static final Duration WORTH_SAYING = Duration.ofSeconds(1);

  private Summary() {}

  static String text(JobCounters counters, long peakBytes) {
    StringBuilder text = new StringBuilder();
    double seconds = counters.elapsed().toNanos() / 1e9;
    line(
        text,
        "readings in",
        "%,d%s"
            .formatted(
                counters.readings(),
                seconds <= 0 ? "" : "  (%,.0f/s)".formatted(counters.readings() / seconds)));
    line(text, "rows out", "%,d".formatted(counters.rowsOut()));
    line(text, "late", "%,d".formatted(counters.late()));
    line(text, "dropped", "%,d".formatted(counters.dropped()));
    line(text, "malformed", "%,d".formatted(counters.malformed()));
    line(text, "commands sent", "%,d".formatted(counters.commands()));
    line(text, "bytes in", Quantities.bytes(counters.bytesIn()));
    line(text, "bytes out", Quantities.bytes(counters.bytesOut()) + ratio(counters));
    if (counters.heldBack().compareTo(WORTH_SAYING) >= 0) {
      line(text, "held back", Quantities.duration(counters.heldBack()) + " by full sinks");
    }
    line(text, "peak memory", Quantities.bytes(peakBytes));
    line(text, "duration", Quantities.duration(counters.elapsed()));
    return text.toString();
  }

  private static String ratio(JobCounters counters) {
    if (counters.bytesIn() == 0 || counters.bytesOut() == 0) {
      return "";
    }
    double ratio = (double) counters.bytesIn() / counters.bytesOut();
    return ratio >= 1
        ? String.format(Locale.ROOT, "  (1/%,.1f of what came in)", ratio)
        : String.format(Locale.ROOT, "  (%,.1f times what came in)", 1 / ratio);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-14s %s%n", name, value));
  }
}
