package io.sedge.engine.operator.internal;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.TimeZone;

/**
 * Local times of a zone, for windows over TIMESTAMP_LTZ. All times are microseconds; local times
 * count from 1970-01-01T00:00 on the zone's clock. Where the clock is set back, one local time
 * means two instants and a window gathers both; where it is set forward, some windows are empty.
 * One thread.
 *
 * <p>When a window is over is decided as Flink does (TimeWindowUtil.toEpochMillsForTimer): an end
 * that comes twice is the later of the two, one that is left out is the whole hour before.
 */
final class LocalClock {
  private static final long MICROS_PER_MILLI = 1000;
  private static final long MILLIS_PER_HOUR = 3_600_000;

  private final ZoneId zone;
  private final ZoneRules rules;
  private final boolean utc;
  private final boolean usesDaylightTime;

  /** The instants around the last one asked for in which {@link #offset} holds. */
  private long from = Long.MAX_VALUE;

  private long until = Long.MIN_VALUE;
  private long offset;

  LocalClock(ZoneId zone) {
    this.zone = zone;
    this.rules = zone.getRules();
    this.utc = rules.isFixedOffset() && rules.getOffset(Instant.EPOCH).equals(ZoneOffset.UTC);
    this.usesDaylightTime = TimeZone.getTimeZone(zone).useDaylightTime();
    if (utc) {
      from = Long.MIN_VALUE;
      until = Long.MAX_VALUE;
    }
  }

  /** The local time of an instant. */
  long toLocal(long instant) {
    if (instant < from || instant >= until) {
      moveTo(instant);
    }
    return instant + offset;
  }

  /** Local time less instant at the instant last asked for. */
  long offset() {
    return offset;
  }

  /** The first instant of the span that holds the one last asked for and has its offset. */
  long from() {
    return from;
  }

  /** The end of that span. */
  long until() {
    return until;
  }

  private void moveTo(long micros) {
    Instant instant = Instant.ofEpochMilli(Math.floorDiv(micros, MICROS_PER_MILLI));
    offset = rules.getOffset(instant).getTotalSeconds() * 1_000_000L;
    ZoneOffsetTransition next = rules.nextTransition(instant);
    until = next == null ? Long.MAX_VALUE : next.toEpochSecond() * 1_000_000L;
    ZoneOffsetTransition previous = rules.previousTransition(instant.plusMillis(1));
    from = previous == null ? Long.MIN_VALUE : previous.toEpochSecond() * 1_000_000L;
  }

  /** The instant of a local time; the earlier of two. */
  long toInstant(long local) {
    if (utc || local == Long.MAX_VALUE) {
      return local;
    }
    long millis = Math.floorDiv(local, MICROS_PER_MILLI);
    long rest = Math.floorMod(local, MICROS_PER_MILLI);
    return millisOf(localDateTime(millis)) * MICROS_PER_MILLI + rest;
  }

  /** The watermark from which a window that ends at a local time is over. */
  long overAt(long localEnd) {
    long last = localEnd - MICROS_PER_MILLI;
    if (utc || localEnd == Long.MAX_VALUE) {
      return last;
    }
    LocalDateTime time = localDateTime(Math.floorDiv(last, MICROS_PER_MILLI));
    long instant = millisOf(time);
    if (usesDaylightTime) {
      long anHourLater = millisOf(time.plusHours(1));
      if (instant == anHourLater) {
        instant -= instant % MILLIS_PER_HOUR;
      } else if (anHourLater - instant > MILLIS_PER_HOUR) {
        instant += MILLIS_PER_HOUR;
      }
    }
    return instant * MICROS_PER_MILLI;
  }

  private static LocalDateTime localDateTime(long millis) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC);
  }

  private long millisOf(LocalDateTime time) {
    return time.atZone(zone).toInstant().toEpochMilli();
  }
}
