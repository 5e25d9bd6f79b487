package io.sedge.site.internal.exchange;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Watermarks as people read them. */
final class EventTimes {
  private EventTimes() {}

  /** To the second, as a TIMESTAMP shows it. */
  static String text(long watermark) {
    if (watermark == Long.MIN_VALUE) {
      return "no time yet";
    }
    return watermark == Long.MAX_VALUE
        ? "its end"
        : LocalDateTime.ofInstant(Instant.EPOCH.plus(watermark, ChronoUnit.MICROS), ZoneOffset.UTC)
            .truncatedTo(ChronoUnit.SECONDS)
            .toString();
  }
}
