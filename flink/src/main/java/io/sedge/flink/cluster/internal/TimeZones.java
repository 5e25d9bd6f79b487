package io.sedge.flink.cluster.internal;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Time zones as Flink takes them: names of the time zone database, and offsets as {@code
 * GMT+02:00}. It refuses the other ways to write an offset that Java has: {@code +02:00}, {@code
 * UTC+2}, {@code Z}.
 */
final class TimeZones {
  private static final int MINUTE_SECONDS = 60;

  private TimeZones() {}

  /** How Flink calls a zone; empty if it has none like that: an offset with seconds. */
  static Optional<String> ofFlink(ZoneId zone) {
    if (ZoneId.getAvailableZoneIds().contains(zone.getId())) {
      return Optional.of(zone.getId());
    }
    if (!(zone.normalized() instanceof ZoneOffset offset)
        || offset.getTotalSeconds() % MINUTE_SECONDS != 0) {
      return Optional.empty();
    }
    return Optional.of(offset.equals(ZoneOffset.UTC) ? "UTC" : "GMT" + offset);
  }
}
