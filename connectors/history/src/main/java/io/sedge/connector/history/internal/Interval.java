package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** From when to when is read, in microseconds, both ends included. */
public record Interval(long from, long to) {
  private static final String FROM = "scan.from";
  private static final String TO = "scan.to";
  private static final String LAST = "scan.last";
  static final Interval ALL = new Interval(Long.MIN_VALUE, Long.MAX_VALUE);

  /** The options that say it. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              FROM,
              Option.Kind.STRING,
              "The first instant that is read: 2026-11-21 08:00:00, in UTC unless it ends with an"
                  + " offset."),
          Option.optional(TO, Option.Kind.STRING, "The first instant that is not read."),
          Option.optional(
              LAST, Option.Kind.DURATION, "How far back is read from now, in place of scan.from."));

  /** What a table's options say. */
  public static Interval of(Options options, ConnectorContext context) {
    if (options.has(FROM) && options.has(LAST)) {
      throw options.wrong(LAST, "and '%s' say both where to begin; leave one out".formatted(FROM));
    }
    long from = options.has(FROM) ? instant(options, FROM) : ALL.from();
    if (options.has(LAST)) {
      Duration last = options.duration(LAST);
      from = micros(context.clock().instant().minus(last));
    }
    long to = options.has(TO) ? instant(options, TO) : ALL.to();
    if (options.has(TO) && to <= from) {
      throw options.wrong(TO, "is not after where reading begins");
    }
    return new Interval(from, options.has(TO) ? to - 1 : to);
  }

  private static long instant(Options options, String key) {
    String value = options.string(key).trim().replaceFirst("(?<=\\d) (?=\\d)", "T");
    try {
      return micros(
          OffsetDateTime.parse(value, DateTimeFormatter.ISO_OFFSET_DATE_TIME).toInstant());
    } catch (DateTimeException | ArithmeticException e) {
      // It has no offset, or it is none at all.
    }
    try {
      String whole = value.contains("T") ? value : value + "T00:00:00";
      return micros(LocalDateTime.parse(whole).toInstant(ZoneOffset.UTC));
    } catch (DateTimeException | ArithmeticException e) {
      throw options.wrong(
          key, "is no instant; write it as 2026-11-21 08:00:00 or 2026-11-21 08:00:00+01:00");
    }
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  /** What is in both; nothing if it ends before it begins. */
  Interval and(Interval other) {
    return new Interval(Math.max(from, other.from), Math.min(to, other.to));
  }
}
